#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The error of all of Texel: what happened, where, and a sentence that says both.
///
/// ```swift
/// do {
///     image = try PixelBuffer(decoding: upload, limits: .untrusted)
/// } catch {
///     guard error.kind == .unsupported else { throw error }
///     print(error)
/// }
/// ```
public struct TexelError: Error, Sendable {
    private let content: Content

    /// One allocation, so that a function that throws returns one word.
    private final class Content: Sendable {
        let kind: Kind
        let place: Place
        let sentence: String
        let systemError: CInt?
        let underlying: (any Error)?

        init(_ kind: Kind, _ place: Place, _ sentence: String, _ systemError: CInt?, _ underlying: (any Error)?) {
            self.kind = kind
            self.place = place
            self.sentence = sentence
            self.systemError = systemError
            self.underlying = underlying
        }
    }

    /// Where something failed, as far as it is known.
    public struct Place: Sendable, Hashable, Codable {
        /// The path or the address of a file or a folder. An error about the contents of an input has none: the
        /// caller has named the input.
        public var input: String?
        /// The number of a frame that is damaged or missing, from 0.
        public var frame: Int?
        /// The first row, from 0, that is not complete.
        public var row: Int?

        /// Creates a place.
        public init(input: String? = nil, frame: Int? = nil, row: Int? = nil) {
            self.input = input
            self.frame = frame
            self.row = row
        }
    }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - kind: what happened.
    ///   - sentence: what happened, for people: in lower case, without a full stop.
    ///   - place: where it happened.
    ///   - systemError: the system's error number, if a call of the system failed.
    ///   - underlying: the error of code that is not Texel's.
    public init(
        _ kind: Kind, _ sentence: String, at place: Place = Place(), systemError: CInt? = nil,
        underlying: (any Error)? = nil
    ) {
        content = Content(kind, place, sentence, systemError, underlying)
    }

    /// What happened.
    public var kind: Kind { content.kind }

    /// Where it happened, as far as it is known.
    public var place: Place { content.place }

    /// The system's error number (`errno`), if a call of the system failed.
    public var systemError: CInt? { content.systemError }

    /// The error that the caller's own source, stream or sink threw.
    public var underlying: (any Error)? { content.underlying }
}

extension TexelError: CustomStringConvertible {
    /// What happened and where, as one sentence.
    public var description: String { content.sentence }
}

extension TexelError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension TexelError: Hashable {
    /// Errors of the caller's code are equal if they have the same type and are equal by `==`; if the type has no `==`,
    /// they are equal if they print the same.
    public static func == (left: TexelError, right: TexelError) -> Bool {
        guard left.kind == right.kind, left.place == right.place, left.systemError == right.systemError else {
            return false
        }
        if left.underlying == nil, right.underlying == nil { return left.description == right.description }
        return isEqual(left.underlying, right.underlying)
    }

    private static func isEqual(_ left: (any Error)?, _ right: (any Error)?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        guard type(of: left) == type(of: right) else { return false }
        if let left = left as? any Hashable, let right = right as? any Hashable {
            return AnyHashable(left) == AnyHashable(right)
        }
        return "\(left)" == "\(right)"
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        if underlying == nil { hasher.combine(description) }
    }
}

extension TexelError: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind
        case sentence
        case place
        case systemError
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(Kind.self, forKey: .kind), try values.decode(String.self, forKey: .sentence),
            at: try values.decode(Place.self, forKey: .place),
            systemError: try values.decodeIfPresent(CInt.self, forKey: .systemError))
    }

    /// Encodes all but ``underlying``.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(kind, forKey: .kind)
        try values.encode(description, forKey: .sentence)
        try values.encode(place, forKey: .place)
        try values.encodeIfPresent(systemError, forKey: .systemError)
    }
}
