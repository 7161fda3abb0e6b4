#if Archives
    import SystemPackage
    import TexelCodecs
    import TexelCore
    import TexelPipeline

    /// An image in an archive.
    struct ArchiveEntrySource: ByteSource {
        let contents: ArchiveContents
        /// The index among the entries.
        let index: Int
        let storedName: [UInt8]
        /// In bytes, as the header says; `nil` if it does not.
        let byteCount: Int?
        /// The state of the archive when it was listed.
        let version: String
        let name: String

        var identity: InputIdentity { InputIdentity("archive:\(contents.path):\(version):\(index)") }

        var isLocal: Bool { true }

        func open(limits: Limits) async throws(TexelError) -> OpenedBytes {
            OpenedBytes(version: identity, count: byteCount) { [self] () throws(TexelError) in
                try contents.read(index, storedName, displayedName: name, limit: limits.inputBytes)
            }
        }
    }
#endif
