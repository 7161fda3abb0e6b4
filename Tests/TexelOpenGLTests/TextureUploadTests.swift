import TexelCore

#if OpenGL
    import COpenGL
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelOpenGL
    import TexelPixels
    import TexelPipeline

    @testable import TexelFrames

    @Suite("Frames as OpenGL textures")
    struct TextureUploadTests {
        private let context: OpenGLContext
        private let pool = FramePool(capacity: 4)

        init() throws { context = try OpenGLContext() }

        private func frame(_ image: PixelBuffer) throws -> Frame {
            try Frame(image, from: pool)
        }

        @Test(
            "What is uploaded is read back, bit by bit",
            arguments: [(1, 1), (1, 7), (7, 1), (3, 5), (16, 16), (17, 31), (641, 359), (1920, 1080)])
        func uploadedPixelsAreReadBackExactly(width: Int, height: Int) throws {
            for alphaMode in [AlphaMode.opaque, .straight, .premultiplied] {
                let image = try PixelBuffer.random(width: width, height: height, alphaMode: alphaMode)
                let frame = try frame(image)
                let seen = try context.withCurrent { () throws(TexelError) in
                    let uploader = try FrameTextureUploader()
                    defer { uploader.close() }
                    try uploader.upload(frame)
                    return try uploader.readBack()
                }
                #expect(seen?.alphaMode == alphaMode)
                let isSame = seen?.pixels == image.pixels
                #expect(isSame, "\(alphaMode)")
            }
        }

        @Test("A hundred frames, of changing sizes, go through the two buffers")
        func framesOfChangingSizesAreUploaded() throws {
            let images = try (0..<100).map { (index: Int) -> PixelBuffer in
                let width = index % 10 < 5 ? 33 : 20
                let height = index % 20 < 10 ? 9 : 40
                return try PixelBuffer.random(
                    width: width, height: height, alphaMode: .straight, seed: UInt64(index))
            }
            var differing: [Int] = []
            let uploader = try context.withCurrent { () throws(TexelError) in try FrameTextureUploader() }
            for (index, image) in images.enumerated() {
                let frame = try frame(image)
                let seen = try context.withCurrent { () throws(TexelError) in
                    try uploader.upload(frame)
                    return try uploader.readBack()
                }
                if seen?.pixels != image.pixels { differing.append(index) }
                #expect(uploader.size == image.size)
            }
            #expect(differing.isEmpty)
        }

        @Test("The driver may still read one frame when the next is uploaded")
        func overlappingUploadsShowTheirOwnFrame() throws {
            let images = try (0..<20).map {
                try PixelBuffer.random(width: 100, height: 100, alphaMode: .opaque, seed: UInt64($0))
            }
            let frames = images
            let seen = try context.withCurrent { () throws(TexelError) in
                let uploaders = [try FrameTextureUploader(), try FrameTextureUploader()]
                for (index, image) in frames.enumerated() {
                    guard let frame = try? frame(image) else { throw .noDisplay }
                    try uploaders[index % 2].upload(frame)
                }
                return [try uploaders[0].readBack(), try uploaders[1].readBack()]
            }
            #expect(seen[0]?.pixels == images[18].pixels)
            #expect(seen[1]?.pixels == images[19].pixels)
        }

        @Test("An upload leaves OpenGL's state as it was")
        func uploadsRestoreTheOpenGLState() throws {
            let frame = try frame(try PixelBuffer.random(width: 5, height: 5))
            let names = [
                GL_TEXTURE_BINDING_2D, GL_PIXEL_UNPACK_BUFFER_BINDING, GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS,
                GL_UNPACK_SKIP_PIXELS, GL_UNPACK_ALIGNMENT, GL_PACK_ROW_LENGTH, GL_PIXEL_PACK_BUFFER_BINDING,
            ]
            let (before, after, error) = try context.withCurrent { () throws(TexelError) in
                func values() -> [GLint] {
                    names.map { name in
                        var value: GLint = -1
                        glGetIntegerv(GLenum(name), &value)
                        return value
                    }
                }
                let uploader = try FrameTextureUploader()
                var (texture, buffer): (GLuint, GLuint) = (0, 0)
                glGenTextures(1, &texture)
                glBindTexture(GLenum(GL_TEXTURE_2D), texture)
                glGenBuffers(1, &buffer)
                glBindBuffer(GLenum(GL_PIXEL_UNPACK_BUFFER), buffer)
                for (name, value) in [
                    (GL_UNPACK_ROW_LENGTH, 77), (GL_UNPACK_SKIP_ROWS, 3), (GL_UNPACK_SKIP_PIXELS, 2),
                    (GL_UNPACK_ALIGNMENT, 1), (GL_PACK_ROW_LENGTH, 99),
                ] { glPixelStorei(GLenum(name), GLint(value)) }
                let before = values()
                try uploader.upload(frame)
                _ = try uploader.readBack()
                return (before, values(), glGetError())
            }
            #expect(before == after)
            #expect(before[2...5] == [77, 3, 2, 1])
            #expect(error == GLenum(GL_NO_ERROR))
        }

        @Test("A frame larger than any texture is refused, and the next is welcome")
        func tooLargeFramesAreRefused() throws {
            let wide = try frame(try PixelBuffer(width: 65_535, height: 1))
            let small = try frame(try PixelBuffer(width: 2, height: 1))
            try context.withCurrent { () throws(TexelError) in
                let uploader = try FrameTextureUploader()
                var limit: GLint = 0
                glGetIntegerv(GLenum(GL_MAX_TEXTURE_SIZE), &limit)
                #expect(limit < 65_535)
                do throws(TexelError) {
                    try uploader.upload(wide)
                    Issue.record("it was uploaded")
                } catch {
                    #expect(error == .textureTooLarge(PixelSize(width: 65_535, height: 1), limit: Int(limit)))
                }
                #expect(try uploader.readBack() == nil)
                try uploader.upload(small)
                #expect(uploader.size == PixelSize(width: 2, height: 1))
            }
        }

        @Test("Without a context there is no texture")
        func uploaderNeedsAContext() {
            #expect(throws: TexelError.noCurrentContext) { try FrameTextureUploader() }
        }

        @Test("A context goes from thread to thread, and contexts share their textures")
        func contextsMoveBetweenThreadsAndShareTextures() throws {
            let context = context
            let image = try PixelBuffer.random(width: 31, height: 8, alphaMode: .straight)
            let pool = pool
            let name = Monitor<UInt32?>(nil)
            let thread = WorkerThread {
                // A failure is detected below by the missing name.
                try? context.withCurrent { () throws(TexelError) in
                    let uploader = try FrameTextureUploader()
                    guard let frame = try? Frame(image, from: pool) else { return }
                    try uploader.upload(frame)
                    glFinish()
                    name.withLock { $0 = uploader.name }
                }
            }
            thread?.join()
            let texture = try #require(name.withLock { $0 })
            func pixels(_ context: OpenGLContext) throws -> [UInt32] {
                try context.withCurrent { () throws(TexelError) in
                    var pixels = [UInt32](repeating: 0, count: 31 * 8)
                    glBindTexture(GLenum(GL_TEXTURE_2D), texture)
                    glGetTexImage(
                        GLenum(GL_TEXTURE_2D), 0, GLenum(GL_BGRA), GLenum(GL_UNSIGNED_INT_8_8_8_8_REV), &pixels)
                    return pixels
                }
            }
            #expect(try pixels(context) == image.pixels)
            #expect(try pixels(try OpenGLContext(sharingWith: context)) == image.pixels)
            #expect(try pixels(try OpenGLContext()) != image.pixels)
        }

        @Test("Contexts within contexts: each is current in its turn")
        func nestedContextsAreCurrentInTurn() throws {
            let other = try OpenGLContext()
            try context.withCurrent { () throws(TexelError) in
                let outer = eglGetCurrentContext()
                try other.withCurrent { () throws(TexelError) in
                    #expect(eglGetCurrentContext() != outer)
                    #expect(eglGetCurrentContext() != nil)
                    try other.withCurrent { () throws(TexelError) in #expect(eglGetCurrentContext() != nil) }
                }
                #expect(eglGetCurrentContext() == outer)
            }
            #expect(eglGetCurrentContext() == nil)
            #expect(try !context.renderer.isEmpty)
        }
    }

    extension Frame {
        /// Makes a frame with the pixels of an image.
        init(_ image: PixelBuffer, from pool: FramePool) throws {
            let bytesPerRow = Frame.bytesPerRow(width: image.width)
            guard var lease = try pool.leaseIfFree(byteCount: try Frame.byteCount(image.size)) else {
                throw TexelError.stopped(.cancelled)
            }
            lease.withUnsafeMutableBytes { bytes in
                // Fill the padding between rows, which must not be uploaded.
                bytes.initializeMemory(as: UInt8.self, repeating: 0xA5)
                image.withUnsafeBytes { source in
                    for y in 0..<image.height {
                        let row = source[(y * image.bytesPerRow)...].prefix(image.width * 4)
                        bytes[(y * bytesPerRow)...].copyBytes(from: row)
                    }
                }
            }
            self.init(lease, size: image.size, alphaMode: image.alphaMode, time: .zero)
        }
    }
#endif
