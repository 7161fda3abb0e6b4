#if OpenGL
    import COpenGL
    import TestSupport
    import Testing
    import TexelCore
    import TexelOpenGL
    import TexelPixels

    @testable import TexelFrames

    @Suite("Registered textures in OpenGL")
    struct OpenGLTextureRegistryTests {
        private let context: OpenGLContext
        private let pool = FramePool(capacity: 4)
        private let registry = TextureRegistry()

        init() throws { context = try OpenGLContext() }

        private func pixels(of texture: OpenGLTextureRegistry.OpenGLTexture?) -> [UInt32] {
            guard let texture else { return [] }
            var pixels = [UInt32](repeating: 0, count: texture.size.width * texture.size.height)
            glBindTexture(GLenum(GL_TEXTURE_2D), texture.name)
            glGetTexImage(GLenum(GL_TEXTURE_2D), 0, GLenum(GL_BGRA), GLenum(GL_UNSIGNED_INT_8_8_8_8_REV), &pixels)
            return pixels
        }

        @Test("A number gives the name of the texture that shows the latest frame")
        func textureShowsTheLatestFrame() throws {
            let views = OpenGLTextureRegistry(registry)
            let texture = LatestFrameTexture()
            let id = registry.register(texture)
            let images = try (0..<3).map {
                try PixelBuffer.random(width: 9 + $0, height: 7, alphaMode: .straight, seed: UInt64($0))
            }
            #expect(try context.withCurrent { () throws(TexelError) in try views.texture(id) } == nil)
            var names: Set<UInt32> = []
            for image in images {
                texture.publish(try Frame(image, from: pool))
                registry.textureFrameAvailable(id)
                let (seen, pixels) = try context.withCurrent { () throws(TexelError) in
                    let seen = try views.texture(id)
                    return (seen, self.pixels(of: seen))
                }
                #expect(seen?.size == image.size)
                #expect(seen?.alphaMode == .straight)
                #expect(pixels == image.pixels)
                names.insert(try #require(seen?.name))
            }
            #expect(names.count == 1)
            // The frame was copied, so only the texture holds it.
            #expect(pool.freeCount == 3)
        }

        @Test("A frame is uploaded once; one that was not announced is not looked for")
        func framesAreUploadedOnlyWhenAnnounced() throws {
            let views = OpenGLTextureRegistry(registry)
            let texture = LatestFrameTexture()
            let id = registry.register(texture)
            let (first, second) = (
                try PixelBuffer.random(width: 4, height: 4), try PixelBuffer.random(width: 4, height: 4, seed: 2)
            )
            texture.publish(try Frame(first, from: pool))
            registry.textureFrameAvailable(id)
            func seen() throws -> [UInt32] {
                try context.withCurrent { () throws(TexelError) in self.pixels(of: try views.texture(id)) }
            }
            #expect(try seen() == first.pixels)
            texture.publish(try Frame(second, from: pool))
            #expect(try seen() == first.pixels)
            registry.textureFrameAvailable(id)
            #expect(try seen() == second.pixels)
        }

        @Test("What is unregistered loses its name, at once or when it is tidied up")
        func unregisteredTexturesAreDeleted() throws {
            let views = OpenGLTextureRegistry(registry)
            let textures = (0..<3).map { _ in LatestFrameTexture() }
            let ids = textures.map { registry.register($0) }
            let image = try PixelBuffer.random(width: 4, height: 4)
            for (texture, id) in zip(textures, ids) {
                texture.publish(try Frame(image, from: pool))
                registry.textureFrameAvailable(id)
            }
            try context.withCurrent { () throws(TexelError) in
                var names: [UInt32] = []
                for id in ids { names.append(try views.texture(id)?.name ?? 0) }
                #expect(Set(names).count == 3)
                func areTextures() -> [Bool] { names.map { glIsTexture($0) == GLboolean(GL_TRUE) } }
                #expect(areTextures() == [true, true, true])
                registry.unregister(ids[0])
                #expect(try views.texture(ids[0]) == nil)
                #expect(areTextures() == [false, true, true])
                registry.unregister(ids[1])
                views.prune()
                #expect(areTextures() == [false, false, true])
                views.close()
                #expect(areTextures() == [false, false, false])
                #expect(try views.texture(TextureID(rawValue: 12_345)) == nil)
            }
        }
    }
#endif
