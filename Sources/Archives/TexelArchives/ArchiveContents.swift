#if Archives
    import Synchronization
    import SystemPackage
    import TexelCodecs
    import TexelCore

    /// The images of an archive, which several threads read.
    ///
    /// An archive is read from its beginning to its end. Threads ask for its images almost in order: an image that is
    /// passed on the way to a later one is kept until it is asked for. If it was not kept, the archive is read again
    /// from its beginning.
    final class ArchiveContents: Sendable {
        let path: FilePath
        /// The indices of the images among the entries, in order.
        private let images: [Int]
        private let state = Mutex(State())

        private struct State {
            /// `nil` before the first image is read, and after the last.
            var reader: ArchiveReader?
            /// The index of the next entry.
            var position = 0
            /// Images that were passed.
            var kept: [Int: InputBytes] = [:]
            var keptByteCount = 0
            /// The images that were handed out.
            var taken: Set<Int> = []
        }

        /// How many images before the one that is asked for are kept.
        private static let maximumDistance = 64
        /// The largest total size of the images that are kept, in bytes.
        private static let maximumKeptBytes = 64 << 20

        /// - Parameter images: the indices of the images among the entries, in order.
        init(_ path: FilePath, images: [Int]) {
            self.path = path
            self.images = images
        }

        /// Reads an image. Blocks.
        ///
        /// - Parameters:
        ///   - index: the index of the image among the entries.
        ///   - name: the name of the entry as it is stored.
        ///   - displayedName: the name for errors.
        ///   - limit: the maximum size in bytes.
        /// - Throws: errors of ``ArchiveReader``; `changed` if the archive is not what it was when it was listed.
        func read(
            _ index: Int, _ name: [UInt8], displayedName: String, limit: Int
        ) throws(TexelError) -> InputBytes {
            try state.withLock { state throws(TexelError) in
                state.taken.insert(index)
                defer {
                    if state.kept.isEmpty, state.taken.count >= images.count, state.position > images.last ?? 0 {
                        state.reader = nil
                    }
                }
                if let bytes = state.kept.removeValue(forKey: index) {
                    state.keptByteCount -= bytes.count
                    return bytes
                }
                return try read(index, name, displayedName, limit, &state)
            }
        }

        private func read(
            _ index: Int, _ name: [UInt8], _ displayedName: String, _ limit: Int, _ state: inout State
        ) throws(TexelError) -> InputBytes {
            if state.reader == nil || state.position > index {
                state.reader = try ArchiveReader(path)
                state.position = 0
            }
            let awaited = imagesBefore(index).subtracting(state.taken)
            while let header = try state.reader?.next() {
                let position = state.position
                state.position += 1
                if position == index {
                    guard header.name == name, let reader = state.reader else { break }
                    return try reader.bytes(of: header, named: displayedName, limit: limit)
                }
                // What cannot be read here fails when it is asked for.
                if awaited.contains(position), state.kept[position] == nil,
                    state.keptByteCount < Self.maximumKeptBytes,
                    let bytes = try? state.reader?.bytes(
                        of: header, named: displayedName, limit: Self.maximumKeptBytes)
                {
                    state.kept[position] = bytes
                    state.keptByteCount += bytes.count
                }
            }
            state.reader = nil
            throw .changed(path)
        }

        /// The last images before an entry.
        private func imagesBefore(_ index: Int) -> Set<Int> {
            var (low, high) = (0, images.count)
            while low < high {
                let middle = (low + high) / 2
                if images[middle] < index { low = middle + 1 } else { high = middle }
            }
            return Set(images[..<low].suffix(Self.maximumDistance))
        }
    }
#endif
