import PlatformLibc
import TexelCore
import TexelPixels

/// Where edges, saturated colours and skin are in an image, on a copy of at most 32 × 32 pixels.
///
/// The scores are those of libvips' `smartcrop`, which are from J. Wagner's smartcrop.js: five times the absolute
/// Laplacian of luminance; 100 less 100 times the distance of the colour's direction from that of skin, (0.78, 0.57,
/// 0.44); and a* of CIELAB, the distance from green to red, which prefers warm colours to grass and sky. The last two
/// count in places that are not dark. The sum is blurred with a Gaussian whose standard deviation is a tenth of the
/// part's diagonal, and the part is centred at the maximum, the one nearest to the centre of the image if there are
/// several.
///
/// Scores are rounded to integers before they are added, so that the place does not depend on the machine.
final class AttentionMap {
    private let grid: CellGrid
    private let part: PixelSize
    private let alphaMode: AlphaMode
    private let resampler: RowResampler
    /// The reduced copy, a pixel for each cell.
    private let copy: PixelStorage
    /// X, Y and Z of each cell, where 100 is the luminance of white.
    private var colors: [SIMD3<Float>]
    private var scores: [Int]
    private var blurred: [Int]
    private let weights: [Int]

    init(part: PixelSize, for shape: RasterShape) throws(TexelError) {
        let grid = CellGrid(shape.size)
        self.grid = grid
        self.part = part
        alphaMode = shape.alphaMode
        resampler = try RowResampler(
            source: shape.size, target: grid.size, filter: .lanczos3, alphaMode: shape.alphaMode, rowsStay: true)
        copy = try PixelStorage(byteCount: grid.cellCount * PixelBuffer.bytesPerPixel, zeroed: false)
        colors = [SIMD3<Float>](repeating: .zero, count: grid.cellCount)
        scores = [Int](repeating: 0, count: grid.cellCount)
        blurred = scores
        let width = Double(part.width * grid.size.width) / Double(shape.size.width)
        let height = Double(part.height * grid.size.height) / Double(shape.size.height)
        let sigma = max((width * width + height * height).squareRoot() / 10, 1)
        // The exponent is at most 31² / 2; the weights are whole numbers up to 2¹⁶.
        weights = (0..<CellGrid.limit).map { Int((exp(-Double($0 * $0) / (2 * sigma * sigma)) * 65_536).rounded()) }
    }

    func rectangle(in source: Raster) -> PixelRectangle {
        reduce(source)
        score()
        let (width, height) = (grid.size.width, grid.size.height)
        Self.blur(scores, to: &blurred, weights, count: width, step: 1, lines: height, lineStep: width)
        Self.blur(blurred, to: &scores, weights, count: height, step: width, lines: width, lineStep: 1)
        var best = (score: Int.min, distance: 0, x: 0, y: 0)
        for y in 0..<grid.size.height {
            for x in 0..<grid.size.width {
                let (right, down) = (2 * x + 1 - grid.size.width, 2 * y + 1 - grid.size.height)
                let (score, distance) = (scores[y * grid.size.width + x], right * right + down * down)
                if score > best.score || score == best.score && distance < best.distance {
                    best = (score, distance, x, y)
                }
            }
        }
        return PixelRectangle(
            x: CellGrid.offset(centring: part.width, at: best.x, of: grid.size.width, in: grid.image.width),
            y: CellGrid.offset(centring: part.height, at: best.y, of: grid.size.height, in: grid.image.height),
            width: part.width, height: part.height)
    }

    /// Computes the colour of each cell, on black.
    private func reduce(_ source: Raster) {
        let raster = Raster(
            base: copy.base, bytesPerRow: grid.size.width * PixelBuffer.bytesPerPixel, size: grid.size,
            alphaMode: alphaMode)
        resampler.run(rows: 0..<grid.size.height, from: source, to: raster)
        let (pixels, lights) = (raster.pixels(0), TransferCurve.floatLights)
        for cell in 0..<grid.cellCount {
            let pixel = pixels[cell]
            let alpha = alphaMode == .straight ? pixel >> 24 : 255
            func light(_ shift: UInt32) -> Float { lights[Int(((pixel >> shift & 255) * alpha + 127) / 255)] }
            colors[cell] =
                SIMD3(41.24, 21.26, 1.93) * light(16) + SIMD3(35.76, 71.52, 11.92) * light(8)
                + SIMD3(18.05, 7.22, 95.05) * light(0)
        }
    }

    /// The direction of the colour of skin.
    private static let skin = SIMD3<Float>(0.78, 0.57, 0.44)
    /// Places of less luminance are dark.
    private static let leastLuminance: Float = 5
    /// X and Y of white.
    private static let white = SIMD2<Float>(95.05, 100)

    private func score() {
        let (width, height) = (grid.size.width, grid.size.height)
        for y in 0..<height {
            for x in 0..<width {
                func luminance(_ x: Int, _ y: Int) -> Float {
                    colors[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)].y
                }
                let color = colors[y * width + x]
                let around = luminance(x - 1, y) + luminance(x + 1, y) + luminance(x, y - 1) + luminance(x, y + 1)
                var score = 5 * abs(4 * color.y - around)
                if color.y > Self.leastLuminance { score += Self.skinScore(color) + Self.redness(color) }
                scores[y * width + x] = Int((score * 16).rounded())
            }
        }
    }

    private static func skinScore(_ color: SIMD3<Float>) -> Float {
        let difference = color / (color * color).sum().squareRoot() - skin
        return 100 - 100 * (difference * difference).sum().squareRoot()
    }

    /// Returns a* of CIELAB (CIE 15:2004).
    private static func redness(_ color: SIMD3<Float>) -> Float {
        func lightness(_ ratio: Float) -> Float {
            ratio > 216.0 / 24_389 ? Float(cbrt(Double(ratio))) : (24_389.0 / 27 * ratio + 16) / 116
        }
        return 500 * (lightness(color.x / white.x) - lightness(color.y / white.y))
    }

    /// Blurs along one axis; the scores beyond the edges are those at the edges.
    private static func blur(
        _ source: [Int], to destination: inout [Int], _ weights: [Int], count: Int, step: Int, lines: Int, lineStep: Int
    ) {
        // Scores are below 2¹⁶: at most 16 × 2000 for an edge, and 16 × 200 for the rest. Sums of 63 of them with
        // weights of up to 2¹⁶ are below 2³⁸, and those of the second pass below 2⁶⁰.
        for line in 0..<lines {
            for place in 0..<count {
                var sum = 0
                for distance in (1 - CellGrid.limit)..<CellGrid.limit {
                    let other = min(max(place + distance, 0), count - 1)
                    sum += source[line * lineStep + other * step] * weights[abs(distance)]
                }
                destination[line * lineStep + place * step] = sum
            }
        }
    }
}
