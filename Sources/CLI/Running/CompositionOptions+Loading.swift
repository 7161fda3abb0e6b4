import Texel

extension CompositionOptions {
    /// Decodes the images that the flags name.
    ///
    /// - Parameters:
    ///   - limits: how much a file may require, and how long it may take.
    ///   - strictness: what is tolerated in damaged files.
    ///   - arrivalLimit: how long a pipe or a device may take to deliver its bytes if `limits` has no time limit.
    /// - Throws: `OptionError` for an address that cannot be loaded, `NamedError` for an image that cannot be decoded.
    func images(
        _ limits: LimitOptions, _ strictness: Strictness, _ pipeline: ImagePipeline, arrivalLimit: Duration? = nil
    ) async throws -> CompositionImages {
        let policy = DecodePolicy(limits: limits.limits, strictness: strictness)
        let others = try Addresses.items([overlay, mask].compactMap(\.self), timeout: limits.timeLimit)
        var images = CompositionImages()
        for (role, name, path) in [("overlay", overlay, \.overlay), ("mask", mask, \.mask)]
            as [(String, String?, WritableKeyPath<CompositionImages, OverlayImage?>)]
        {
            guard let name else { continue }
            var item = others[name] ?? InputItem(RawArguments.path(name))
            item.arrivalLimit = arrivalLimit
            let (pixels, info) = try await pipeline.image(item, policy: policy, timeout: limits.timeLimit)
            do throws(TexelError) {
                images[keyPath: path] = try OverlayImage(pixels)
            } catch {
                throw NamedError(name: item.name, error: error)
            }
            images.warnings += Self.warnings(about: info, of: "the \(role) \(item.name)")
        }
        return images
    }

    /// Warnings about a file, and about images of it that are not used.
    private static func warnings(about info: ImageInfo, of file: String) -> [String] {
        var warnings = info.warnings.map { "\(file): \($0)" }
        if info.isAnimation {
            warnings.append("only the first of \(info.frameCount) frames of \(file) is used")
        } else if info.pageCount > 1 {
            warnings.append("only the first of \(info.pageCount) pages of \(file) is used")
        }
        return warnings
    }

    /// Decodes the images that the flags of a command name. An error ends the command.
    ///
    /// - Throws: `OptionError`, `ExitStatus`.
    func imagesOfCommand(_ limits: LimitOptions, _ strictness: Strictness) async throws -> CompositionImages {
        guard overlay != nil || mask != nil else { return CompositionImages() }
        do {
            return try await images(limits, strictness, ImagePipeline(workers: limits.pool))
        } catch let error as NamedError {
            throw error.reported()
        }
    }
}
