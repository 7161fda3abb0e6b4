#if HTTP
    import TexelPipeline

    extension OriginalHead {
        /// What an answer allows to keep of it (RFC 9111); `nil` is nothing.
        ///
        /// - Parameter now: seconds since 1970.
        init?(_ head: ResponseHead, now: Int) {
            let directives = Self.directives(head["cache-control"])
            // Who asks is always the same, so only an answer that varies by everything cannot be used again.
            guard directives["no-store"] == nil, head["vary"]?.contains("*") != true else { return nil }
            let age = head["age"].flatMap { Int($0) }.map { max(0, $0) } ?? 0
            var lifetime = 0
            if directives["no-cache"] == nil {
                if let value = directives["max-age"] {
                    lifetime = Int(value) ?? 0
                } else if let expires = head["expires"].flatMap(HTTPDate.seconds) {
                    lifetime = expires - (head["date"].flatMap(HTTPDate.seconds) ?? now)
                }
            }
            // A century stands for ever, and its sum cannot overflow.
            let remaining = max(0, min(lifetime, 3_155_760_000) - min(age, 3_155_760_000))
            self.init(
                entityTag: head["etag"], lastModified: head["last-modified"], freshUntil: now + remaining,
                mustRevalidate: directives["must-revalidate"] != nil || directives["no-cache"] != nil)
            // Nothing could ever be done with the bytes.
            guard entityTag != nil || lastModified != nil || remaining > 0 else { return nil }
        }

        /// What names the version of an answer, whether or not it may be kept.
        static func validators(of head: ResponseHead) -> OriginalHead {
            OriginalHead(
                entityTag: head["etag"], lastModified: head["last-modified"], freshUntil: 0, mustRevalidate: true)
        }

        /// What a server said again about bytes that it did not send again.
        func renewed(by head: ResponseHead, now: Int) -> OriginalHead? {
            guard var renewed = OriginalHead(head, now: now) else {
                // An answer without any field of its own renews nothing; one that forbids to keep is obeyed.
                return Self.directives(head["cache-control"])["no-store"] == nil ? self : nil
            }
            renewed.entityTag = renewed.entityTag ?? entityTag
            renewed.lastModified = renewed.lastModified ?? lastModified
            return renewed
        }

        /// The fields that ask whether the bytes have changed; empty where nothing tells.
        var conditions: [(name: String, value: String)] {
            if let entityTag { return [("If-None-Match", entityTag)] }
            if let lastModified { return [("If-Modified-Since", lastModified)] }
            return []
        }

        /// What names these bytes among all that an address has ever had.
        func version(of address: HTTPAddress) -> InputIdentity? {
            (entityTag ?? lastModified).map { InputIdentity("\(address) \($0)") }
        }

        private static func directives(_ text: String?) -> [String: String] {
            var result: [String: String] = [:]
            for part in (text ?? "").lowercased().split(separator: ",") {
                let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { !" \t\"".contains($0) } }
                if let name = pair.first { result[name] = pair.count == 2 ? pair[1] : "" }
            }
            return result
        }
    }
#endif
