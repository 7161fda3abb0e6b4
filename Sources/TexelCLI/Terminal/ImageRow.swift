import Texel

/// Images side by side, with a character's width between them.
struct ImageRow {
    let picture: PixelBuffer
    private let columnsPerImage: Int

    /// - Throws: an error of scaling an image down.
    init(
        _ pictures: [PixelBuffer], on canvas: TerminalCanvas, background: PixelColor?
    ) throws(PixelBufferError) {
        let count = max(1, pictures.count)
        // Each image begins at a character cell, so that its name can be printed above it.
        columnsPerImage = max(1, (canvas.box.width / canvas.cell.width - (count - 1)) / count)
        let room = ResizeRule(
            .box(width: columnsPerImage * canvas.cell.width, height: canvas.box.height, fit: .inside))
        let step = (columnsPerImage + 1) * canvas.cell.width
        var (width, height, small) = (1, 1, [PixelBuffer]())
        for (index, picture) in pictures.enumerated() {
            let size = try room.plan(for: picture.size).canvasSize
            small.append(try picture.convertedToSRGB().resized(to: size).laid(on: background))
            (width, height) = (max(width, index * step + size.width), max(height, size.height))
        }
        var pixels = Array(repeating: UInt32(0xFF00_0000), count: width * height)
        for (index, picture) in small.enumerated() {
            for y in 0..<picture.height {
                let row = picture.row(y)
                for x in row.indices { pixels[y * width + index * step + x] = row[x] }
            }
        }
        self.picture = try PixelBuffer(width: width, height: height, pixels: pixels, alphaMode: .opaque)
    }

    /// A line with the images' names, each above its image and shortened to its width.
    func captions(_ names: [String]) -> String {
        names.enumerated().map { index, name in
            let short = String(name.suffix(columnsPerImage))
            let isLast = index == names.count - 1
            return short + (isLast ? "" : String(repeating: " ", count: columnsPerImage + 1 - short.count))
        }.joined()
    }
}
