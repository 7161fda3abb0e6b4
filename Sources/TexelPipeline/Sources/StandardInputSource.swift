package import TexelCodecs

/// Standard input. It can be read once.
package struct StandardInputSource: ByteSource {
    package let identity = InputIdentity.unique("standard input")

    package var name: String { "-" }
    package var isLocal: Bool { true }

    package init() {}

    package func open(limits: Limits) async throws(PipelineError) -> OpenedBytes {
        OpenedBytes(version: nil, count: nil) { () throws(PipelineError) in
            try InputReader.readStandardInput(limit: limits.inputBytes)
        }
    }
}
