#if HTTP
    /// What a server says before the bytes of its answer.
    struct ResponseHead: Sendable {
        var status: Int
        /// With names in any case, in the order in which they came.
        var fields: [(name: String, value: String)]

        /// The field's value; several of one name are one list (RFC 9110, section 5.2).
        subscript(name: String) -> String? {
            let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }

        /// How many bytes are announced, where that is one clear number.
        var contentLength: Int? {
            guard self["transfer-encoding"] == nil, let text = self["content-length"],
                text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            // More than an integer holds is more than any limit.
            return text.isEmpty ? nil : Int(text) ?? .max
        }

        /// The media type in lower case, without parameters.
        var contentType: String? {
            guard let text = self["content-type"] else { return nil }
            let type = text.prefix { !";, ".contains($0) }.lowercased()
            return type.isEmpty ? nil : type
        }

        /// How the bytes were packed on their way, where they were.
        var contentEncoding: String? {
            self["content-encoding"].map { $0.lowercased() }.flatMap { $0.isEmpty || $0 == "identity" ? nil : $0 }
        }

        /// Where the bytes of a partial answer begin, and how many there are of all.
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
