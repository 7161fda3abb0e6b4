#if OpenGL
    public import TexelCore
    public import TexelPixels

    /// Reasons why a frame could not be uploaded to a texture.
    extension TexelError {
        /// EGL found no usable display.
        public static var noDisplay: TexelError {
            TexelError(
                .openGL, "no EGL display was found; install a driver, such as Mesa's libgl1-mesa-dri and libegl-mesa0")
        }

        /// An EGL call failed with this error code.
        public static func egl(_ call: String, code: Int) -> TexelError {
            TexelError(.openGL, "\(call) failed with the EGL error 0x\(String(code, radix: 16))")
        }

        /// An OpenGL call failed with this error code.
        public static func openGL(_ call: String, code: Int) -> TexelError {
            TexelError(.openGL, "\(call) failed with the OpenGL error 0x\(String(code, radix: 16))")
        }

        /// The calling thread has no current context.
        public static var noCurrentContext: TexelError {
            TexelError(.openGL, "the thread has no current OpenGL context")
        }

        /// A side of the frame exceeds the maximum texture size.
        public static func textureTooLarge(_ size: PixelSize, limit: Int) -> TexelError {
            TexelError(.openGL, "a texture of \(size) pixels is too large; a side has at most \(limit) pixels")
        }
    }
#endif
