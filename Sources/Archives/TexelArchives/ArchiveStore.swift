public import SystemPackage
public import TexelBatch
import Synchronization
import TexelCodecs
public import TexelCore
import TexelPipeline

/// A new archive, which holds all results of a call: zip, or tar without compression or with gzip or zstd.
///
/// Entries have the order of the inputs, whatever the order in which results are made, so the same inputs give the same
/// bytes. If inputs are from archives, entries that are no images are copied, and so are images whose results could not
/// be made. The archive appears when it is complete, or not at all; nothing else is written to disk.
public struct ArchiveStore: OutputStore {
    /// The path of the archive.
    public let path: FilePath
    private let format: ArchiveFormat
    #if Archives
        private let current = Current()

        private final class Current: Sendable {
            let assembly = Mutex<ArchiveAssembly?>(nil)
        }
    #endif

    /// Makes a store for a new archive.
    ///
    /// - Returns: `nil` if the extension of the name is that of no archive that Texel writes.
    public init?(_ path: FilePath) {
        guard let format = ArchiveFormat(fileName: path) else { return nil }
        (self.path, self.format) = (path, format)
    }

    public var ownPaths: [FilePath] { [path] }

    public func names(of items: [InputItem], by naming: OutputNaming) -> [OutputName] {
        naming.mirrored(items, in: path)
    }

    public func claim(_ name: FilePath, for request: OutputRequest) throws(TexelError) -> (any UnfinishedOutput)? {
        if request.options.skipsExisting, FileStatus(path, followsLinks: false) != nil { return nil }
        if let refusal = refusal(for: [request.item], request.options) { throw refusal }
        #if Archives
            let assembly = current.assembly.withLock(\.self)
            try assembly?.check()
            let relative = name.relative(to: path).map { FilePath("").appending($0) } ?? name
            return UnfinishedEntry(assembly: assembly, item: request.item, name: relative)
        #else
            throw .unsupportedArchive(path)
        #endif
    }

    /// Why the archive must not be written, before any work; `nil` if it may be.
    package func refusal(for items: [InputItem], _ options: ProcessingOptions) -> TexelError? {
        guard let status = FileStatus(path, followsLinks: false), !options.skipsExisting else { return nil }
        return replacement(for: items, options).refusal(of: path, status)
    }

    private func replacement(for items: [InputItem], _ options: ProcessingOptions) -> Replacement {
        #if Archives
            let inputs = Set(items.compactMap { $0.archiveEntry?.contents.path ?? $0.filePath })
            return Replacement(overwrites: options.overwrites, except: Array(inputs))
        #else
            return Replacement(overwrites: options.overwrites, except: items)
        #endif
    }

    #if Archives
        public func begin(
            _ items: [InputItem], options: ProcessingOptions, stop: StopToken
        ) async throws(TexelError) {
            let exists = FileStatus(path, followsLinks: false) != nil
            if exists, options.skipsExisting { return }
            let replacement = replacement(for: items, options)
            let (path, format) = (path, format)
            let assembly = try await WorkerPool.files.run(bytes: 0) { () throws(TexelError) in
                try ArchiveAssembly(path, format, items, replacing: replacement, stop: stop)
            }
            current.assembly.withLock { $0 = assembly }
            assembly.start()
        }

        public func waitForRoom(forItemAt index: Int) async {
            await current.assembly.withLock(\.self)?.waitForRoom(forItemAt: index)
        }

        public func end(itemAt index: Int) { current.assembly.withLock(\.self)?.end(itemAt: index) }

        public func finish() async -> [TexelError] {
            let assembly = current.assembly.withLock { assembly in
                defer { assembly = nil }
                return assembly
            }
            return await assembly?.finish() ?? []
        }

        private struct UnfinishedEntry: UnfinishedOutput {
            /// `nil` for a dry run.
            let assembly: ArchiveAssembly?
            let item: InputItem
            let name: FilePath

            func commit(
                _ image: EncodedImage, stop: StopToken, willAppear: () -> Void
            ) throws(TexelError) -> EncodedImage {
                try assembly?.check()
                willAppear()
                assembly?.add(image.bytes, named: name, of: item)
                return image
            }
        }
    #endif
}
