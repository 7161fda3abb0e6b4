package import TexelCore

extension ISORewriting {
    /// Returns the file with other metadata and identical coded images. Waits for the whole file.
    ///
    /// - Throws: `unsupported`, `damaged`, `stopped`.
    package static func file(
        _ container: ISOMediaFile, metadata: WrittenMetadata, keeping: KeptParts, limits: Limits, _ stop: StopToken?
    ) throws(TexelError) -> [UInt8] {
        var rewriting = ISORewriting(
            try container.completed(limits: limits, stop: stop), limits: limits, stop: stop)
        let oriented = SeparateOrientation(metadata)
        (rewriting.exif, rewriting.xmp) = (oriented.exif, oriented.xmp)
        rewriting.keepsProfiles = keeping.contains(.color)
        rewriting.keepsOthers = keeping.contains(.attachments)
        return try rewriting.rewritten()
    }
}
