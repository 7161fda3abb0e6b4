public import TexelCodecs
public import TexelPipeline

extension ImageSource {
    /// Reads a file or standard input into memory, and parses its header. Blocks until the writers of a pipe have
    /// closed it.
    ///
    /// - Throws: `PipelineError`.
    public init(reading item: InputItem, limits: Limits = Limits()) throws(PipelineError) {
        let bytes =
            item.isStandardInput
            ? try InputReader.readStandardInput(limit: limits.inputBytes)
            : try InputReader.read(item.path, limit: limits.inputBytes, followsLinks: item.followsLinks)
        do {
            try self.init(bytes, limits: limits)
        } catch {
            throw .codec(error)
        }
    }
}
