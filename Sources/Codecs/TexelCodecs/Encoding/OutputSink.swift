package import TexelCore

/// Takes the bytes of a file while it is encoded: in memory until there are too many, then in a file.
///
/// Used by one thread at a time.
package final class OutputSink {
    private enum Store {
        case memory([UInt8])
        case file(any OutputFile)
        /// Only the number of bytes is wanted.
        case number(Int)
    }

    private var store: Store
    private let overflow: OutputOverflow?

    /// - Parameter overflow: where many bytes go; `nil` to keep all of them in memory.
    package init(_ overflow: OutputOverflow? = nil) {
        store = .memory([])
        self.overflow = overflow
    }

    private init(counting: Void) {
        store = .number(0)
        overflow = nil
    }

    /// Returns the number of bytes that `body` appends, without keeping them.
    package static func count(
        _ body: (OutputSink) throws(TexelError) -> Void
    ) throws(TexelError) -> Int {
        let sink = OutputSink(counting: ())
        try body(sink)
        return sink.count
    }

    /// The number of bytes so far.
    package var count: Int {
        switch store {
        case .memory(let bytes): bytes.count
        case .file(let file): file.count
        case .number(let count): count
        }
    }

    /// - Throws: `stopped(.outputFailed)` if the file cannot be written.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(TexelError) {
        switch store {
        case .number(let count): store = .number(count + bytes.count)
        case .file(let file): try file.append(bytes)
        case .memory(var held):
            guard let overflow, held.count + bytes.count > overflow.byteLimit else {
                // Released first, so that the array grows in place.
                store = .memory([])
                held += bytes
                store = .memory(held)
                return
            }
            let file = try overflow.makeFile()
            store = .file(file)
            try held.withUnsafeBytes { held in Result { () throws(TexelError) in try file.append(held) } }.get()
            try file.append(bytes)
        }
    }

    /// - Throws: `stopped(.outputFailed)` if the file cannot be written.
    package func append(_ bytes: [UInt8]) throws(TexelError) {
        try bytes.withUnsafeBytes { bytes in Result { () throws(TexelError) in try append(bytes) } }.get()
    }

    /// Appends a part of an input that has arrived.
    ///
    /// - Throws: `stopped(.outputFailed)` if the file cannot be written.
    package func append(_ range: Range<Int>, of input: InputBytes) throws(TexelError) {
        // Parts of a mapped file are released as soon as they are written.
        let partSize = 1 << 20
        for start in stride(from: range.lowerBound, to: range.upperBound, by: partSize) {
            try append(input.rawBytes(start..<min(start + partSize, range.upperBound)))
            if case .number = store { continue }
            input.release(before: start)
        }
        extendLifetime(input)
    }

    /// Returns the bytes. Must be called once, after the last of them.
    package func finish() -> EncodedBytes {
        switch store {
        case .memory(let bytes): .memory(bytes)
        case .file(let file): .file(file)
        case .number: .memory([])
        }
    }
}
