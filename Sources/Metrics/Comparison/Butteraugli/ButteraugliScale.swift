import CPixelKernels
import TexelCore
import TexelPixels

/// Computes Butteraugli's differences between two images at one scale, for one band of rows after another. Used by one
/// thread at a time.
///
/// A band's rows depend on up to ``margin`` rows above and below, which are computed anew for each band, so that bands
/// are independent.
final class ButteraugliScale {
    /// How much more lost high frequencies count than new ones; 1 is neutral.
    static let asymmetry = 0.8

    /// The rows around a band whose light is needed.
    static let margin = 37

    let size: PixelSize
    /// The differences of the band.
    private(set) var differences: FloatBand

    /// One image, split into frequencies.
    private struct Image {
        var low: [FloatBand]
        var medium: [FloatBand]
        var high: [FloatBand]
        var highest: [FloatBand]
        /// How much the high frequencies hide.
        var activity: FloatBand
    }

    private let kernels = texel_kernels_in_use().pointee.butteraugli
    private var light: [FloatBand]
    private var images: [Image]
    private var across: [FloatBand]
    private var blurred: [FloatBand]
    private var sums: (high: FloatBand, low: FloatBand)
    /// A row for the mask, and one beyond the image, which never counts as small.
    private let extra: FloatRows

    private let adapting: ButteraugliBlur
    private let low: ButteraugliBlur
    private let medium: ButteraugliBlur
    private let high: ButteraugliBlur
    private let hiding: ButteraugliBlur

    /// - Parameters:
    ///   - size: the size of the images, at least eight pixels wide and high.
    ///   - bandHeight: the most rows of a band.
    /// - Throws: `outOfMemory`, `resultTooLarge`.
    init(_ size: PixelSize, bandHeight: Int) throws(TexelError) {
        self.size = size
        let width = size.width
        func bands(_ count: Int) throws(TexelError) -> [FloatBand] {
            var bands: [FloatBand] = []
            for _ in 0..<count { bands.append(try FloatBand(capacity: bandHeight + 2 * Self.margin, width: width)) }
            return bands
        }
        func band() throws(TexelError) -> FloatBand { try bands(1)[0] }
        func image() throws(TexelError) -> Image {
            Image(
                low: try bands(3), medium: try bands(3), high: try bands(2), highest: try bands(2),
                activity: try band())
        }
        light = try bands(3)
        across = try bands(3)
        blurred = try bands(3)
        images = [try image(), try image()]
        sums = (try band(), try band())
        differences = try band()
        extra = try FloatRows(rows: 2, width: width)
        let padding = Int(texel_metric_multiple)
        for x in -padding..<(width + padding) { extra[1][x] = .greatestFiniteMagnitude }
        adapting = ButteraugliBlur(sigma: 1.2, edge: .mirrored, width: width)
        low = ButteraugliBlur(sigma: 7.15593339443, edge: .ignored, width: width)
        medium = ButteraugliBlur(sigma: 3.22489901262, edge: .ignored, width: width)
        high = ButteraugliBlur(sigma: 1.56416327805, edge: .ignored, width: width)
        hiding = ButteraugliBlur(sigma: 2.7, edge: .ignored, width: width)
    }

    /// Computes ``differences`` for a band.
    ///
    /// - Parameter light: writes a row's linear light of the first or second image, 0 or 1: red, green and blue.
    func compare(_ band: Range<Int>, light: (_ image: Int, _ y: Int, _ channels: [FloatBand]) -> Void) {
        for index in images.indices { split(index, for: band) { light(index, $0, self.light) } }
        differences.first = band.lowerBound
        sums.high.first = band.lowerBound
        sums.low.first = band.lowerBound
        let padding = Int(texel_metric_multiple)
        for y in band {
            sums.high[y].update(repeating: 0, count: size.width + padding)
            sums.low[y].update(repeating: 0, count: size.width + padding)
        }
        addLines(band)
        addSquares(band)
        finish(band)
    }

    /// The rows of a band with some above and below.
    private func rows(_ band: Range<Int>, with margin: Int) -> Range<Int> {
        max(0, band.lowerBound - margin)..<min(size.height, band.upperBound + margin)
    }

    // MARK: Frequencies

    /// Splits an image into frequencies, around a band.
    private func split(_ index: Int, for band: Range<Int>, light write: (Int) -> Void) {
        let width = size.width
        let all = rows(band, with: Self.margin)
        for channel in 0..<3 { light[channel].first = all.lowerBound }
        for y in all { write(y) }
        var image = images[index]
        let colored = rows(band, with: Self.margin - adapting.radius)
        blur(&light, adapting, from: all, to: colored, into: &blurred)
        begin(&image.medium, colored)
        for y in colored {
            kernels.adapted_colors(pointers(image.medium, y), readable(light, y), readable(blurred, y), width)
        }
        let split = rows(band, with: Self.margin - adapting.radius - low.radius)
        blur(&image.medium, low, from: colored, to: split, into: &image.low)
        for y in split { kernels.split_low(pointers(image.low, y), pointers(image.medium, y), width) }
        let finer = rows(band, with: high.radius + hiding.radius + 3)
        blur(&image.medium, medium, from: split, to: finer, into: &blurred)
        begin(&image.high, finer)
        for y in finer {
            kernels.split_medium(pointers(image.medium, y), pointers(image.high, y), readable(blurred, y), width)
        }
        let finest = rows(band, with: hiding.radius + 3)
        blur(&image.high, high, from: finer, to: finest, into: &blurred)
        begin(&image.highest, finest)
        image.activity.first = finest.lowerBound
        for y in finest {
            kernels.split_high(pointers(image.high, y), pointers(image.highest, y), readable(blurred, y), width)
            kernels.activity(image.activity[y], readable(image.high, y), readable(image.highest, y), width)
        }
        images[index] = image
    }

    /// Blurs planes: rows `source` along the rows, then rows `result` of that down.
    private func blur(
        _ planes: inout [FloatBand], _ filter: ButteraugliBlur, from source: Range<Int>, to result: Range<Int>,
        into destinations: inout [FloatBand]
    ) {
        for (index, plane) in planes.enumerated() {
            across[index].first = source.lowerBound
            destinations[index].first = result.lowerBound
            for y in source { filter.blurRow(across[index][y], plane[y], width: size.width) }
            for y in result {
                filter.blurDown(
                    destinations[index][y], across[index], y: y, height: size.height, width: size.width)
            }
        }
    }

    private func begin(_ planes: inout [FloatBand], _ rows: Range<Int>) {
        for index in planes.indices { planes[index].first = rows.lowerBound }
    }

    private func pointers(_ planes: [FloatBand], _ y: Int) -> [UnsafeMutablePointer<Float>] { planes.map { $0[y] } }

    private func readable(_ planes: [FloatBand], _ y: Int) -> [UnsafePointer<Float>] {
        planes.map { UnsafePointer($0[y]) }
    }

    // MARK: Differences

    private func addLines(_ band: Range<Int>) {
        let (first, second) = (images[0], images[1])
        addLines(first.highest[1], second.highest[1], .highestY, isSparse: false, band)
        addLines(first.highest[0], second.highest[0], .highestX, isSparse: false, band)
        addLines(first.high[1], second.high[1], .highY, isSparse: true, band)
        addLines(first.high[0], second.high[0], .highX, isSparse: true, band)
        addLines(first.medium[1], second.medium[1], .mediumY, isSparse: true, band)
        addLines(first.medium[0], second.medium[0], .mediumX, isSparse: true, band)
    }

    private func addLines(
        _ first: FloatBand, _ second: FloatBand, _ weights: texel_line_weights, isSparse: Bool, _ band: Range<Int>
    ) {
        let needed = rows(band, with: 4)
        across[0].first = needed.lowerBound
        for y in needed {
            withUnsafePointer(to: weights) {
                kernels.weighted_differences(across[0][y], first[y], second[y], size.width, $0)
            }
        }
        for y in band {
            let window = ((y - 4)...(y + 4)).map { row in
                needed.contains(row) ? UnsafePointer(across[0][row]) : across[0].zeros
            }
            kernels.add_line_sums(sums.high[y], window, size.width, isSparse)
        }
    }

    private func addSquares(_ band: Range<Int>) {
        let (first, second) = (images[0], images[1])
        let asymmetry = Float(Self.asymmetry)
        for y in band {
            for (channel, weight) in [Float(400), 1.50815703118].enumerated() {
                kernels.add_asymmetric_squares(
                    sums.high[y], first.high[channel][y], second.high[channel][y], weight * asymmetry,
                    weight / asymmetry, size.width)
            }
            for (channel, weight) in [Float(2150), 10.6195433239, 16.2176043152].enumerated() {
                kernels.add_squares(
                    sums.high[y], first.medium[channel][y], second.medium[channel][y], weight, size.width)
            }
            for (channel, weight) in [Float(29.2353797994), 0.844626970982, 0.703646627719].enumerated() {
                kernels.add_squares(sums.low[y], first.low[channel][y], second.low[channel][y], weight, size.width)
            }
        }
    }

    /// Computes the differences from the sums and what the first image hides.
    private func finish(_ band: Range<Int>) {
        var activities = [images[0].activity, images[1].activity]
        let (source, around) = (rows(band, with: hiding.radius + 3), rows(band, with: 3))
        blur(&activities, hiding, from: source, to: around, into: &blurred)
        for y in around {
            let row = blurred[0][y]
            for step in 1...3 {
                row[-step] = .greatestFiniteMagnitude
                row[size.width - 1 + step] = .greatestFiniteMagnitude
            }
        }
        for y in band {
            let window = [y - 3, y, y + 3].map { row in
                UnsafePointer((0..<size.height).contains(row) ? blurred[0][row] : extra[1])
            }
            kernels.erode(extra[0], window, size.width)
            kernels.visible_differences(
                differences[y], extra[0], blurred[0][y], blurred[1][y], sums.high[y], sums.low[y], size.width)
        }
    }
}

extension texel_line_weights {
    fileprivate static let highestY = dense(1.10039032555, norm: 71.7800275169)
    fileprivate static let highestX = dense(173.5, norm: 5)
    fileprivate static let highY = sparse(18.7237414387, norm: 4498534.45232, asymmetry: highAsymmetry)
    fileprivate static let highX = sparse(6923.99476109, norm: 8051.15833247, asymmetry: highAsymmetry)
    fileprivate static let mediumY = sparse(37.0819870399, norm: 130262059.556, asymmetry: 1)
    fileprivate static let mediumX = sparse(8246.75321353, norm: 1009002.70582, asymmetry: 1)

    private static let highAsymmetry = ButteraugliScale.asymmetry.squareRoot()

    private static func dense(_ weight: Double, norm: Double) -> texel_line_weights {
        weights(weight, norm: norm, factor: 0.39905817637, asymmetry: ButteraugliScale.asymmetry)
    }

    private static func sparse(_ weight: Double, norm: Double, asymmetry: Double) -> texel_line_weights {
        weights(weight, norm: norm, factor: 0.611612573796, asymmetry: asymmetry)
    }

    private static func weights(
        _ weight: Double, norm: Double, factor: Double, asymmetry: Double
    ) -> texel_line_weights {
        let scale = factor * norm / (2 * 3.75 + 1)
        return texel_line_weights(
            norm: Float(norm), difference: Float(scale * (0.5 * weight * asymmetry).squareRoot()),
            deviation: Float(scale * (0.33 * weight / asymmetry).squareRoot()))
    }
}
