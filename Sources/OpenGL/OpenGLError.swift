#if OpenGL
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif
    public import TexelPixels

    /// Why a frame could not be uploaded to a texture.
    public enum OpenGLError: Error, Sendable, Hashable {
        /// EGL found no usable display.
        case noDisplay
        /// An EGL call failed with this error code.
        case egl(String, code: Int)
        /// An OpenGL call failed with this error code.
        case openGL(String, code: Int)
        /// The calling thread has no current context.
        case noCurrentContext
        /// A side of the frame exceeds the maximum texture size.
        case textureTooLarge(PixelSize, limit: Int)
        /// The pixel buffer for reading back could not be created.
        case pixels(PixelBufferError)
    }

    extension OpenGLError: CustomStringConvertible {
        public var description: String {
            switch self {
            case .noDisplay:
                "no EGL display was found; install a driver, such as Mesa's libgl1-mesa-dri and libegl-mesa0"
            case .egl(let call, let code): "\(call) failed with the EGL error 0x\(String(code, radix: 16))"
            case .openGL(let call, let code): "\(call) failed with the OpenGL error 0x\(String(code, radix: 16))"
            case .noCurrentContext: "the thread has no current OpenGL context"
            case .textureTooLarge(let size, let limit):
                "a texture of \(size) pixels is too large; a side has at most \(limit) pixels"
            case .pixels(let error): "\(error)"
            }
        }
    }

    extension OpenGLError: LocalizedError {
        public var errorDescription: String? { description }
    }
#endif
