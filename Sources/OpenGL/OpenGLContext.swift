#if OpenGL
    import COpenGL
    import Synchronization
    public import TexelCore

    /// An OpenGL context without a window, created through EGL, for offscreen rendering.
    ///
    /// Used by one thread at a time. Applications with a context of their own do not need this type.
    ///
    /// Unchecked because of the pointers: they do not change, and the mutex admits one thread at a time to the context.
    public final class OpenGLContext: @unchecked Sendable {
        private let display: OpenGLDisplay
        private let context: EGLContext
        /// An unused surface of one pixel, for displays that require a surface.
        private let surface: EGLSurface?
        private let isInUse = Mutex(())

        /// Creates an OpenGL 3.3 core profile context.
        ///
        /// - Parameter other: A context to share textures with.
        /// - Throws: `noDisplay`, `egl`.
        public init(sharingWith other: OpenGLContext? = nil) throws(TexelError) {
            let display: OpenGLDisplay
            if let other { display = other.display } else { display = try OpenGLDisplay() }
            self.display = display
            try Self.bindAPI()
            let config = try Self.config(display)
            let attributes: [EGLint] = [
                EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE,
            ]
            guard let context = eglCreateContext(display.handle, config, other?.context, attributes) else {
                throw Self.error("eglCreateContext")
            }
            self.context = context
            if display.extensions.contains("EGL_KHR_surfaceless_context") {
                surface = nil
            } else {
                let size: [EGLint] = [EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE]
                guard let made = eglCreatePbufferSurface(display.handle, config, size) else {
                    let error = Self.error("eglCreatePbufferSurface")
                    eglDestroyContext(display.handle, context)
                    throw error
                }
                surface = made
            }
        }

        deinit {
            if let surface { eglDestroySurface(display.handle, surface) }
            eglDestroyContext(display.handle, context)
        }

        /// Calls `body` with this context current on the thread, then restores the previous one. Blocks while another
        /// thread uses the context. Calls may be nested.
        ///
        /// - Throws: The error of `body`, and `egl`.
        public func withCurrent<Result: ~Copyable>(
            _ body: () throws(TexelError) -> Result
        ) throws(TexelError) -> Result {
            try Self.bindAPI()
            if eglGetCurrentContext() == context { return try body() }
            return try isInUse.withLock { (_) throws(TexelError) -> Result in
                let former = (
                    display: eglGetCurrentDisplay(), draw: eglGetCurrentSurface(EGL_DRAW),
                    read: eglGetCurrentSurface(EGL_READ), context: eglGetCurrentContext()
                )
                guard eglMakeCurrent(display.handle, surface, surface, context) == EGL_TRUE else {
                    throw Self.error("eglMakeCurrent")
                }
                defer {
                    _ = eglMakeCurrent(former.display ?? display.handle, former.draw, former.read, former.context)
                }
                return try body()
            }
        }

        /// The driver's name of the renderer.
        ///
        /// - Throws: `egl`.
        public var renderer: String {
            get throws(TexelError) {
                try withCurrent { glGetString(GLenum(GL_RENDERER)).map { String(cString: $0) } ?? "" }
            }
        }

        /// Selects desktop OpenGL, which EGL stores for each thread.
        private static func bindAPI() throws(TexelError) {
            guard eglBindAPI(EGLenum(EGL_OPENGL_API)) == EGL_TRUE else { throw error("eglBindAPI") }
        }

        private static func config(_ display: OpenGLDisplay) throws(TexelError) -> EGLConfig? {
            let attributes: [EGLint] = [
                EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE,
            ]
            var config: EGLConfig?
            var count: EGLint = 0
            guard eglChooseConfig(display.handle, attributes, &config, 1, &count) == EGL_TRUE, count > 0 else {
                throw error("eglChooseConfig")
            }
            return config
        }

        private static func error(_ call: String) -> TexelError { .egl(call, code: Int(eglGetError())) }
    }
#endif
