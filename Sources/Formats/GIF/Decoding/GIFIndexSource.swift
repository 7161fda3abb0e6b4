import TexelCodecs
import TexelCore
import TexelPixels

/// The rows of colour indices of an image, from top to bottom.
final class GIFIndexSource {
    private let size: PixelSize
    private let decoder: LZWDecoder
    private let isInterlaced: Bool
    /// All rows of an interlaced image, once they have been decoded.
    private var memory: LargeMemory?
    /// The number of complete rows, in the order of the file.
    private(set) var rowCount = 0

    /// - Throws: `outOfMemory`.
    init(_ image: GIFFile.Image, _ bytes: InputBytes) throws(TexelError) {
        size = image.area.size
        isInterlaced = image.isInterlaced && size.height > 1
        decoder = LZWDecoder(bytes, image.data, width: size.width)
    }

    /// Why rows are missing; `nil` if bytes are missing.
    var defect: FormatDefect? { decoder.defect }

    /// Returns the indices of a row; `nil` if it is missing. Rows must be requested in order; the result is valid until
    /// the next call.
    ///
    /// - Throws: `stopped`, `outOfMemory`.
    func row(_ row: Int, stop: StopToken?) throws(TexelError) -> UnsafeBufferPointer<UInt8>? {
        guard isInterlaced else { return nextRow() }
        let memory: LargeMemory
        if let decoded = self.memory { memory = decoded } else { memory = try decodeAll(stop) }
        guard position(ofRow: row) < rowCount else { return nil }
        // The memory has `size.height` rows.
        let start = (memory.base + row * size.width).assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: size.width)
    }

    /// Returns the next complete row in the order of the file.
    private func nextRow() -> UnsafeBufferPointer<UInt8>? {
        let indices = decoder.next(size.width)
        guard indices.count == size.width else { return nil }
        rowCount += 1
        return indices
    }

    /// Whether the file has all rows of the image, including those that were not requested.
    private func hasAllRows(_ stop: StopToken?) throws(TexelError) -> Bool {
        if isInterlaced {
            if memory == nil { _ = try decodeAll(stop) }
        } else {
            while rowCount < size.height, nextRow() != nil {
                if rowCount % 64 == 0 { try stop?.check() }
            }
        }
        return rowCount == size.height
    }

    /// Whether the data hold all rows and nothing else. Call after the last row that is requested.
    ///
    /// - Throws: `stopped`, `outOfMemory`.
    func isExact(_ stop: StopToken?) throws(TexelError) -> Bool { try hasAllRows(stop) && decoder.isExact }

    private func decodeAll(_ stop: StopToken?) throws(TexelError) -> LargeMemory {
        // The area has been checked against the limits, so this does not overflow.
        guard let memory = LargeMemory(byteCount: size.width * size.height) else { throw .outOfMemory }
        self.memory = memory
        for (start, step) in Self.passes {
            for row in stride(from: start, to: size.height, by: step) {
                if rowCount % 64 == 0 { try stop?.check() }
                guard let indices = nextRow(), let base = indices.baseAddress else { return memory }
                (memory.base + row * size.width).copyMemory(from: base, byteCount: size.width)
            }
        }
        return memory
    }

    /// The first row and the step of each pass (GIF89a specification, appendix E).
    private static let passes = [(start: 0, step: 8), (4, 8), (2, 4), (1, 2)]

    /// Returns the number of rows that precede a row in the file.
    private func position(ofRow row: Int) -> Int {
        var count = 0
        for (start, step) in Self.passes {
            if row % step == start { return count + row / step }
            count += (size.height - start + step - 1) / step
        }
        return count
    }
}
