import CPixelKernels
public import TexelCore
public import TexelPixels

/// The metric of which a difference map shows the errors.
public enum DifferenceMetric: String, Sendable, Hashable, CaseIterable {
    /// SSIMULACRA2.
    case ssimulacra2
    /// Butteraugli.
    case butteraugli
}

extension PixelBuffer {
    /// Returns an image of the same size that shows where this image differs from the original.
    ///
    /// Black is no difference, followed by violet, red, orange and pale yellow. By SSIMULACRA2, each pixel shows the
    /// score that an image would have if its errors everywhere were those around this pixel: black for 100, pale yellow
    /// for 0 and less. By Butteraugli, it shows the pixel's difference: black for 0, pale yellow for 4 and more.
    ///
    /// - Parameters:
    ///   - original: an image of the same size.
    ///   - metric: whose errors are shown.
    ///   - threads: the most threads that share the work, where the metric allows it.
    /// - Throws: `sizesDiffer`, `unusableColorProfile`, `outOfMemory`.
    public func differenceMap(
        against original: PixelBuffer, by metric: DifferenceMetric = .ssimulacra2, threads: Int = 1
    ) throws(TexelError) -> PixelBuffer {
        guard size == original.size else { throw .sizesDiffer(original.size, size) }
        let (first, second) = (try ComparisonImage(original), try ComparisonImage(self))
        let levels: DifferenceLevels
        let level: (Float) -> Double
        switch metric {
        case .ssimulacra2:
            levels = try ssimulacra2Levels(first, second)
            level = { (100 - SSIMULACRA2Score.score(distance: Double($0))) / 100 }
        case .butteraugli:
            levels = try ButteraugliReference.differences(first, second, threads: threads)
            level = { Double($0) / 4 }
        }
        let colors = (0...255).map { HeatScale.color(Float($0) / 255) }
        let pixels = (0..<height).flatMap { y in
            (0..<width).map { x in
                colors[Int(min(max(level(levels.values[y * levels.size.width + x]), 0), 1) * 255)]
            }
        }
        return try PixelBuffer(width: width, height: height, pixels: pixels, alphaMode: .opaque)
    }

    private func ssimulacra2Levels(
        _ first: ComparisonImage, _ second: ComparisonImage
    ) throws(TexelError) -> DifferenceLevels {
        let backgrounds = first.backgrounds(with: second)
        var result: DifferenceLevels?
        for background in backgrounds.values {
            let levels = try SSIMULACRA2Comparison(first, second, background: background).differences()
            result = result?.combined(with: levels, backgrounds.bestCounts ? min : max) ?? levels
        }
        return result ?? DifferenceLevels(PixelSize(width: width, height: height))
    }
}

/// The errors at each pixel of one scale.
struct DifferenceLevels {
    let size: PixelSize
    var values: [Float]

    init(_ size: PixelSize) {
        self.size = size
        values = [Float](repeating: 0, count: size.width * size.height)
    }

    func combined(with other: DifferenceLevels, _ choose: (Float, Float) -> Float) -> DifferenceLevels {
        var result = self
        for (index, value) in other.values.enumerated() { result.values[index] = choose(result.values[index], value) }
        return result
    }

    /// Adds the levels of half the size, with bilinear interpolation between the centres of its pixels.
    mutating func add(half: DifferenceLevels) {
        func neighbours(_ position: Int, _ count: Int) -> (near: Int, far: Int) {
            let near = position / 2
            return (near, min(max(position % 2 == 0 ? near - 1 : near + 1, 0), count - 1))
        }
        for y in 0..<size.height {
            let rows = neighbours(y, half.size.height)
            let (near, far) = (rows.near * half.size.width, rows.far * half.size.width)
            for x in 0..<size.width {
                let columns = neighbours(x, half.size.width)
                let nearRow = 0.75 * half.values[near + columns.near] + 0.25 * half.values[near + columns.far]
                let farRow = 0.75 * half.values[far + columns.near] + 0.25 * half.values[far + columns.far]
                values[y * size.width + x] += 0.75 * nearRow + 0.25 * farRow
            }
        }
    }
}

extension SSIMULACRA2Comparison {
    /// Computes the weighted errors around each pixel, of all scales together.
    func differences() throws(TexelError) -> DifferenceLevels {
        var levels = sizes.map { DifferenceLevels($0) }
        let weights = sizes.indices.map { scale in
            (0..<SSIMULACRA2Score.planeCount).map {
                SSIMULACRA2Score.weights(plane: $0, scale: scale, scaleCount: sizes.count)
            }
        }
        _ = try errors(of: [0, 1, 2], { false }) { scale, rows, y in
            for (index, weights) in weights[scale].enumerated() where weights.isNeeded {
                let row = y * levels[scale].size.width
                rows.plane(index).addErrors(y, weights, to: &levels[scale].values[row...])
            }
        }
        for scale in levels.indices.dropLast().reversed() { levels[scale].add(half: levels[scale + 1]) }
        return levels[0]
    }
}

extension BlurredPlane {
    /// Adds the weighted errors of the last blurred row, `y`, to `levels`, which starts at its first pixel. If all
    /// errors were equal, their mean and their peak would be equal too, so both weights are added.
    fileprivate func addErrors(_ y: Int, _ weights: SSIMULACRA2Score.PlaneWeights, to levels: inout ArraySlice<Float>) {
        let structure = Float(weights.structure.mean + weights.structure.peak)
        let newEdges = Float(weights.newEdges.mean + weights.newEdges.peak)
        let lostEdges = Float(weights.lostEdges.mean + weights.lostEdges.peak)
        let (first, second, start) = (first(y), second(y), levels.startIndex)
        let (firstMeans, secondMeans) = (means(.first), means(.second))
        for x in 0..<width {
            let edge = SSIMULACRA2Error.edge(first[x], mean: firstMeans[x], second[x], mean: secondMeans[x])
            levels[start + x] += edge > 0 ? newEdges * edge : lostEdges * -edge
        }
        guard weights.needsStructure else { return }
        for x in 0..<width {
            let error = SSIMULACRA2Error.structure(
                means: (firstMeans[x], secondMeans[x]),
                squares: (means(.firstSquares)[x], means(.secondSquares)[x]), product: means(.products)[x])
            levels[start + x] += structure * max(error, 0)
        }
    }
}

/// Colours of evenly increasing lightness, from black through violet, red and orange to pale yellow: matplotlib's
/// "inferno" at eight points.
private enum HeatScale {
    private static let stops: [(red: Float, green: Float, blue: Float)] = [
        (0, 0, 4), (40, 11, 84), (101, 21, 110), (159, 42, 99), (212, 72, 66), (245, 125, 21), (250, 193, 39),
        (252, 255, 164),
    ]

    /// Returns the opaque pixel for a level.
    ///
    /// - Parameter level: 0…1.
    static func color(_ level: Float) -> UInt32 {
        let position = level * Float(stops.count - 1)
        let index = min(Int(position), stops.count - 2)
        let (low, high, part) = (stops[index], stops[index + 1], position - Float(index))
        func mixed(_ low: Float, _ high: Float) -> UInt32 { UInt32((low + part * (high - low)).rounded()) }
        return 0xFF00_0000 | mixed(low.red, high.red) << 16 | mixed(low.green, high.green) << 8
            | mixed(low.blue, high.blue)
    }
}
