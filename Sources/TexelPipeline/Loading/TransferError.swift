/// Why bytes did not arrive from where they were asked for.
public enum TransferError: Error, Sendable, Hashable {
    /// An address that nothing in this call can load: its scheme is not `http` or `https`, or it was given as a file.
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
    /// The bytes of a stream were read by an earlier request.
    case alreadyRead
    /// The transfer failed for this reason.
    case failed(String)
}

extension TransferError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unsupportedAddress(let address) where address.hasPrefix("http://") || address.hasPrefix("https://"):
            "\(address) is an address, not a file; load it with TexelHTTP's HTTPLoader, which needs the package trait HTTP"
        case .unsupportedAddress(let address): "Texel cannot load from \(address), only from http and https addresses"
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
        case .alreadyRead: "the stream was read before, and can be read only once; make a new source for each request"
        case .failed(let reason): "the bytes stopped coming: \(reason)"
        }
    }
}
