package import TexelCore

/// The bytes of an encoded file: in memory or, if there are many, in a file that has no name yet.
package enum EncodedBytes: Sendable {
    case memory([UInt8])
    case file(any OutputFile)

    /// The number of bytes.
    package var count: Int {
        switch self {
        case .memory(let bytes): bytes.count
        case .file(let file): file.count
        }
    }

    /// The bytes in memory, read from the file if necessary; empty if that is not possible.
    package var inMemory: [UInt8] {
        switch self {
        case .memory(let bytes): bytes
        case .file(let file): file.contents(0..<file.count)
        }
    }

    /// Returns some of the bytes; none if they cannot be read.
    package func bytes(_ range: Range<Int>) -> [UInt8] {
        switch self {
        case .memory(let bytes): Array(bytes[range])
        case .file(let file): file.contents(range)
        }
    }
}

/// As the bytes in memory.
extension EncodedBytes: Codable {
    package init(from decoder: any Decoder) throws { self = .memory(try [UInt8](from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try inMemory.encode(to: encoder) }
}

/// A file for an output that is too large for memory. It is removed with the last reference to it, unless it gets a
/// name.
package protocol OutputFile: AnyObject, Sendable {
    /// The number of bytes written.
    var count: Int { get }

    /// - Throws: `stopped(.outputFailed)`.
    func append(_ bytes: UnsafeRawBufferPointer) throws(TexelError)

    /// Reads bytes that were written; returns none if that is not possible.
    func contents(_ range: Range<Int>) -> [UInt8]
}

/// Where the bytes of an output go when there are too many for memory.
package struct OutputOverflow: Sendable {
    /// The number of bytes that stay in memory.
    package let byteLimit: Int
    /// Makes the file.
    ///
    /// - Throws: `stopped(.outputFailed)`.
    package let makeFile: @Sendable () throws(TexelError) -> any OutputFile

    package init(byteLimit: Int, makeFile: @escaping @Sendable () throws(TexelError) -> any OutputFile) {
        self.byteLimit = byteLimit
        self.makeFile = makeFile
    }
}
