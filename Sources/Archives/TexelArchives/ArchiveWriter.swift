#if Archives
    import CArchiveShim
    import SystemPackage
    import TexelCodecs
    import TexelCore
    import TexelPipeline

    /// Writes an archive, entry after entry. Used by one thread at a time.
    final class ArchiveWriter {
        private let path: FilePath
        private let writer: OpaquePointer
        /// The names of the entries so far.
        private var names: Set<FilePath> = []

        /// - Parameters:
        ///   - descriptor: an empty file, which must stay open as long as the writer.
        ///   - path: the name of the archive for errors.
        /// - Throws: `missingLibrary`, `outOfMemory`.
        init(_ format: ArchiveFormat, _ descriptor: FileDescriptor, path: FilePath) throws(TexelError) {
            try LoadedLibrary.archive.require()
            guard let writer = texel_archive_create(descriptor.rawValue, format.shimFormat) else { throw .outOfMemory }
            (self.path, self.writer) = (path, writer)
        }

        deinit { texel_archive_abandon(writer) }

        var isEmpty: Bool { names.isEmpty }

        func has(_ name: FilePath) -> Bool { names.contains(name) }

        /// Returns the name, or one with a number if an entry has it.
        private func free(_ name: FilePath) -> FilePath {
            var (free, number) = (name, 2)
            while !names.insert(free).inserted {
                let own = name.lastComponent
                let ending = own?.extension.map { ".\($0)" } ?? ""
                free = name.removingLastComponent().appending("\(own?.stem ?? "entry")-\(number)\(ending)")
                number += 1
            }
            return free
        }

        /// Adds an image that was made from a file.
        ///
        /// - Parameter status: of the input, whose permissions and time the entry gets; `nil` if it is no file.
        func add(_ bytes: [UInt8], named name: FilePath, from status: FileStatus?) throws(TexelError) {
            let name = free(name)
            let result = name.string.withCString { name in
                var file = texel_archive_file()
                file.name = name
                file.size = bytes.count
                // The first time that a zip can store.
                file.seconds = status.map { Int64($0.modificationNanoseconds / 1_000_000_000) } ?? 315_532_800
                file.permissions = UInt32(status.map { $0.permissions.rawValue & 0o777 } ?? 0o644)
                return bytes.withUnsafeBytes { texel_archive_add(writer, &file, $0.baseAddress) }
            }
            try check(result, name)
        }

        /// Adds an image that was made from the current entry of an archive, and has its attributes.
        func add(_ bytes: [UInt8], named name: FilePath, like reader: ArchiveReader) throws(TexelError) {
            let name = free(name)
            let result = name.string.withCString { name in
                bytes.withUnsafeBytes {
                    texel_archive_replace(writer, reader.pointer, name, $0.baseAddress, $0.count)
                }
            }
            try check(result, name)
        }

        /// Copies the current entry of an archive. A zip deflates it, because it may be much larger than the input.
        ///
        /// - Returns: whether its bytes are intact.
        func copy(_ reader: ArchiveReader, named name: FilePath, stop: StopToken) throws(TexelError) -> Bool {
            let name = free(name)
            var isDamaged = false
            let result = name.string.withCString {
                texel_archive_copy(writer, reader.pointer, $0, StopToken.callback, Optional(stop).context, &isDamaged)
            }
            if result == TEXEL_ARCHIVE_STOPPED { throw .stopped(stop.reason ?? .cancelled) }
            try check(result, name)
            return !isDamaged
        }

        /// Writes what ends the archive.
        func finish() throws(TexelError) { try check(texel_archive_finish(writer), nil) }

        private func check(_ result: texel_archive_status, _ name: FilePath?) throws(TexelError) {
            let message = String(cString: texel_archive_writer_message(writer))
            switch result {
            case TEXEL_ARCHIVE_OK: return
            case TEXEL_ARCHIVE_OUT_OF_MEMORY: throw .outOfMemory
            case TEXEL_ARCHIVE_FAILED: throw .cannotStoreEntry(path, name, message)
            default:
                let code = texel_archive_writer_error(writer)
                if code > 0, ![.invalidArgument, .illegalByteSequence].contains(Errno(rawValue: code)) {
                    throw .cannotWrite(path, Errno(rawValue: code))
                }
                throw .cannotStoreEntry(path, name, message)
            }
        }
    }

    extension ArchiveFormat {
        fileprivate var shimFormat: texel_archive_format {
            switch self {
            case .zip: TEXEL_ARCHIVE_ZIP
            case .tar: TEXEL_ARCHIVE_TAR
            case .tarGzip: TEXEL_ARCHIVE_TAR_GZIP
            case .tarZstandard: TEXEL_ARCHIVE_TAR_ZSTD
            }
        }
    }
#endif
