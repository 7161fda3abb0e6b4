#if HTTP
    /// The status and header fields of a response.
    struct ResponseHead: Sendable {
        var status: Int
        /// The fields in the order received; names keep their case.
        var fields: [(name: String, value: String)]

        /// The value of the field with this lower-case name; several fields with one name are joined to a list (RFC
        /// 9110, section 5.2).
        subscript(name: String) -> String? {
            let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }

        /// The announced number of bytes; `nil` if it is missing or ambiguous.
        var contentLength: Int? {
            guard self["transfer-encoding"] == nil, let text = self["content-length"],
                text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            // A number that overflows exceeds every limit.
            return text.isEmpty ? nil : Int(text) ?? .max
        }

        /// The media type in lower case, without parameters; `nil` if it is missing.
        var contentType: String? {
            guard let text = self["content-type"] else { return nil }
            let type = text.prefix { !";, ".contains($0) }.lowercased()
            return type.isEmpty ? nil : type
        }

        /// The content coding in lower case; `nil` if there is none.
        var contentEncoding: String? {
            self["content-encoding"].map { $0.lowercased() }.flatMap { $0.isEmpty || $0 == "identity" ? nil : $0 }
        }

        /// The offset of a partial response's first byte, and the number of bytes of the whole.
        var contentRange: (start: Int, total: Int?)? {
            // bytes 1000-2999/3000
            guard let text = self["content-range"], text.lowercased().hasPrefix("bytes ") else { return nil }
            let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let start = parts[0].split(separator: "-").first.flatMap({ Int($0) }), start >= 0
            else { return nil }
            return (start, Int(parts[1]))
        }
    }
#endif
