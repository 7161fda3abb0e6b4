import CPixelKernels
import PlatformLibc
import TexelCore
import TexelPixels

/// One of Butteraugli's Gaussian blurs: separable, cut off at 2.25 standard deviations.
struct ButteraugliBlur {
    /// The values outside of the image.
    enum Edge {
        /// Nothing: the weights inside are scaled up to a sum of one.
        case ignored
        /// The image, mirrored.
        case mirrored
    }

    let radius: Int
    let edge: Edge
    /// The weights, the centre first, with a sum of one over all taps.
    private let weights: [Float]
    /// The factors of a row's samples, with zeros up to whole vectors.
    private let scales: [Float]

    init(sigma: Double, edge: Edge, width: Int) {
        radius = Int(2.25 * sigma)
        self.edge = edge
        let half = (0...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = 2 * half.reduce(0, +) - half[0]
        weights = half.map { Float($0 / sum) }
        let multiple = Int(texel_metric_multiple)
        var scales = [Float](repeating: 0, count: (width + multiple - 1) / multiple * multiple)
        for x in 0..<width { scales[x] = Self.scale(at: x, of: width, weights, edge) }
        self.scales = scales
    }

    /// One divided by the sum of the weights inside.
    private static func scale(at place: Int, of count: Int, _ weights: [Float], _ edge: Edge) -> Float {
        let radius = weights.count - 1
        if edge == .mirrored || (place >= radius && place + radius < count) { return 1 }
        let inside = (max(0, place - radius)...min(count - 1, place + radius)).reduce(Float(0)) {
            $0 + weights[abs($1 - place)]
        }
        return 1 / inside
    }

    /// Blurs along a row, whose margins are overwritten if the edge is mirrored.
    func blurRow(_ destination: UnsafeMutablePointer<Float>, _ source: UnsafeMutablePointer<Float>, width: Int) {
        if edge == .mirrored {
            for step in 1...radius {
                source[-step] = source[Self.mirrored(-step, width)]
                source[width - 1 + step] = source[Self.mirrored(width - 1 + step, width)]
            }
        }
        texel_kernels_in_use().pointee.butteraugli.blur_row(
            destination, source, scales, width, weights, Int32(radius))
    }

    /// Blurs down to row `y` of an image with `height` rows.
    func blurDown(
        _ destination: UnsafeMutablePointer<Float>, _ rows: FloatBand, y: Int, height: Int, width: Int
    ) {
        let window = ((y - radius)...(y + radius)).map { row in
            switch edge {
            case .mirrored: UnsafePointer(rows[Self.mirrored(row, height)])
            case .ignored: (0..<height).contains(row) ? UnsafePointer(rows[row]) : rows.zeros
            }
        }
        let scale = Self.scale(at: y, of: height, weights, edge)
        let scaled = scale == 1 ? weights : weights.map { $0 * scale }
        texel_kernels_in_use().pointee.metric_window_rows(destination, window, width, scaled, Int32(radius))
    }

    private static func mirrored(_ place: Int, _ count: Int) -> Int {
        place < 0 ? -place - 1 : place >= count ? 2 * count - 1 - place : place
    }
}

/// Some rows of a plane.
struct FloatBand {
    private let rows: FloatRows
    private let capacity: Int
    /// The number of the first row.
    var first = 0

    /// - Parameter capacity: the most rows.
    /// - Throws: `outOfMemory`, `resultTooLarge`.
    init(capacity: Int, width: Int) throws(TexelError) {
        // The last row stays zero.
        rows = try FloatRows(rows: capacity + 1, width: width)
        self.capacity = capacity
    }

    /// A row by its number in the image. It is not checked.
    subscript(y: Int) -> UnsafeMutablePointer<Float> { rows[y - first] }

    /// A row of zeros.
    var zeros: UnsafePointer<Float> { UnsafePointer(rows[capacity]) }
}
