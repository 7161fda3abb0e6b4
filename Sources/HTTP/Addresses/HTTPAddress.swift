#if HTTP
    import PlatformLibc
    public import TexelCore
    import TexelPipeline

    /// An `http` or `https` URL in normalised form (RFC 3986, section 6.2.2), so that equal addresses compare equal.
    ///
    /// Scheme and host are in lower case, the default port and the fragment are removed, dot segments are resolved, and
    /// only characters that require it are percent-encoded.
    public struct HTTPAddress: Sendable, Hashable {
        /// Whether the scheme is `https`.
        public let isSecure: Bool
        /// A name, or an IPv4 or IPv6 address without brackets.
        public let host: String
        /// The port; 80 or 443 if the text gives none.
        public let port: Int
        /// Percent-encoded; begins with a slash.
        public let path: String
        /// Percent-encoded, without the question mark; `nil` if there is none.
        public let query: String?

        /// Parses and normalises an address.
        ///
        /// - Throws: `unsupportedURL` for other schemes, `invalidURL`.
        public init(_ text: String) throws(TexelError) {
            func invalid(_ reason: String, of text: String = text) -> TexelError {
                .invalidURL(text, reason: reason)
            }
            guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                throw invalid("it contains control characters", of: "the text")
            }
            guard let schemeEnd = text.firstRange(of: "://") else { throw .unsupportedURL(text) }
            switch text[..<schemeEnd.lowerBound].lowercased() {
            case "http": isSecure = false
            case "https": isSecure = true
            default: throw .unsupportedURL(text)
            }

            let rest = text[schemeEnd.upperBound...].prefix { $0 != "#" }
            let authority = rest.prefix { !"/?\\".contains($0) }
            if authority.contains("@") {
                // Do not include the password in the message.
                throw invalid("pass credentials in an Authorization header", of: "an address with a user name")
            }
            let portStart: Substring.Index
            if authority.hasPrefix("[") {
                guard let close = authority.firstIndex(of: "]"),
                    let host = Self.internetAddress(
                        String(authority[authority.index(after: authority.startIndex)..<close]))
                else { throw invalid("the text in brackets is not an IPv6 address") }
                self.host = host
                portStart = authority.index(after: close)
            } else {
                portStart = authority.firstIndex(of: ":") ?? authority.endIndex
                let host = authority[..<portStart].lowercased()
                if let reason = Self.fault(ofName: host) { throw invalid(reason) }
                self.host = host
            }
            let portText = authority[portStart...]
            if portText.isEmpty || portText == ":" {
                port = isSecure ? 443 : 80
            } else {
                let digits = portText.dropFirst()
                guard portText.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                    let port = Int(digits), (1...65_535).contains(port)
                else { throw invalid("\(portText) is not a valid port") }
                self.port = port
            }

            let target = rest[authority.endIndex...]
            let path = target.prefix { $0 != "?" }
            self.path = Self.removingDotSegments(PercentEncoding.normalised(path, keeping: PercentEncoding.path))
            query =
                path.endIndex == target.endIndex
                ? nil
                : PercentEncoding.normalised(
                    target[target.index(after: path.endIndex)...], keeping: PercentEncoding.query)
        }

        /// Scheme, host and port; the default port is omitted.
        var origin: String {
            let isOwnPort = port == (isSecure ? 443 : 80)
            let host = self.host.contains(":") ? "[\(self.host)]" : self.host
            return "\(isSecure ? "https" : "http")://\(host)\(isOwnPort ? "" : ":\(port)")"
        }

        /// The canonical form of an IPv6 address; `nil` if the text is not one.
        private static func internetAddress(_ text: String) -> String? {
            var address = in6_addr()
            guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
            var spelling = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard inet_ntop(AF_INET6, &address, &spelling, socklen_t(INET6_ADDRSTRLEN)) != nil else { return nil }
            return String(decoding: spelling.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        /// The error in a host name, if any (RFC 1123, section 2.1; underscores occur in practice and are allowed).
        private static func fault(ofName host: String) -> String? {
            if host.isEmpty { return "it has no host" }
            guard host.utf8.allSatisfy({ $0 < 0x80 }) else {
                return "the host name must be in ASCII, as xn--…"
            }
            let isPlain = host.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || "-._".utf8.contains($0)
            }
            guard isPlain else { return "a host name has only letters, digits, hyphens, underscores and dots" }
            let labels = (host.hasSuffix(".") ? host.dropLast() : host[...])
                .split(separator: ".", omittingEmptySubsequences: false)
            guard host.utf8.count <= 254, labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else {
                return "each label of a host name has 1 to 63 characters, the whole name at most 253"
            }
            return nil
        }

        /// Removes dot segments (RFC 3986, section 5.2.4). The path must begin with a slash.
        private static func removingDotSegments(_ path: String) -> String {
            var segments: [Substring] = []
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            for (index, part) in parts.enumerated() {
                let isLast = index == parts.count - 1
                switch part {
                case ".": if isLast { segments.append("") }
                case "..":
                    _ = segments.popLast()
                    if isLast { segments.append("") }
                default: segments.append(part)
                }
            }
            return "/" + segments.joined(separator: "/")
        }
    }

    extension HTTPAddress: CustomStringConvertible {
        public var description: String { origin + path + (query.map { "?" + $0 } ?? "") }
    }

    extension HTTPAddress {
        /// The decoded last component of the path, as a file name; `nil` if it is not usable as one.
        public var fileName: String? {
            let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            guard let decoded = PercentEncoding.decoded(name), !["", ".", ".."].contains(decoded),
                !decoded.unicodeScalars.contains(where: { $0 == "/" || $0.value < 0x20 || $0.value == 0x7F })
            else { return nil }
            return decoded
        }
    }

    extension HTTPAddress {
        /// Resolves a reference against this address (RFC 3986, section 5.2).
        ///
        /// - Throws: As the initialiser.
        func resolving(_ reference: String) throws(TexelError) -> HTTPAddress {
            let head = reference.prefix { !"/?#".contains($0) }
            if head.contains(":") { return try HTTPAddress(reference) }
            switch reference.first {
            case nil, "#": return self
            case "?": return try HTTPAddress(origin + path + reference)
            case "/":
                return try HTTPAddress(
                    reference.hasPrefix("//") ? (isSecure ? "https:" : "http:") + reference : origin + reference)
            default:
                let directory = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
                return try HTTPAddress(origin + directory + reference)
            }
        }
    }
#endif
