import TexelCodecs

/// Standard input. It can be read once.
struct StandardInputSource: ByteSource {
    let identity = InputIdentity.unique("standard input")

    var name: String { "-" }
    var isLocal: Bool { true }

    func open(limits: Limits) async throws(PipelineError) -> OpenedBytes {
        OpenedBytes(version: nil, count: nil) { () throws(PipelineError) in
            try InputReader.readStandardInput(limit: limits.inputBytes)
        }
    }
}
