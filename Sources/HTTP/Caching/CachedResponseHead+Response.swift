#if HTTP
    import TexelPipeline

    extension CachedResponseHead {
        /// Creates the metadata for a response that may be stored (RFC 9111); `nil` if it may not, or storing it would
        /// be useless.
        ///
        /// - Parameter now: The date in seconds since 1970.
        init?(_ head: ResponseHead, now: Int) {
            let directives = Self.directives(head["cache-control"])
            // All requests of a loader send the same fields, so `Vary` matters only if it is `*`.
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
            // Limit to a century, so that the sum cannot overflow.
            let remaining = max(0, min(lifetime, 3_155_760_000) - min(age, 3_155_760_000))
            self.init(
                entityTag: head["etag"], lastModified: head["last-modified"], freshUntil: now + remaining,
                mustRevalidate: directives["must-revalidate"] != nil || directives["no-cache"] != nil)
            // Already expired, and cannot be revalidated.
            guard entityTag != nil || lastModified != nil || remaining > 0 else { return nil }
        }

        /// The validators of a response, whether or not it may be stored.
        static func validators(of head: ResponseHead) -> CachedResponseHead {
            CachedResponseHead(
                entityTag: head["etag"], lastModified: head["last-modified"], freshUntil: 0, mustRevalidate: true)
        }

        /// Merges a 304 response into the metadata; `nil` if the original must no longer be stored.
        func renewed(by head: ResponseHead, now: Int) -> CachedResponseHead? {
            guard var renewed = CachedResponseHead(head, now: now) else {
                // A response without cache fields changes nothing; `no-store` removes the original.
                return Self.directives(head["cache-control"])["no-store"] == nil ? self : nil
            }
            renewed.entityTag = renewed.entityTag ?? entityTag
            renewed.lastModified = renewed.lastModified ?? lastModified
            return renewed
        }

        /// The request fields that ask whether the original has changed; empty if it has no validator.
        var conditions: [(name: String, value: String)] {
            if let entityTag { return [("If-None-Match", entityTag)] }
            if let lastModified { return [("If-Modified-Since", lastModified)] }
            return []
        }

        /// The identity of this version of the resource at an address; `nil` without a validator.
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
