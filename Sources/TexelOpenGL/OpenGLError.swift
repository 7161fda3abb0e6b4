#if OpenGL
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif
    public import TexelPixels

    /// Why a frame could not become a texture.
    public enum OpenGLError: Error, Sendable, Hashable {
        /// EGL finds nothing that draws.
        case noDisplay
        /// A call of EGL failed, with this error code.
        case egl(String, code: Int)
        /// A call of OpenGL failed, with this error code.
        case openGL(String, code: Int)
        /// The calling thread has no context.
        case noCurrentContext
        /// The frame has a side that is longer than the longest of a texture.
        case textureTooLarge(PixelSize, limit: Int)
        case pixels(PixelBufferError)
    }

    extension OpenGLError: CustomStringConvertible {
        public var description: String {
            switch self {
            case .noDisplay: "EGL finds no display; install a driver, such as Mesa's libgl1-mesa-dri and libegl-mesa0"
            case .egl(let call, let code): "\(call) failed with the EGL error 0x\(String(code, radix: 16))"
            case .openGL(let call, let code): "\(call) failed with the OpenGL error 0x\(String(code, radix: 16))"
            case .noCurrentContext: "the thread has no current OpenGL context"
            case .textureTooLarge(let size, let limit):
                "a texture of \(size) pixels is too large; the longest side is \(limit)"
            case .pixels(let error): "\(error)"
            }
        }
    }

    extension OpenGLError: LocalizedError {
        public var errorDescription: String? { description }
    }
#endif
