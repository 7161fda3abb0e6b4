import TexelCodecs
import TexelCore
import TexelPixels

/// Where each row of run-length codes begins. With it, rows can be decoded in any order, without memory for pixels.
struct BMPRowIndex: Sendable {
    /// The first code of a row, and the pixel that it begins with.
    struct Start: Sendable {
        var position: Int
        var x: Int
    }

    /// By the number of the row in the file; `nil` for rows without a code.
    private(set) var starts: [Start?]
    /// The number of complete rows.
    private(set) var completeRows = 0
    /// Whether codes leave pixels out, which are transparent.
    private(set) var hasGaps = false
    /// Whether codes give pixels beyond the end of a row.
    private(set) var hasExcess = false
    /// The position after the last code.
    private(set) var end = 0
    /// Whether the file ends before the end of the image.
    private(set) var isTruncated = false

    private static let codesBetweenPolls = 1 << 16

    /// Reads all codes. The whole file must have arrived.
    ///
    /// - Throws: `stopped`.
    init(_ header: BMPHeader, bits: Int, in bytes: InputBytes, _ stop: StopToken?) throws(TexelError) {
        let (width, height) = (header.size.width, header.size.height)
        starts = Array(repeating: nil, count: height)
        let file = UnsafeBufferPointer(start: bytes.base, count: bytes.countSoFar)
        var runs = BMPRuns(file, bits: bits, at: min(header.pixels, file.count))
        var (x, y) = (0, 0)
        var codes = 0
        starts[0] = Start(position: runs.position, x: 0)
        reading: while y < height {
            codes += 1
            if codes % Self.codesBetweenPolls == 0 { try stop?.check() }
            guard let code = runs.next() else {
                if x >= width { completeRows = y + 1 } else { completeRows = y }
                isTruncated = completeRows < height
                break
            }
            switch code {
            case .run(let count, _), .absolute(let count, _):
                if count > width - x { hasExcess = true }
                x = min(width, x + count)
            case .endOfRow:
                if x < width { hasGaps = true }
                (x, y) = (0, y + 1)
                if y < height { starts[y] = Start(position: runs.position, x: 0) }
            case .endOfImage:
                if x < width || y < height - 1 { hasGaps = true }
                completeRows = height
                break reading
            case .move(let right, let rows):
                if rows > 0 || right > 0 { hasGaps = true }
                if right > width - x { hasExcess = true }
                (x, y) = (min(width, x + right), y + rows)
                if rows > 0, y < height { starts[y] = Start(position: runs.position, x: x) }
            }
        }
        if y >= height { completeRows = height }
        end = runs.position
        extendLifetime(bytes)
    }
}
