#if OpenGL
    public import TexelCore
    public import TexelFrames
    public import TexelPixels

    /// Provides the textures of a registry as OpenGL textures, for embedders that draw with OpenGL.
    ///
    /// A frame is uploaded on request, and only once. All calls require the same context to be current, or one that
    /// shares its textures. Use by one thread at a time; producers may publish meanwhile.
    public final class OpenGLTextureRegistry {
        private let registry: TextureRegistry
        private var uploads: [TextureID: Upload] = [:]

        private struct Upload {
            let uploader: FrameTextureUploader
            /// The number of announced frames when the latest was uploaded.
            var frameCount: Int
        }

        /// An OpenGL texture that holds the latest frame.
        public struct OpenGLTexture: Sendable, Hashable {
            /// The name of the `GL_TEXTURE_2D`, which is the same for all frames of a texture.
            public let name: UInt32
            /// The size of the frame in pixels.
            public let size: PixelSize
            /// How the colours relate to alpha.
            public let alphaMode: AlphaMode
        }

        /// Creates a view of a registry.
        public init(_ registry: TextureRegistry) { self.registry = registry }

        /// Uploads the latest frame of a texture, if it is new, and returns the OpenGL texture.
        ///
        /// - Returns: `nil` if the texture has had no frame yet or is not registered; in the latter case its OpenGL
        ///   texture is deleted.
        /// - Throws: The errors of ``FrameTextureUploader``.
        public func texture(_ id: TextureID) throws(TexelError) -> OpenGLTexture? {
            // Read the count before the frame: a frame published in between is then uploaded by the next call.
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

        /// Deletes the OpenGL textures of textures that are no longer registered.
        public func prune() {
            for id in uploads.keys where registry.frameCount(id) == nil { forget(id) }
        }

        /// Deletes all OpenGL textures.
        public func close() {
            for id in uploads.keys { forget(id) }
        }

        private func forget(_ id: TextureID) { uploads.removeValue(forKey: id)?.uploader.close() }

        private static func texture(_ uploader: FrameTextureUploader) -> OpenGLTexture? {
            uploader.size.map { OpenGLTexture(name: uploader.name, size: $0, alphaMode: uploader.alphaMode) }
        }
    }
#endif
