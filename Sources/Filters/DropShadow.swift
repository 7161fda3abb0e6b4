package import TexelCore
package import TexelPixels

/// The geometry and colour of a drop shadow, as CSS's filter `drop-shadow` defines it (Filter Effects Level 1, section
/// 6.1): the alpha of the image, blurred, moved and filled with a colour, below the image.
///
/// Further than three standard deviations from the image the shadow's alpha is less than 0.14 %, which is the integral
/// of a Gaussian from there on, and rounds to 0.
package struct DropShadow: Sendable {
    /// The blur of the image's alpha; `nil` if the edges of the shadow are sharp.
    let blur: GaussianBlur?
    /// The size of the image.
    let size: PixelSize
    /// The size of the result.
    package let canvas: PixelSize
    /// The position of the image on the canvas.
    package let place: PixelRectangle
    /// The pixels with a shadow, blurred edges and at least one transparent pixel on each side included, on the canvas.
    let shadow: PixelRectangle
    /// The image's distance from the edges of `shadow`.
    let margin: Int
    /// The colour, with the alpha of the shadow of opaque pixels.
    let color: PixelColor

    /// - Parameters:
    ///   - size: the size of the image.
    ///   - sigma: the standard deviation of the blur, half of CSS's blur radius; 0…``GaussianBlur/largestSigma``.
    ///   - offset: the position of the shadow relative to the image.
    ///   - opacity: a factor of the colour's alpha, 0…1.
    ///   - keepsSize: whether the canvas does not grow to hold all of the shadow.
    package init(
        of size: PixelSize, sigma: Double, offset: (x: Int, y: Int), color: PixelColor, opacity: Double, keepsSize: Bool
    ) {
        blur = GaussianBlur(sigma: sigma)
        self.size = size
        let reach = blur == nil ? 0 : Int((3 * sigma).rounded(.up))
        func grown(_ offset: Int) -> (before: Int, after: Int) {
            keepsSize ? (0, 0) : (max(0, reach - offset), max(0, reach + offset))
        }
        let (x, y) = (grown(offset.x), grown(offset.y))
        canvas = PixelSize(width: x.before + size.width + x.after, height: y.before + size.height + y.after)
        place = PixelRectangle(x: x.before, y: y.before, width: size.width, height: size.height)
        margin = reach + 1
        shadow = PixelRectangle(
            x: place.x + offset.x - margin, y: place.y + offset.y - margin, width: size.width + 2 * margin,
            height: size.height + 2 * margin)
        self.color = PixelColor(
            red: color.red, green: color.green, blue: color.blue,
            alpha: UInt8((Double(color.alpha) * opacity).rounded()))
    }

    /// The rows of the shadow, in its own coordinates, that rows of the canvas show.
    func shadowRows(for rows: Range<Int>) -> Range<Int> {
        let inside = rows.clamped(to: shadow.y..<(shadow.y + shadow.height))
        return (inside.lowerBound - shadow.y)..<(inside.upperBound - shadow.y)
    }

    /// The rows of the image on whose alpha rows of the shadow depend.
    func blurredRows(for shadowRows: Range<Int>) -> Range<Int> {
        guard !shadowRows.isEmpty else { return 0..<0 }
        let needed = blur?.sourceRows(for: shadowRows, of: shadow.size) ?? shadowRows
        return ((needed.lowerBound - margin)..<(needed.upperBound - margin)).clamped(to: 0..<size.height)
    }

    /// The rows of the image on which rows of the canvas depend.
    package func sourceRows(for rows: Range<Int>) -> Range<Int> {
        let inside = rows.clamped(to: place.y..<(place.y + place.height))
        let own = (inside.lowerBound - place.y)..<(inside.upperBound - place.y)
        let blurred = blurredRows(for: shadowRows(for: rows))
        if own.isEmpty { return blurred }
        if blurred.isEmpty { return own }
        return min(own.lowerBound, blurred.lowerBound)..<max(own.upperBound, blurred.upperBound)
    }
}

/// A drop shadow, prepared for images of one alpha mode. Used by one thread at a time; running it allocates nothing.
package final class DropShadowFilter {
    private let geometry: DropShadow
    private let blur: (any RowBlur)?
    private let blend: RowBlend
    /// The alpha of the image in all four bytes of each pixel, with transparent pixels around it.
    private let alpha: PixelStorage
    /// A blurred row of it.
    private let blurred: PixelStorage
    /// The pixel of the shadow for each alpha.
    private let pixels: [UInt32]

    /// Computes the tables and allocates the memory.
    ///
    /// - Throws: `resultTooLarge`, `outOfMemory`.
    package init(_ geometry: DropShadow, alphaMode: AlphaMode) throws(TexelError) {
        self.geometry = geometry
        let size = geometry.shadow.size
        blur = try geometry.blur?.makeRowBlur(for: RasterShape(size: size, alphaMode: .opaque))
        blend = RowBlend(.normal, backdrop: alphaMode == .opaque ? .straight : alphaMode, source: alphaMode)
        guard let pixelCount = size.pixelCount, pixelCount <= Int.max / PixelBuffer.bytesPerPixel else {
            throw .resultTooLarge
        }
        alpha = try PixelStorage(byteCount: pixelCount * PixelBuffer.bytesPerPixel, zeroed: true)
        blurred = try PixelStorage(byteCount: size.width * PixelBuffer.bytesPerPixel, zeroed: true)
        pixels = (0...255).map { alpha in
            var color = geometry.color
            color.alpha = UInt8((alpha * Int(color.alpha) + 127) / 255)
            return alphaMode == .premultiplied ? color.premultipliedPixel : color.pixel
        }
    }

    /// Writes rows of the result, which has straight alpha if the source is opaque.
    ///
    /// - Parameters:
    ///   - source: an image of the size. Only ``DropShadow/sourceRows(for:)`` are read.
    ///   - destination: has the size of the canvas.
    package func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
        precondition(source.size == geometry.size && destination.size == geometry.canvas, "the sizes differ")
        let (shadow, place) = (geometry.shadow, geometry.place)
        let shape = Raster(
            base: alpha.base, bytesPerRow: shadow.width * PixelBuffer.bytesPerPixel, size: shadow.size,
            alphaMode: .opaque)
        for y in geometry.blurredRows(for: geometry.shadowRows(for: rows)) {
            copyAlpha(source.pixels(y), to: shape.pixels(y + geometry.margin) + geometry.margin)
        }
        blur?.restart()
        // The columns of the canvas with a shadow.
        let columns = (shadow.x..<(shadow.x + shadow.width)).clamped(to: 0..<geometry.canvas.width)
        for y in rows {
            let row = destination.pixels(y)
            row.update(repeating: 0, count: geometry.canvas.width)
            if (shadow.y..<(shadow.y + shadow.height)).contains(y) {
                fill(row, columns, withRow: y - shadow.y, of: shape)
            }
            if (place.y..<(place.y + place.height)).contains(y) {
                blend.run(source.pixels(y - place.y), onto: row + place.x, width: place.width)
            }
        }
    }

    private func copyAlpha(_ source: UnsafePointer<UInt32>, to destination: UnsafeMutablePointer<UInt32>) {
        for x in 0..<geometry.size.width { destination[x] = (source[x] >> 24) &* 0x0101_0101 }
    }

    /// Writes the shadow to columns of a row of the canvas.
    private func fill(
        _ row: UnsafeMutablePointer<UInt32>, _ columns: Range<Int>, withRow y: Int, of shape: Raster
    ) {
        var alphas = UnsafePointer(shape.pixels(y))
        if let blur {
            blur.blur(row: y, of: shape, into: blurred.base.assumingMemoryBound(to: UInt8.self))
            alphas = UnsafePointer(blurred.base.assumingMemoryBound(to: UInt32.self))
        }
        pixels.withUnsafeBufferPointer { pixels in
            for x in columns { row[x] = pixels[Int(alphas[x - geometry.shadow.x] & 255)] }
        }
    }
}
