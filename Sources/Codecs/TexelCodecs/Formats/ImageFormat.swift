import Synchronization

/// A file format for images, identified by its name.
///
/// The constants, such as `ImageFormat.png`, are declared by the modules of their formats. A codec may add a format of
/// its own.
public struct ImageFormat: RawRepresentable, Sendable, Hashable, Codable {
    /// The name in lower case, as in options and in JSON: "png".
    public let rawValue: String

    /// Creates the format with a name in lower case, whether or not a codec for it is registered.
    public init(rawValue: String) { self.rawValue = rawValue }

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// The name for messages, as its codec writes it: "PNG", "WebP"; without a codec, the identifier in capitals.
    public var displayName: String { Self.displayNames.withLock { $0[self] } ?? rawValue.uppercased() }

    /// The names of all formats that any registry has had: errors name formats without a registry at hand.
    private static let displayNames = Mutex<[ImageFormat: String]>([:])

    /// Notes what a codec calls this format.
    func note(displayName: String) { Self.displayNames.withLock { $0[self] = displayName } }
}

extension ImageFormat: CustomStringConvertible {
    public var description: String { rawValue }
}
