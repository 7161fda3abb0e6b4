import SystemPackage
import TexelCodecs
import TexelCore
import TexelPipeline

/// A source that runs a closure while it is read.
struct ActingSource: ByteSource {
    let bytes: [UInt8]
    let action: @Sendable () throws -> Void

    let name = "acting"
    let isLocal = true
    let identity = InputIdentity("acting")

    func open(limits: Limits) async throws(TexelError) -> OpenedBytes {
        let (bytes, action) = (bytes, action)
        return OpenedBytes(version: identity, count: bytes.count) { () throws(TexelError) in
            do {
                try action()
            } catch {
                throw .cannotRead("acting", error as? Errno ?? .ioError)
            }
            return InputBytes(bytes)
        }
    }
}
