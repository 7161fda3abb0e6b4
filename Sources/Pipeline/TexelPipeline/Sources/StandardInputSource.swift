package import TexelCodecs
package import TexelCore

/// Standard input. It can be read once.
package struct StandardInputSource: ByteSource, PatientSource {
    package let identity = InputIdentity.unique("standard input")
    private let timeLimit: Duration?

    package var name: String { "-" }
    package var isLocal: Bool { true }

    /// - Parameter timeLimit: how long the bytes may take to arrive; `nil` for no limit.
    package init(timeLimit: Duration? = nil) { self.timeLimit = timeLimit }

    package func waiting(atMost timeLimit: Duration?) -> any ByteSource { StandardInputSource(timeLimit: timeLimit) }

    package func open(limits: Limits) async throws(TexelError) -> OpenedBytes {
        if let count = InputReader.standardInputCount, count > limits.inputBytes {
            throw .limitExceeded(.inputBytes, value: count, allowed: limits.inputBytes)
        }
        let delivery = StreamDelivery(timeLimit: timeLimit) { bytes, stop throws(TexelError) in
            try InputReader.readStandardInput(into: bytes, stop: stop)
        }
        return OpenedBytes(version: nil, count: nil, deliver: delivery.deliver)
    }
}
