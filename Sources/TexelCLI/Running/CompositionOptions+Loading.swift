import Texel

extension CompositionOptions {
    /// Decodes the images that the flags name.
    ///
    /// - Parameters:
    ///   - limits: how much a file may require, and how long it may take.
    ///   - strictness: what is tolerated in damaged files.
    /// - Throws: `OptionError` for an address that cannot be loaded, `NamedError` for an image that cannot be decoded.
    func images(_ limits: LimitOptions, _ strictness: Strictness, _ pipeline: ImagePipeline) async throws
        -> CompositionImages
    {
        let policy = DecodePolicy(limits: limits.limits, strictness: strictness)
        let others = try Addresses.items([overlay, mask].compactMap(\.self), timeout: limits.timeLimit)
        func image(_ name: String?) async throws -> OverlayImage? {
            guard let name else { return nil }
            let item = others[name] ?? InputItem(RawArguments.path(name))
            let pixels = try await pipeline.image(item, policy: policy, timeout: limits.timeLimit)
            do throws(PixelBufferError) {
                return try OverlayImage(pixels)
            } catch {
                throw NamedError(name: item.name, error: .pixels(error))
            }
        }
        return CompositionImages(overlay: try await image(overlay), mask: try await image(mask))
    }

    /// Decodes the images that the flags of a command name. An error ends the command.
    ///
    /// - Throws: `OptionError`, `ExitCode`.
    func imagesOfCommand(_ limits: LimitOptions, _ strictness: Strictness) async throws -> CompositionImages {
        guard overlay != nil || mask != nil else { return CompositionImages() }
        do {
            return try await images(limits, strictness, ImagePipeline(workers: limits.pool))
        } catch let error as NamedError {
            throw error.reported()
        }
    }
}
