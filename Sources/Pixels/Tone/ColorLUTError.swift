/// An error in the text of a `.cube` file.
public struct ColorLUTError: Error, Sendable, Hashable {
    /// The fault.
    public enum Problem: Sendable, Hashable {
        /// A line begins with a word that is not a keyword of the format.
        case unknownKeyword(String)
        /// A keyword occurs a second time.
        case repeatedKeyword(String)
        /// A keyword follows entries of the table.
        case keywordAfterEntries(String)
        /// A value is not a finite number, or not a whole one where the format requires it.
        case notANumber(String)
        /// A line has another number of values than its keyword, or an entry, requires.
        case valueCount(expected: Int, actual: Int)
        /// The number of entries on an axis is not allowed; the largest one is given.
        case invalidSize(Int, largest: Int)
        /// The upper end of the domain is not above the lower one.
        case invalidDomain
        /// There is no size, or an entry precedes it.
        case missingSize
        /// The number of entries does not fit the size.
        case entryCount(expected: Int, actual: Int)
    }

    /// The line, from 1; that of the end if something is missing.
    public let line: Int
    /// The fault.
    public let problem: Problem
}

extension ColorLUTError: CustomStringConvertible {
    public var description: String { "line \(line): \(problem.description)" }
}

extension ColorLUTError.Problem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownKeyword(let word): "“\(word)” is not a keyword"
        case .repeatedKeyword(let word): "\(word) occurs twice"
        case .keywordAfterEntries(let word): "\(word) must precede the entries"
        case .notANumber(let text): "“\(text)” is not a valid number"
        case .valueCount(let expected, let actual): "expected \(expected) values, found \(actual)"
        case .invalidSize(let size, let largest): "the size cannot be \(size); it must be from 2 to \(largest)"
        case .invalidDomain: "the maximum of the domain must be more than its minimum"
        case .missingSize: "LUT_1D_SIZE or LUT_3D_SIZE must precede the entries"
        case .entryCount(let expected, let actual): "the table has \(actual) entries; its size requires \(expected)"
        }
    }
}
