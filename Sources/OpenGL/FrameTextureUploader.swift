#if OpenGL
    import COpenGL
    public import TexelCore
    public import TexelFrames
    public import TexelPixels

    /// Uploads frames to an OpenGL texture.
    ///
    /// Pixels are copied to one of two pixel buffer objects; the driver transfers them to the texture while the next
    /// frame is copied to the other. The frame may be released when ``upload(_:)`` returns. All calls require a current
    /// context: the one at initialisation, or one that shares its textures. They restore the state that they change.
    /// Use by one thread at a time.
    public final class FrameTextureUploader {
        /// The OpenGL name of the texture, a `GL_TEXTURE_2D` with format `GL_RGBA8`.
        public let name: UInt32
        /// The size of the latest frame in pixels; `nil` before the first.
        public private(set) var size: PixelSize?
        /// How the colours of the latest frame relate to alpha.
        public private(set) var alphaMode = AlphaMode.opaque
        private var buffers: (next: GLuint, other: GLuint)
        private let longestSide: Int
        private var isClosed = false

        private static let target = GLenum(GL_TEXTURE_2D)
        private static let pixelBuffer = GLenum(GL_PIXEL_UNPACK_BUFFER)
        /// Pixels are 32-bit words 0xAARRGGBB in the machine's byte order.
        private static let pixelType = GLenum(GL_UNSIGNED_INT_8_8_8_8_REV)

        /// Creates the texture and its buffers.
        ///
        /// - Throws: `noCurrentContext`.
        public init() throws(TexelError) {
            guard glGetString(GLenum(GL_VERSION)) != nil else { throw .noCurrentContext }
            let state = UnpackState()
            defer { state.restore() }
            var limit: GLint = 0
            glGetIntegerv(GLenum(GL_MAX_TEXTURE_SIZE), &limit)
            longestSide = Int(limit)
            var names: [GLuint] = [0, 0, 0]
            glGenTextures(1, &names[0])
            glGenBuffers(1, &names[1])
            glGenBuffers(1, &names[2])
            name = names[0]
            buffers = (names[1], names[2])
            glBindTexture(Self.target, name)
            glTexParameteri(Self.target, GLenum(GL_TEXTURE_MAX_LEVEL), 0)
            glTexParameteri(Self.target, GLenum(GL_TEXTURE_MIN_FILTER), GL_LINEAR)
            glTexParameteri(Self.target, GLenum(GL_TEXTURE_MAG_FILTER), GL_LINEAR)
            glTexParameteri(Self.target, GLenum(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
            glTexParameteri(Self.target, GLenum(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
        }

        /// Deletes the texture and its buffers. Otherwise they exist as long as the context.
        public func close() {
            guard !isClosed else { return }
            isClosed = true
            var names = [name, buffers.next, buffers.other]
            glDeleteTextures(1, &names[0])
            glDeleteBuffers(1, &names[1])
            glDeleteBuffers(1, &names[2])
        }

        /// Uploads a frame to the texture.
        ///
        /// - Throws: `textureTooLarge`; `openGL`, after which the texture's contents are undefined.
        public func upload(_ frame: borrowing Frame) throws(TexelError) {
            precondition(!isClosed, "the uploader is closed")
            let frameSize = frame.size
            guard max(frameSize.width, frameSize.height) <= longestSide else {
                throw .textureTooLarge(frameSize, limit: longestSide)
            }
            Self.forgetErrors()
            let state = UnpackState()
            defer { state.restore() }
            glBindTexture(Self.target, name)
            if size != frameSize { try allocate(frameSize) }
            glBindBuffer(Self.pixelBuffer, buffers.next)
            try fillBuffer(with: frame)
            UnpackState.set(rowLength: GLint(frame.bytesPerRow / PixelBuffer.bytesPerPixel))
            // `nil` is offset 0 in the bound buffer.
            glTexSubImage2D(
                Self.target, 0, 0, 0, GLsizei(frameSize.width), GLsizei(frameSize.height), GLenum(GL_BGRA),
                Self.pixelType, nil)
            buffers = (buffers.other, buffers.next)
            try Self.check("glTexSubImage2D")
            alphaMode = frame.alphaMode
        }

        /// Allocates the texture for frames of another size.
        private func allocate(_ newSize: PixelSize) throws(TexelError) {
            size = nil
            glBindBuffer(Self.pixelBuffer, 0)
            glTexImage2D(
                Self.target, 0, GL_RGBA8, GLsizei(newSize.width), GLsizei(newSize.height), 0, GLenum(GL_BGRA),
                Self.pixelType, nil)
            try Self.check("glTexImage2D")
            size = newSize
        }

        /// Copies all rows, including padding, to the bound buffer.
        private func fillBuffer(with frame: borrowing Frame) throws(TexelError) {
            try frame.withUnsafeBytes { (bytes) throws(TexelError) in
                // Orphan the old storage, so that the copy does not wait for the driver to finish reading it.
                glBufferData(Self.pixelBuffer, bytes.count, nil, GLenum(GL_STREAM_DRAW))
                let access = GLbitfield(GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT)
                var isWhole = false
                // The driver may lose mapped contents, for example when the display mode changes; then write them
                // again.
                for _ in 0..<3 where !isWhole {
                    guard let base = bytes.baseAddress,
                        let memory = glMapBufferRange(Self.pixelBuffer, 0, bytes.count, access)
                    else { break }
                    memory.copyMemory(from: base, byteCount: bytes.count)
                    isWhole = glUnmapBuffer(Self.pixelBuffer) == GLboolean(GL_TRUE)
                }
                guard isWhole else { throw .openGL("glMapBufferRange", code: Int(glGetError())) }
            }
        }

        /// Reads the texture back to memory; blocks until all drawing has finished.
        ///
        /// - Returns: The pixels; `nil` before the first frame.
        /// - Throws: `openGL`, errors of pixels.
        public func readBack() throws(TexelError) -> PixelBuffer? {
            guard let size, !isClosed else { return nil }
            var image = try PixelBuffer(width: size.width, height: size.height, alphaMode: alphaMode)
            Self.forgetErrors()
            let state = UnpackState()
            defer { state.restore() }
            glBindTexture(Self.target, name)
            let packing = (length: GLenum(GL_PACK_ROW_LENGTH), buffer: GLenum(GL_PIXEL_PACK_BUFFER))
            var (formerLength, formerBuffer): (GLint, GLint) = (0, 0)
            glGetIntegerv(packing.length, &formerLength)
            glGetIntegerv(GLenum(GL_PIXEL_PACK_BUFFER_BINDING), &formerBuffer)
            glBindBuffer(packing.buffer, 0)
            glPixelStorei(packing.length, GLint(image.pixelsPerRow))
            image.withUnsafeMutableBytes {
                glGetTexImage(Self.target, 0, GLenum(GL_BGRA), Self.pixelType, $0.baseAddress)
            }
            glPixelStorei(packing.length, formerLength)
            glBindBuffer(packing.buffer, GLuint(formerBuffer))
            try Self.check("glGetTexImage")
            return image
        }

        /// Clears errors of earlier calls by the application.
        private static func forgetErrors() {
            for _ in 0..<16 where glGetError() == GLenum(GL_NO_ERROR) { return }
        }

        private static func check(_ call: String) throws(TexelError) {
            let code = glGetError()
            guard code == GLenum(GL_NO_ERROR) else { throw .openGL(call, code: Int(code)) }
        }
    }
#endif
