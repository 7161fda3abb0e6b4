/// A line of a worker's input, without its end.
struct JobLine: Sendable {
    /// Longer ones are refused, and never in memory as a whole.
    static let maximumLength = 1 << 20

    /// Counts all lines, from 1.
    let number: Int
    /// Its beginning where it is too long.
    let bytes: [UInt8]
    let isTooLong: Bool
}

/// Cuts a stream into lines. Empty ones are left out, but counted; the last one needs no end.
struct JobLineSplitter {
    private var number = 1
    private var bytes: [UInt8] = []
    private var isTooLong = false

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

    /// - Returns: the line that was begun, if it holds anything.
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
