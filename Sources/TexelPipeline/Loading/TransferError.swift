/// Why bytes did not arrive from where they were asked for.
public enum TransferError: Error, Sendable, Hashable {
    /// This build cannot load from such an address.
    case unsupportedAddress(String)
    /// What looks like an address cannot be one.
    case invalidAddress(String, reason: String)
    /// The caller's own rule refuses this address.
    case refusedAddress(String)
    case unreachable(host: String, reason: String)
    /// Nothing came for this long.
    case timedOut(after: Duration)
    /// The server answered with this status instead of a picture.
    case status(Int)
    case tooManyRedirects(allowed: Int)
    /// The server redirects to where nobody shall be led.
    case forbiddenRedirect(String)
    /// The bytes are of this kind, and no picture.
    case foreignContent(String)
    /// The connection ended before the bytes that were announced had come.
    case incomplete(received: Int, announced: Int?)
    /// The stream itself failed; in its own words.
    case failed(String)
}

extension TransferError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unsupportedAddress(let address): "this build cannot load from \(address)"
        case .invalidAddress(let address, let reason): "\(address) is no address: \(reason)"
        case .refusedAddress(let address): "loading from \(address) is not allowed"
        case .unreachable(let host, let reason): "\(host) cannot be reached: \(reason)"
        case .timedOut(let duration): "nothing arrived for \(duration)"
        case .status(let status): "the server answered with status \(status)"
        case .tooManyRedirects(let allowed): "the server redirects more than \(allowed) times"
        case .forbiddenRedirect(let target): "the server redirects to \(target), which is not followed"
        case .foreignContent(let type): "the server sent \(type), which is no picture"
        case .incomplete(let received, let announced):
            announced.map { "only \(received) of \($0) bytes arrived" }
                ?? "the connection broke after \(received) bytes"
        case .failed(let reason): "the bytes stopped coming: \(reason)"
        }
    }
}
