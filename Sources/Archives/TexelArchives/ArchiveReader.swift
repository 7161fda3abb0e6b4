#if Archives
    import CArchiveShim
    import SystemPackage
    import TexelCodecs
    import TexelCore
    import TexelPipeline

    /// Reads the entries of an archive once, in order. Used by one thread at a time.
    final class ArchiveReader {
        /// The header of an entry.
        struct Header {
            /// The name as it is stored.
            var name: [UInt8]
            var kind: Kind
            var isEncrypted: Bool
            /// In bytes, as the header says; `nil` if it does not.
            var byteCount: Int?
        }

        enum Kind {
            case file
            case folder
            /// A link, a device, a pipe.
            case other

            fileprivate init(_ kind: texel_entry_kind) {
                switch kind {
                case TEXEL_ENTRY_FILE: self = .file
                case TEXEL_ENTRY_FOLDER: self = .folder
                default: self = .other
                }
            }
        }

        private let path: FilePath
        private let descriptor: FileDescriptor
        private let reader: OpaquePointer
        /// For ``ArchiveWriter``, which copies entries.
        var pointer: OpaquePointer { reader }

        /// Opens an archive.
        ///
        /// - Throws: `missingLibrary`, `missingFile`, `cannotRead`, `outOfMemory`.
        init(_ path: FilePath) throws(TexelError) {
            try LoadedLibrary.archive.require()
            self.path = path
            do {
                descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            } catch {
                throw TexelError(path, unreadable: error as? Errno ?? .ioError)
            }
            guard let reader = texel_archive_open(descriptor.rawValue) else {
                try? descriptor.close()
                throw .outOfMemory
            }
            self.reader = reader
        }

        deinit {
            texel_archive_close(reader)
            try? descriptor.close()
        }

        /// The next header; `nil` after the last.
        ///
        /// - Throws: `damaged` if the archive ends here; `outOfMemory`.
        func next() throws(TexelError) -> Header? {
            var entry = texel_archive_entry()
            for _ in 0..<Self.maximumDamagedHeaders {
                switch texel_archive_next(reader, &entry) {
                case TEXEL_ARCHIVE_OK:
                    guard let name = entry.name else { throw .outOfMemory }
                    return Header(
                        name: UnsafeBufferPointer(start: name, count: entry.name_length).map { UInt8(bitPattern: $0) },
                        kind: Kind(entry.kind), isEncrypted: entry.is_encrypted,
                        byteCount: entry.size < 0 ? nil : Int(entry.size))
                case TEXEL_ARCHIVE_END: return nil
                // The header of one entry is damaged.
                case TEXEL_ARCHIVE_FAILED: continue
                case TEXEL_ARCHIVE_OUT_OF_MEMORY: throw .outOfMemory
                default: throw .damagedArchive(path, message)
                }
            }
            throw .damagedArchive(path, message)
        }

        /// How many damaged headers in a row are passed.
        private static let maximumDamagedHeaders = 1000

        /// Reads the first bytes of the current entry; fewer if it is shorter or damaged.
        func head(byteCount: Int) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
                while count < byteCount {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                    guard let part = try? read(into: rest), part > 0 else { return }
                    count += part
                }
            }
        }

        /// Reads the current entry.
        ///
        /// - Parameters:
        ///   - name: the name of the entry for errors.
        ///   - limit: the maximum size in bytes.
        /// - Throws: `limitExceeded`, `damaged`, `outOfMemory`.
        func bytes(of header: Header, named name: String, limit: Int) throws(TexelError) -> InputBytes {
            if let size = header.byteCount, size > limit {
                throw .limitExceeded(.inputBytes, value: size, allowed: limit)
            }
            // The size of the header is a promise only.
            let bytes = try ArrivingBytes(expectedCount: nil, limit: limit)
            let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockSize, alignment: 16)
            defer { block.deallocate() }
            while true {
                let count: Int
                do throws(ReadingFault) { count = try read(into: block) } catch {
                    throw error == .outOfMemory ? .outOfMemory : .damagedEntry(name, message)
                }
                if count == 0 { break }
                try bytes.append(UnsafeRawBufferPointer(rebasing: block[..<count]))
            }
            bytes.finish()
            return InputBytes(bytes)
        }

        private static let blockSize = 256 * 1024

        private enum ReadingFault: Error { case damaged, outOfMemory }

        /// - Returns: how many bytes were read; 0 at the end of the entry.
        private func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingFault) -> Int {
            var count = 0
            switch texel_archive_read(reader, buffer.baseAddress, buffer.count, &count) {
            case TEXEL_ARCHIVE_OK: return count
            case TEXEL_ARCHIVE_END: return 0
            case TEXEL_ARCHIVE_OUT_OF_MEMORY: throw .outOfMemory
            default: throw .damaged
            }
        }

        private var message: String { String(cString: texel_archive_message(reader)) }
    }

    extension LoadedLibrary {
        static let archive = LoadedLibrary(
            "libarchive", package: "libarchive13", load: texel_archive_load,
            version: { String(cString: texel_archive_version()) }, path: { String(cString: texel_archive_path()) })
    }
#endif
