/// The reason why an input's bytes could not be loaded.
public enum TransferError: Error, Sendable, Hashable {
    /// No loader in this call supports the address: its scheme is not `http` or `https`, or it was given as a file.
    case unsupportedURL(String)
    /// The text looks like an address, but is malformed.
    case invalidURL(String, reason: String)
    /// The caller's own rule refuses the address.
    case refusedURL(String)
    /// The server cannot be reached.
    case unreachable(host: String, reason: String)
    /// No bytes arrived for this long.
    case timedOut(after: Duration)
    /// The server answered with this status instead of an image.
    case status(Int)
    /// The server redirects more often than allowed.
    case tooManyRedirects(allowed: Int)
    /// The server redirects to an address that is not permitted.
    case forbiddenRedirect(String)
    /// The content has this media type, which is not an image.
    case unexpectedContentType(String)
    /// The connection ended before the announced number of bytes had arrived.
    case incomplete(received: Int, announced: Int?)
    /// An earlier request has consumed the bytes of the stream.
    case alreadyRead
    /// The transfer failed for another reason.
    case failed(String)
}

extension TransferError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unsupportedURL(let address) where address.hasPrefix("http://") || address.hasPrefix("https://"):
            "\(address) is a URL, not a file; load it with TexelHTTP's HTTPLoader (package trait HTTP)"
        case .unsupportedURL(let address): "cannot load \(address): only http and https URLs are supported"
        case .invalidURL(let address, let reason): "\(address) is not a valid URL: \(reason)"
        case .refusedURL(let address): "loading from \(address) is not allowed"
        case .unreachable(let host, let reason): "cannot reach \(host): \(reason)"
        case .timedOut(let duration): "no data arrived for \(duration)"
        case .status(let status): "the server answered with status \(status)"
        case .tooManyRedirects(let allowed): "the server redirects more than \(allowed) times"
        case .forbiddenRedirect(let target): "the server redirects to \(target), which is not followed"
        case .unexpectedContentType(let type): "the server sent \(type), not an image"
        case .incomplete(let received, let announced):
            announced.map { "only \(received) of \($0) bytes arrived" }
                ?? "the connection was closed after \(received) bytes"
        case .alreadyRead: "the stream has already been read; make a new source for each request"
        case .failed(let reason): "the transfer failed: \(reason)"
        }
    }
}
