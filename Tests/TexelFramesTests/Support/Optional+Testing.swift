// `#expect` and `#require` take no values that cannot be copied, as frames and leases are.

/// Something that had to be there was not.
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

    /// The value, or a failure of the test.
    consuming func orFail() throws -> Wrapped {
        switch consume self {
        case .some(let value): return value
        case .none: throw MissingValue()
        }
    }
}
