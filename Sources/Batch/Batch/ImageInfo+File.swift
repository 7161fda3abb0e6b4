public import TexelCodecs
public import TexelCore
import TexelFormats
public import TexelPipeline

extension ImageInfo {
    /// Reads a file's header, and no more of the file than the header needs. Of an animation, all frames are found, but
    /// not decoded. Blocks until the writers of a pipe have closed it.
    ///
    /// - Returns: the header's contents, and the number of bytes of the whole file.
    /// - Throws: `TexelError`.
    public static func read(
        from item: InputItem, limits: Limits = Limits()
    ) throws(TexelError) -> (info: ImageInfo, byteCount: Int) {
        guard item.filePath != nil || item.isStandardInput else { throw .unsupportedURL(item.name) }
        if let path = item.filePath,
            let head = InputReader.beginning(of: path, count: 128 * 1024, followsLinks: item.followsLinks),
            head.fileSize <= limits.inputBytes,
            let source = try? CodecRegistry.shared.open(head.bytes, limits: limits), source.holdsWholeHeader,
            !source.info.isAnimation
        {
            return (source.info, head.fileSize)
        }
        // The file is small, is not a regular file, has much metadata or several frames, or is damaged: read all of it,
        // which also gives the better error.
        let source = try item.open(limits: limits)
        return (source.infoWithTiming(limits: limits), source.byteCountSoFar)
    }

    /// Reads the header of a file or any other input, and no more of it than the header needs. Of an animation, all
    /// frames are found, but not decoded.
    ///
    /// - Parameters:
    ///   - item: the input.
    ///   - limits: the limits on the input.
    ///   - page: the page of a file with pages, from 0; `nil` for the first, with the number of pages.
    ///   - timeout: how long the bytes of standard input, a pipe or a device may take to arrive; `nil` for no limit.
    ///   - pipeline: loads inputs that are not files, and all inputs if child processes parse their headers.
    /// - Returns: the header's contents, and the number of bytes of the whole input.
    /// - Throws: `TexelError`.
    public static func load(
        from item: InputItem, limits: Limits = Limits(), page: Int? = nil, timeout: Duration? = nil,
        pipeline: ImagePipeline = .shared
    ) async throws(TexelError) -> (info: ImageInfo, byteCount: Int) {
        if page == nil, let path = item.filePath, FileStatus(path, followsLinks: item.followsLinks)?.isRegular == true,
            pipeline.workers.isolation?.parsesHeader(of: InputReader.head(of: path)) != true
        {
            return try await WorkerPool.files.run(bytes: 0) { () throws(TexelError) in
                try read(from: item, limits: limits)
            }
        }
        return try await load(from: item.source(within: timeout), limits: limits, page: page, pipeline: pipeline)
    }
}

extension InputItem {
    /// Reads a file or standard input into memory, and opens it. Blocks until the writers of a pipe have closed it.
    ///
    /// - Throws: `TexelError`.
    public func open(limits: Limits = Limits()) throws(TexelError) -> any ImageFile {
        let bytes =
            isStandardInput
            ? try InputReader.readStandardInput(limit: limits.inputBytes)
            : try InputReader.read(path, limit: limits.inputBytes, followsLinks: followsLinks)
        return try CodecRegistry.shared.open(bytes, limits: limits)
    }
}
