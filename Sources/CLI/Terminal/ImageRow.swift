import Texel

/// Images side by side, with a character's width between them.
struct ImageRow {
    let image: PixelBuffer
    private let columnsPerImage: Int

    /// - Throws: an error of scaling an image down.
    init(
        _ images: [PixelBuffer], on canvas: TerminalCanvas, background: PixelColor?
    ) throws(TexelError) {
        let count = max(1, images.count)
        // Each image begins at a character cell, so that its name can be printed above it.
        columnsPerImage = max(1, (canvas.box.width / canvas.cell.width - (count - 1)) / count)
        let room = ResizeRule(
            .box(width: columnsPerImage * canvas.cell.width, height: canvas.box.height, fit: .inside))
        let step = (columnsPerImage + 1) * canvas.cell.width
        var (width, height, small) = (1, 1, [PixelBuffer]())
        for (index, image) in images.enumerated() {
            let size = try room.plan(for: image.size).canvasSize
            small.append(try image.convertedToSRGB().resized(to: size).laid(on: background))
            (width, height) = (max(width, index * step + size.width), max(height, size.height))
        }
        var pixels = Array(repeating: UInt32(0xFF00_0000), count: width * height)
        for (index, image) in small.enumerated() {
            for y in 0..<image.height {
                let row = image.row(y)
                for x in row.indices { pixels[y * width + index * step + x] = row[x] }
            }
        }
        self.image = try PixelBuffer(width: width, height: height, pixels: pixels, alphaMode: .opaque)
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
