/// A line of a worker's input, without its newline.
struct JobLine: Sendable {
    /// The maximum length in bytes. Longer lines are refused, and never held in memory as a whole.
    static let maximumLength = 1 << 20

    /// The line number, from 1.
    let number: Int
    /// Only the first bytes if the line is too long.
    let bytes: [UInt8]
    let isTooLong: Bool
}

/// Splits a stream into lines. Blank lines are skipped, but counted; the last line needs no newline.
struct JobLineSplitter {
    private var number = 1
    private var bytes: [UInt8] = []
    private var isTooLong = false

    /// Adds bytes.
    ///
    /// - Returns: the lines that end in `chunk`.
    mutating func add(_ chunk: some Collection<UInt8>) -> [JobLine] {
        var lines: [JobLine] = []
        var rest = chunk[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end])
            if let line = finish() { lines.append(line) }
            rest = rest[rest.index(after: end)...]
        }
        append(rest)
        return lines
    }

    /// Ends the current line.
    ///
    /// - Returns: the line, unless it is blank.
    mutating func finish() -> JobLine? {
        defer {
            number += 1
            bytes = []
            isTooLong = false
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        let isBlank = bytes.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return isBlank && !isTooLong ? nil : JobLine(number: number, bytes: bytes, isTooLong: isTooLong)
    }

    private mutating func append(_ part: some Collection<UInt8>) {
        let room = JobLine.maximumLength - bytes.count
        bytes += part.prefix(room)
        if part.count > room { isTooLong = true }
    }
}
