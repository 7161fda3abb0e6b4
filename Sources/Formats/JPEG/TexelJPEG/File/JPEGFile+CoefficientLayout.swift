import TexelCodecs
import TexelCore
import TexelPixels

extension JPEGFile {
    /// Returns the layout of the blocks; `nil` if a sampling factor is not 1…4 (ITU-T T.81, table B.2). Waits for the
    /// number of components in the first scan.
    ///
    /// - Throws: `stopped`.
    func coefficientLayout(of frame: Frame, _ stop: StopToken?) throws(TexelError) -> CoefficientLayout? {
        guard let grid = frame.blockGrid else { return nil }
        let (all, eighth) = frame.coefficientByteCounts
        if frame.isProgressive {
            return CoefficientLayout(
                grid: grid, byteCount: all, decodingByteCount: all, eighthDecodingByteCount: eighth)
        }
        let held = try hasComponentsAfterFirstScan(frame, stop) ? all : 0
        return CoefficientLayout(
            grid: grid, byteCount: all, decodingByteCount: held, eighthDecodingByteCount: held)
    }

    /// Whether a sequential file has several scans, so that libjpeg keeps all coefficients.
    private func hasComponentsAfterFirstScan(_ frame: Frame, _ stop: StopToken?) throws(TexelError) -> Bool {
        guard try bytes.has(scanComponentCount + 1, stop), bytes[scanStart + 1] == Marker.startOfScan else {
            return false
        }
        return Int(bytes[scanComponentCount]) < frame.components.count
    }

    /// The position of the number of components in the header of the first scan.
    private var scanComponentCount: Int { scanStart + 4 }

    /// Whether all bytes that ``coefficientLayout(of:_:)`` reads have arrived.
    func holdsScanHeader(of frame: Frame) -> Bool {
        (frame.isProgressive ? scanStart : scanComponentCount) < bytes.countSoFar
    }
}

extension JPEGFile.Frame {
    private var largestFactors: (across: Int, down: Int)? {
        let factors = components.flatMap { [$0.horizontalSampling, $0.verticalSampling] }
        guard factors.allSatisfy((1...4).contains),
            let across = components.map(\.horizontalSampling).max(),
            let down = components.map(\.verticalSampling).max()
        else { return nil }
        return (across, down)
    }

    /// Whether the finest component does not have a whole number of samples for each sample of another one: three for
    /// two, for example. libjpeg cannot scale such components, and no usual encoder writes them.
    var hasFractionalSampling: Bool {
        guard let (across, down) = largestFactors else { return false }
        return components.contains { across % $0.horizontalSampling != 0 || down % $0.verticalSampling != 0 }
    }

    /// The grid on which blocks of all components begin; `nil` if a sampling factor is invalid.
    fileprivate var blockGrid: PixelSize? {
        guard let (across, down) = largestFactors else { return nil }
        // A block covers `8 * largest / factor` pixels. This is the smallest whole number of pixels in whole blocks.
        func multiple(_ factor: Int, _ largest: Int) -> Int { 8 * largest / greatestCommonDivisor(8 * largest, factor) }
        return components.reduce(into: PixelSize(width: 1, height: 1)) { grid, component in
            grid.width = leastCommonMultiple(grid.width, multiple(component.horizontalSampling, across))
            grid.height = leastCommonMultiple(grid.height, multiple(component.verticalSampling, down))
        }
    }

    /// The memory that libjpeg and Texel's decoder take for the coefficients: all of them, and those that an eighth of
    /// the size needs if scans are left out (`jpeg_dc_arrays`).
    var coefficientByteCounts: (all: Int, eighth: Int) {
        guard let (across, down) = largestFactors else { return (0, 0) }
        let (bytesOfCoefficient, bytesOfBlock) = (2, 128)
        // Of a progressive file, 64 bits for each block are kept too: which coefficients are not 0.
        let bytesOfRecord = isProgressive ? 8 : 0
        // libjpeg's arrays hold whole MCUs.
        func blocks(_ length: Int, _ factor: Int, _ largest: Int) -> Int {
            let count = (length * factor + 8 * largest - 1) / (8 * largest)
            return (count + factor - 1) / factor * factor
        }
        return components.reduce(into: (all: 0, eighth: 0)) { sum, component in
            let (horizontal, vertical) = (component.horizontalSampling, component.verticalSampling)
            let columns = blocks(width, horizontal, across)
            let count = columns * blocks(height, vertical, down)
            let own = count * (bytesOfBlock + bytesOfRecord)
            // Components with half the samples in both directions have two samples for each block across and down.
            let isHalved = across % (2 * horizontal) == 0 && down % (2 * vertical) == 0
            let largestRows = 4
            sum.all += own
            sum.eighth += isHalved ? own : count * bytesOfCoefficient + columns * largestRows * bytesOfBlock
        }
    }
}

private func leastCommonMultiple(_ a: Int, _ b: Int) -> Int { a / greatestCommonDivisor(a, b) * b }

extension CoefficientLayout {
    /// Checks the coefficients that decoding keeps, before libjpeg allocates them.
    ///
    /// - Throws: `limitExceeded`.
    func check(_ options: DecodeOptions) throws(TexelError) {
        let leavesOutScans = options.shrink == 8 && options.skipsScans
        let byteCount = leavesOutScans ? eighthDecodingByteCount : decodingByteCount
        try options.policy.limits.checkCodec(Double(byteCount))
    }
}
