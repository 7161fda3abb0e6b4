// `#expect` and `#require` do not accept noncopyable values, such as frames and leases.

/// Thrown for a required value that is missing.
struct MissingValue: Error {}

extension Optional where Wrapped: ~Copyable {
    var isThere: Bool {
        borrowing get {
            switch self {
            case .none: false
            case .some: true
            }
        }
    }

    /// Returns the value, or fails the test.
    consuming func orFail() throws -> Wrapped {
        switch consume self {
        case .some(let value): return value
        case .none: throw MissingValue()
        }
    }
}
