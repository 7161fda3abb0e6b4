import TexelPixels

/// Some consecutive rows of an image, in bands of one height; only the last band of the image may be lower.
struct PNGRowWindow: Sendable {
    /// The size of the whole image.
    let size: PixelSize
    private let bandHeight: Int
    private var firstBand = 0
    private var bands: [PixelBuffer] = []
    /// The number of the image's rows that were appended.
    private(set) var end = 0

    init(_ size: PixelSize, bandHeight: Int) {
        (self.size, self.bandHeight) = (size, bandHeight)
    }

    /// The rows.
    var rows: Range<Int> { firstBand * bandHeight..<end }

    mutating func append(_ band: PixelBuffer) {
        precondition(band.width == size.width && end % bandHeight == 0, "bands follow each other without gaps")
        bands.append(band)
        end += band.height
    }

    /// Frees the bands before a row.
    mutating func release(before row: Int) {
        let count = min(max(0, row / bandHeight - firstBand), bands.count)
        bands.removeFirst(count)
        firstBand += count
    }

    /// Calls `body` with the band that holds row `y`, and the row's number in the band.
    func withBand<Value>(of y: Int, _ body: (_ band: PixelBuffer, _ y: Int) -> Value) -> Value {
        precondition(rows.contains(y), "row \(y) is not in the window")
        return body(bands[y / bandHeight - firstBand], y % bandHeight)
    }
}
