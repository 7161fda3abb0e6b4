import TexelCodecs
import TexelCore

/// Reads uncompressed strips in place, row by row as they arrive.
final class TIFFUncompressedStrips: TIFFPlaneReader {
    let hasFileOrder = true
    private(set) var warning: String?
    private let context: TIFFPlaneContext
    /// A row with its bits in order, if those of the file are not.
    private let reversed: TIFFMemory?
    private var unit = 0
    /// The position of the current strip; `nil` if it is missing.
    private var start: Int?

    init(_ context: TIFFPlaneContext) throws(TexelError) {
        self.context = context
        reversed = context.layout.hasReversedBits ? try TIFFMemory(context.layout.bytesOfUnit) : nil
    }

    func next() throws(TexelError) -> UnsafePointer<UInt8>? {
        let layout = context.layout
        let (strip, row) = unit.quotientAndRemainder(dividingBy: layout.unitsOfPart)
        if row == 0 {
            start = try context.parts.range(of: strip, plane: context.plane, context.options.stop)?.lowerBound
            if start == nil, !context.isTolerant { throw .tiff(.corrupt("a strip is missing")) }
        }
        defer { unit += 1 }
        let size = layout.bytesOfUnit
        // The range of the strip does not overflow, and this is inside it.
        guard let start, case let position = start + row * size,
            try context.input.bytes.has(position + size, context.options.stop)
        else {
            if context.isTolerant {
                warning = "rows are missing"
                return nil
            }
            throw context.truncation(units: unit)
        }
        let bytes = context.input.bytes.rawBytes(position..<(position + size))
        guard let reversed else { return bytes.assumingMemoryBound(to: UInt8.self).baseAddress }
        for index in 0..<size { reversed.base[index] = bytes[index].bitsReversed }
        return UnsafePointer(reversed.base)
    }
}

extension UInt8 {
    /// The byte with its bits in reversed order.
    var bitsReversed: UInt8 {
        var (value, result) = (self, UInt8(0))
        for _ in 0..<8 {
            result = result << 1 | value & 1
            value >>= 1
        }
        return result
    }
}
