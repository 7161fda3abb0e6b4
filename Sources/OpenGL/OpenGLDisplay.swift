#if OpenGL
    import COpenGL
    import TexelCore

    /// An EGL display, by preference without a window system: surfaceless, then the first device, then EGL's default.
    ///
    /// Unchecked because of the pointer: any thread may use an EGL display, and it exists as long as the process. All
    /// callers get the same display, so it must not be terminated.
    struct OpenGLDisplay: @unchecked Sendable {
        let handle: EGLDisplay
        /// The display's extensions.
        let extensions: Set<Substring>

        /// Finds and initialises a display.
        ///
        /// - Throws: `noDisplay`.
        init() throws(TexelError) {
            let client = Self.words(eglQueryString(nil, EGL_EXTENSIONS))
            for candidate in Self.candidates(client) {
                var (major, minor): (EGLint, EGLint) = (0, 0)
                guard let candidate, eglInitialize(candidate, &major, &minor) == EGL_TRUE else { continue }
                handle = candidate
                extensions = Self.words(eglQueryString(candidate, EGL_EXTENSIONS))
                return
            }
            throw .noDisplay
        }

        private static func candidates(_ client: Set<Substring>) -> [EGLDisplay?] {
            var candidates: [EGLDisplay?] = []
            if client.contains("EGL_MESA_platform_surfaceless") {
                candidates.append(eglGetPlatformDisplay(EGLenum(EGL_PLATFORM_SURFACELESS_MESA), nil, nil))
            }
            if client.contains("EGL_EXT_platform_device"), let device = firstDevice {
                candidates.append(eglGetPlatformDisplay(EGLenum(EGL_PLATFORM_DEVICE_EXT), device, nil))
            }
            // EGL_DEFAULT_DISPLAY.
            candidates.append(eglGetDisplay(nil))
            return candidates
        }

        private static var firstDevice: EGLDeviceEXT? {
            guard let address = eglGetProcAddress("eglQueryDevicesEXT") else { return nil }
            // EGL_EXT_device_enumeration defines this function's type.
            let query = unsafeBitCast(address, to: PFNEGLQUERYDEVICESEXTPROC.self)
            var device: EGLDeviceEXT?
            var count: EGLint = 0
            guard query(1, &device, &count) == EGL_TRUE, count > 0 else { return nil }
            return device
        }

        private static func words(_ text: UnsafePointer<CChar>?) -> Set<Substring> {
            guard let text else { return [] }
            return Set(String(cString: text).split(separator: " "))
        }
    }
#endif
