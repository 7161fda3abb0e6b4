#if OpenGL
    import COpenGL
    public import TexelFrames
    public import TexelPixels

    /// Puts frames into an OpenGL texture, one after another.
    ///
    /// The pixels of a frame are copied to one of two pixel buffer objects, from which the driver takes them while the
    /// next frame is copied to the other; the frame may be let go at once. All calls need the context current that was
    /// current when the uploader was made, or one that shares its textures; what they change of its state, they put
    /// back. By one thread at a time.
    public final class FrameTextureUploader {
        /// The texture's name in OpenGL: a `GL_TEXTURE_2D` of `GL_RGBA8`.
        public let name: UInt32
        /// Of the latest frame; `nil` before the first.
        public private(set) var size: PixelSize?
        /// What the alpha of the latest frame means.
        public private(set) var alphaMode = AlphaMode.opaque
        private var buffers: (next: GLuint, other: GLuint)
        private let longestSide: Int
        private var isClosed = false

        private static let target = GLenum(GL_TEXTURE_2D)
        private static let pixelBuffer = GLenum(GL_PIXEL_UNPACK_BUFFER)
        /// Pixels 0xAARRGGBB as words, whatever the order of their bytes.
        private static let pixelType = GLenum(GL_UNSIGNED_INT_8_8_8_8_REV)

        /// - Throws: `noCurrentContext`.
        public init() throws(OpenGLError) {
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

        /// Gives the texture and its buffers back to OpenGL. Without it they are there as long as the context is.
        public func close() {
            guard !isClosed else { return }
            isClosed = true
            var names = [name, buffers.next, buffers.other]
            glDeleteTextures(1, &names[0])
            glDeleteBuffers(1, &names[1])
            glDeleteBuffers(1, &names[2])
        }

        /// Makes the texture show a frame.
        ///
        /// - Throws: `textureTooLarge`, `openGL`; the texture then shows anything.
        public func upload(_ frame: borrowing Frame) throws(OpenGLError) {
            precondition(!isClosed, "the texture was given back")
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
            // From the beginning of the bound buffer.
            glTexSubImage2D(
                Self.target, 0, 0, 0, GLsizei(frameSize.width), GLsizei(frameSize.height), GLenum(GL_BGRA),
                Self.pixelType, nil)
            buffers = (buffers.other, buffers.next)
            try Self.check("glTexSubImage2D")
            alphaMode = frame.alphaMode
        }

        /// Storage of the texture for frames of another size.
        private func allocate(_ newSize: PixelSize) throws(OpenGLError) {
            size = nil
            glBindBuffer(Self.pixelBuffer, 0)
            glTexImage2D(
                Self.target, 0, GL_RGBA8, GLsizei(newSize.width), GLsizei(newSize.height), 0, GLenum(GL_BGRA),
                Self.pixelType, nil)
            try Self.check("glTexImage2D")
            size = newSize
        }

        /// Copies the rows, with the room between them, to the bound buffer.
        private func fillBuffer(with frame: borrowing Frame) throws(OpenGLError) {
            try frame.withUnsafeBytes { (bytes) throws(OpenGLError) in
                // New storage, so that nothing waits for the driver to be done with the old one.
                glBufferData(Self.pixelBuffer, bytes.count, nil, GLenum(GL_STREAM_DRAW))
                let access = GLbitfield(GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT)
                var isWhole = false
                // The driver may lose what was written, as on a change of the screen; it is written again then.
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

        /// What the texture shows; waits until everything has been drawn.
        ///
        /// - Returns: `nil` before the first frame.
        /// - Throws: `openGL`, `pixels`.
        public func readBack() throws(OpenGLError) -> PixelBuffer? {
            guard let size, !isClosed else { return nil }
            var picture: PixelBuffer
            do {
                picture = try PixelBuffer(width: size.width, height: size.height, alphaMode: alphaMode)
            } catch {
                throw .pixels(error)
            }
            Self.forgetErrors()
            let state = UnpackState()
            defer { state.restore() }
            glBindTexture(Self.target, name)
            let packing = (length: GLenum(GL_PACK_ROW_LENGTH), buffer: GLenum(GL_PIXEL_PACK_BUFFER))
            var (formerLength, formerBuffer): (GLint, GLint) = (0, 0)
            glGetIntegerv(packing.length, &formerLength)
            glGetIntegerv(GLenum(GL_PIXEL_PACK_BUFFER_BINDING), &formerBuffer)
            glBindBuffer(packing.buffer, 0)
            glPixelStorei(packing.length, GLint(picture.pixelsPerRow))
            picture.withUnsafeMutableBytes {
                glGetTexImage(Self.target, 0, GLenum(GL_BGRA), Self.pixelType, $0.baseAddress)
            }
            glPixelStorei(packing.length, formerLength)
            glBindBuffer(packing.buffer, GLuint(formerBuffer))
            try Self.check("glGetTexImage")
            return picture
        }

        /// Errors of calls before ours are not ours.
        private static func forgetErrors() {
            for _ in 0..<16 where glGetError() == GLenum(GL_NO_ERROR) { return }
        }

        private static func check(_ call: String) throws(OpenGLError) {
            let code = glGetError()
            guard code == GLenum(GL_NO_ERROR) else { throw .openGL(call, code: Int(code)) }
        }
    }
#endif
