extension PixelOperation: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Writes an object with one key, the operation's name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(value, forKey: Name(stringValue: type(of: value).name))
    }

    /// Reads an object whose only key is the name of a registered operation.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        guard container.allKeys.count == 1, let key = container.allKeys.first,
            let type = OperationRegistry.shared.type(named: key.stringValue)
        else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: container.codingPath, debugDescription: "not one known operation"))
        }
        value = try container.decode(type, forKey: key)
    }
}
