public import TexelCodecs

extension ImageInfo {
    /// Reads a file's header, and no more of the file than that needs.
    ///
    /// - Returns: what the header says, and how many bytes the whole file has.
    /// - Throws: `PipelineError`.
    public static func read(
        from item: InputItem, limits: Limits = Limits()
    ) throws(PipelineError) -> (info: ImageInfo, byteCount: Int) {
        if let head = InputReader.beginning(of: item.path, count: 128 * 1024), head.fileSize <= limits.inputBytes,
            let source = try? ImageSource(head.bytes, limits: limits), source.holdsWholeHeader
        {
            return (source.info, head.fileSize)
        }
        // A small file, a stream, a header full of metadata, or something wrong that the whole file tells better.
        let source = try ImageSource(reading: item, limits: limits)
        return (source.info, source.byteCountSoFar)
    }
}
