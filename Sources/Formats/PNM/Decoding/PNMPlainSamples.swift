import TexelCodecs
import TexelCore
import TexelPixels

/// Samples as decimal numbers between white space, with comments. The digits of bits need no white space.
final class PNMPlainSamples: PNMSampleReader {
    private let header: PNMHeader
    private let bytes: InputBytes
    private let stop: StopToken?
    private let dithers: Bool
    private var rowsRead = 0
    private var memory: LargeMemory?
    private var position: Int
    /// The end of the bytes that may be read before the stop token is polled and more bytes are waited for.
    private var available = 0

    /// White space and comments have any length, so the number of rows does not bound the work between two polls.
    private static let bytesBetweenPolls = 1 << 20
    private(set) var hasExcess = false

    init(_ header: PNMHeader, in bytes: InputBytes, _ options: DecodeOptions) {
        (self.header, self.bytes, stop) = (header, bytes, options.stop)
        dithers = header.dithers(options)
        position = header.raster
    }

    func row() throws(TexelError) -> UnsafeBufferPointer<UInt8>? {
        let memory = if let memory { memory } else { try LargeMemory.row(of: header) }
        self.memory = memory
        let row = memory.samples(of: header)
        for index in row.indices {
            if header.isBitmap {
                guard let sample = try bit() else { return nil }
                row[index] = sample
            } else {
                guard let sample = try number() else { return nil }
                row[index] =
                    dithers ? header.dithered(sample, index: index, row: rowsRead) : header.scaled(sample)
            }
        }
        rowsRead += 1
        return UnsafeBufferPointer(row)
    }

    /// Returns the next byte without consuming it; `nil` at the end of the file.
    private func peek() throws(TexelError) -> UInt8? {
        if position >= available {
            try stop?.check()
            available = min(try bytes.wait(for: position + 1, stop), position + Self.bytesBetweenPolls)
            guard position < available else { return nil }
        }
        // The address is not `nil`, because the file has bytes, and this one has arrived.
        return bytes.base?[position]
    }

    /// Returns the first byte of the next sample without consuming it; `nil` at the end of the file.
    private func beginning() throws(TexelError) -> UInt8? {
        var isComment = false
        while let byte = try peek() {
            if byte == UInt8(ascii: "#") { isComment = true }
            if !isComment, !byte.isSpace { return byte }
            if byte.endsLine { isComment = false }
            position += 1
        }
        return nil
    }

    private func bit() throws(TexelError) -> UInt8? {
        guard let byte = try beginning() else { return nil }
        guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else {
            throw .ppm(.corrupt("a sample is not 0 or 1"))
        }
        position += 1
        return byte == UInt8(ascii: "0") ? 255 : 0
    }

    private func number() throws(TexelError) -> Int? {
        guard var byte = try beginning() else { return nil }
        guard byte.isDigit else { throw .ppm(.corrupt("a sample is not a number")) }
        var value = 0
        while byte.isDigit {
            // Larger than every maxval, so that no number of digits overflows.
            value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 65_536)
            position += 1
            guard let next = try peek() else { break }
            byte = next
        }
        if value > header.maximum { hasExcess = true }
        return value
    }
}
