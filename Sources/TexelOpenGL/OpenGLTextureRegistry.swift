#if OpenGL
    public import TexelFrames
    public import TexelPixels

    /// The textures of a registry as OpenGL knows them: what an embedder that draws with OpenGL asks for a texture's
    /// name.
    ///
    /// A frame is uploaded when its texture is asked for, and only once. All calls need the same context current, or
    /// one that shares its textures. By one thread at a time; producers go on meanwhile.
    public final class OpenGLTextureRegistry {
        private let registry: TextureRegistry
        private var uploads: [TextureID: Upload] = [:]

        private struct Upload {
            let uploader: FrameTextureUploader
            /// How many frames had been announced when the latest was taken.
            var frameCount: Int
        }

        /// A texture with its latest frame in it.
        public struct OpenGLTexture: Sendable, Hashable {
            /// A `GL_TEXTURE_2D`. The same for all frames of a texture.
            public let name: UInt32
            public let size: PixelSize
            public let alphaMode: AlphaMode
        }

        public init(_ registry: TextureRegistry) { self.registry = registry }

        /// The texture of this number, after its latest frame was put into it.
        ///
        /// - Returns: `nil` when it is not registered or has no frame yet; its name in OpenGL is free then.
        /// - Throws: what uploading throws.
        public func texture(_ id: TextureID) throws(OpenGLError) -> OpenGLTexture? {
            // Asked for before the frame, so that one that comes in between is uploaded the next time.
            guard let count = registry.frameCount(id) else {
                forget(id)
                return nil
            }
            if let upload = uploads[id], upload.frameCount == count { return Self.texture(upload.uploader) }
            guard let frame = registry.copyPixelBuffer(id) else {
                return uploads[id].flatMap { Self.texture($0.uploader) }
            }
            let uploader: FrameTextureUploader
            if let known = uploads[id]?.uploader { uploader = known } else { uploader = try FrameTextureUploader() }
            uploads[id] = Upload(uploader: uploader, frameCount: -1)
            try uploader.upload(frame)
            uploads[id]?.frameCount = count
            return Self.texture(uploader)
        }

        /// Gives the names of textures back that are no longer registered.
        public func prune() {
            for id in uploads.keys where registry.frameCount(id) == nil { forget(id) }
        }

        /// Gives all names back.
        public func close() {
            for id in uploads.keys { forget(id) }
        }

        private func forget(_ id: TextureID) { uploads.removeValue(forKey: id)?.uploader.close() }

        private static func texture(_ uploader: FrameTextureUploader) -> OpenGLTexture? {
            uploader.size.map { OpenGLTexture(name: uploader.name, size: $0, alphaMode: uploader.alphaMode) }
        }
    }
#endif
