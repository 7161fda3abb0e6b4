import TexelPixels

/// Tiles spread over a large image, joined to a small one, by which a search judges it. A small image is one tile.
struct JudgedTiles {
    /// The image.
    private let whole: PixelSize
    private let tile: PixelSize
    private let columns: Int
    private let rows: Int

    /// The maximum number of pixels of all tiles together.
    static let pixelLimit = 150_000
    private static let side = 128

    init(of size: PixelSize) {
        whole = size
        guard size.pixelCount ?? .max > Self.pixelLimit else {
            (tile, columns, rows) = (size, 1, 1)
            return
        }
        tile = PixelSize(width: min(size.width, Self.side), height: min(size.height, Self.side))
        // As many columns for each row as the image's aspect ratio says.
        let count = Self.pixelLimit / (Self.side * Self.side)
        let ratio = (Double(size.width) / Double(size.height) * Double(count)).squareRoot()
        columns = max(1, min(size.width / tile.width, min(count, Int(ratio.rounded()))))
        rows = max(1, min(size.height / tile.height, count / columns))
    }

    /// The size of the joined tiles.
    var size: PixelSize { PixelSize(width: columns * tile.width, height: rows * tile.height) }

    /// The tiles, row by row. Those of a large image begin at multiples of 16, as blocks do.
    var places: [PixelRectangle] {
        func start(_ index: Int, of count: Int, _ length: Int, _ side: Int) -> Int {
            (count == 1 ? (length - side) / 2 : index * (length - side) / (count - 1)) / 16 * 16
        }
        return (0..<rows).flatMap { row in
            (0..<columns).map { column in
                PixelRectangle(
                    x: start(column, of: columns, whole.width, tile.width),
                    y: start(row, of: rows, whole.height, tile.height), width: tile.width, height: tile.height)
            }
        }
    }

    /// Returns the joined tiles.
    ///
    /// - Throws: `outOfMemory`.
    func joined(_ image: PixelBuffer) throws(PixelBufferError) -> PixelBuffer {
        if size == whole { return image }
        var result = try PixelBuffer(uninitialized: size, alphaMode: image.alphaMode, colorSpace: image.colorSpace)
        let (width, stride) = (tile.width, result.pixelsPerRow)
        result.withUnsafeMutablePixels { joined in
            image.withUnsafePixels { pixels in
                // Tiles are inside the image, and their places inside the result.
                guard let to = joined.baseAddress, let from = pixels.baseAddress else { return }
                for (index, place) in places.enumerated() {
                    let corner = index / columns * tile.height * stride + index % columns * width
                    for y in 0..<tile.height {
                        (to + corner + y * stride).update(
                            from: from + (place.y + y) * image.pixelsPerRow + place.x, count: width)
                    }
                }
            }
        }
        return result
    }
}
