#if HTTP
    public import TexelPipeline

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// An address of the schemes `http` and `https`, in the one spelling that equal addresses share (RFC 3986,
    /// section 6.2.2).
    ///
    /// Scheme and host are in lower case, the scheme's own port and the fragment are gone, dot segments are resolved, and
    /// exactly those characters are percent-encoded that must be.
    public struct HTTPAddress: Sendable, Hashable {
        public let isSecure: Bool
        /// A name, or the digits of an IPv4 or IPv6 address without brackets.
        public let host: String
        public let port: Int
        /// Percent-encoded; begins with a slash.
        public let path: String
        /// Percent-encoded, without the question mark.
        public let query: String?

        /// - Throws: `transfer(.unsupportedAddress)` for other schemes, `transfer(.invalidAddress)`.
        public init(_ text: String) throws(PipelineError) {
            func invalid(_ reason: String, of text: String = text) -> PipelineError {
                .transfer(.invalidAddress(text, reason: reason))
            }
            guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                throw invalid("it holds control characters", of: "the text")
            }
            guard let schemeEnd = text.firstRange(of: "://") else { throw .transfer(.unsupportedAddress(text)) }
            switch text[..<schemeEnd.lowerBound].lowercased() {
            case "http": isSecure = false
            case "https": isSecure = true
            default: throw .transfer(.unsupportedAddress(text))
            }

            let rest = text[schemeEnd.upperBound...].prefix { $0 != "#" }
            let authority = rest.prefix { !"/?\\".contains($0) }
            if authority.contains("@") {
                // The reason tells no password.
                throw invalid("names and passwords belong into a header", of: "an address with a name before its host")
            }
            let portStart: Substring.Index
            if authority.hasPrefix("[") {
                guard let close = authority.firstIndex(of: "]"),
                    let host = Self.internetAddress(
                        String(authority[authority.index(after: authority.startIndex)..<close]))
                else { throw invalid("between brackets stands no IPv6 address") }
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
                else { throw invalid("\(portText) is no port") }
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

        /// Scheme, host and port.
        var origin: String {
            let isOwnPort = port == (isSecure ? 443 : 80)
            let host = self.host.contains(":") ? "[\(self.host)]" : self.host
            return "\(isSecure ? "https" : "http")://\(host)\(isOwnPort ? "" : ":\(port)")"
        }

        /// The canonical spelling of an IPv6 address; `nil` for everything else.
        private static func internetAddress(_ text: String) -> String? {
            var address = in6_addr()
            guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
            var spelling = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard inet_ntop(AF_INET6, &address, &spelling, socklen_t(INET6_ADDRSTRLEN)) != nil else { return nil }
            return String(decoding: spelling.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        /// What is wrong with a host's name (RFC 1123, section 2.1; underscores are seen in the wild).
        private static func fault(ofName host: String) -> String? {
            if host.isEmpty { return "it names no host" }
            guard host.utf8.allSatisfy({ $0 < 0x80 }) else {
                return "write its host in ASCII, as xn--…"
            }
            let isPlain = host.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || "-._".utf8.contains($0)
            }
            guard isPlain else { return "a host's name has only letters, digits, hyphens and dots" }
            let labels = (host.hasSuffix(".") ? host.dropLast() : host[...])
                .split(separator: ".", omittingEmptySubsequences: false)
            guard host.utf8.count <= 254, labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else {
                return "the parts of a host's name have 1 to 63 letters, together at most 253"
            }
            return nil
        }

        /// RFC 3986, section 5.2.4; the path of an address always begins with a slash.
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
        /// What a reference means that was found at this address (RFC 3986, section 5.2).
        ///
        /// - Throws: as the initialiser does.
        func resolving(_ reference: String) throws(PipelineError) -> HTTPAddress {
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
