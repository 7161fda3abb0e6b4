public import TexelCore

/// Reasons why an input's bytes could not be loaded.
extension TexelError {
    /// No loader in this call supports the address: its scheme is not `http` or `https`, or it was given as a file.
    public static func unsupportedURL(_ address: String) -> TexelError {
        let isWeb = address.hasPrefix("http://") || address.hasPrefix("https://")
        return TexelError(
            .invalidURL,
            isWeb
                ? "\(address) is a URL, not a file; load it with TexelHTTP's HTTPLoader (package trait HTTP)"
                : "cannot load \(address): only http and https URLs are supported",
            at: Place(input: address))
    }

    /// The text looks like an address, but is malformed.
    public static func invalidURL(_ address: String, reason: String) -> TexelError {
        TexelError(.invalidURL, "\(address) is not a valid URL: \(reason)", at: Place(input: address))
    }

    /// The caller's own rule refuses the address.
    public static func refusedURL(_ address: String) -> TexelError {
        TexelError(.refusedURL, "loading from \(address) is not allowed", at: Place(input: address))
    }

    /// The server cannot be reached.
    public static func unreachable(host: String, reason: String) -> TexelError {
        TexelError(.unreachable, "cannot reach \(host): \(reason)")
    }

    /// No bytes arrived for this long.
    public static func transferTimedOut(after duration: Duration) -> TexelError {
        TexelError(.transferTimedOut, "no data arrived for \(duration)")
    }

    /// The server answered with this status instead of an image.
    public static func status(_ status: Int) -> TexelError {
        TexelError(.status(status), "the server answered with status \(status)")
    }

    /// The server redirects more often than allowed.
    public static func tooManyRedirects(allowed: Int) -> TexelError {
        TexelError(.tooManyRedirects, "the server redirects more than \(allowed) times")
    }

    /// The server redirects to an address that is not permitted.
    public static func forbiddenRedirect(_ target: String) -> TexelError {
        TexelError(.forbiddenRedirect, "the server redirects to \(target), which is not followed")
    }

    /// The content has this media type, which is not an image.
    public static func unexpectedContentType(_ type: String) -> TexelError {
        TexelError(.unexpectedContentType, "the server sent \(type), not an image")
    }

    /// The connection ended before the announced number of bytes had arrived.
    public static func incomplete(received: Int, announced: Int?) -> TexelError {
        TexelError(
            .incomplete,
            announced.map { "only \(received) of \($0) bytes arrived" }
                ?? "the connection was closed after \(received) bytes")
    }

    /// An earlier request has consumed the bytes of the stream.
    public static var alreadyRead: TexelError {
        TexelError(.alreadyRead, "the stream has already been read; make a new source for each request")
    }

    /// The transfer failed for another reason.
    public static func transferFailed(_ reason: String) -> TexelError {
        TexelError(.transferFailed, "the transfer failed: \(reason)")
    }
}
