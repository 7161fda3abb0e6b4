package import TexelCore

/// A conversion of colours between two colour spaces (perceptual intent), prepared for any number of rows. Alpha is
/// unchanged. Several threads may use it at the same time.
package struct ColorConversion: Sendable {
    private enum Stage: Sendable {
        /// For each of the 256 samples a pixel that holds the result of each channel in its place.
        case table([UInt32])
        case toneMapping(ToneMapping)
        case transform(ColorTransform)
    }

    /// Carried out one after another; empty if the samples of both spaces have the same meaning.
    private let stages: [Stage]

    /// Whether no sample changes.
    package var isIdentity: Bool { stages.isEmpty }

    /// Prepares the conversion.
    ///
    /// - Parameters:
    ///   - source: the colour space of the pixels.
    ///   - target: the colour space of the result. Its profile, if it has one, must describe RGB.
    /// - Throws: `unusableColorProfile`, `outOfMemory`.
    package init(from source: ColorSpace, to target: ColorSpace) throws(TexelError) {
        guard source != target, let profile = try target.embeddableProfile() else {
            stages = source == target ? [] : try Self.stagesToSRGB(from: source)
            return
        }
        guard profile.colorModel == .rgb else { throw .unusableColorProfile("it does not describe RGB pixels") }
        if source.hasProfile, let own = try source.embeddableProfile(), own.colorModel == .rgb {
            stages = [.transform(try ColorTransform(from: own, layout: .bgra, to: profile))]
        } else {
            // High dynamic range, the narrow range and greys have ways of their own to sRGB.
            let transform = try ColorTransform(from: nil, layout: .bgra, to: profile)
            stages = try Self.stagesToSRGB(from: source) + [.transform(transform)]
        }
    }

    private static func stagesToSRGB(from source: ColorSpace) throws(TexelError) -> [Stage] {
        if case .codePoints(let points) = source {
            if !points.isFullRange, let full = points.inFullRange {
                return [.table(fullRangeTable)] + (try stagesToSRGB(from: .codePoints(full)))
            }
            if points.isHighDynamicRange { return [.toneMapping(try ToneMapping(points))] }
        }
        guard let profile = try source.embeddableProfile() else { return [] }
        switch profile.colorModel {
        case .rgb: return [.transform(try ColorTransform(from: profile, layout: .bgra))]
        case .gray: return [.table(try grayTable(profile))]
        case .cmyk, .other: throw .unusableColorProfile("it does not describe RGB or grey pixels")
        }
    }

    /// Stretches samples from 16…235 to 0…255; samples outside of the narrow range are clipped.
    private static let fullRangeTable = (0..<256).map {
        UInt32(min(max((Double($0) - 16) * 255 / 219, 0), 255).rounded()) * 0x1_0101
    }

    /// Returns the sRGB pixel of each of the 256 greys.
    private static func grayTable(_ profile: ICCProfile) throws(TexelError) -> [UInt32] {
        let transform = try ColorTransform(from: profile, layout: .gray)
        let grays = Array(UInt8.min...UInt8.max)
        var table = [UInt32](repeating: 0, count: grays.count)
        transform.convert(grays, to: &table, count: grays.count)
        return table
    }

    // MARK: Rows

    /// Converts rows.
    ///
    /// - Parameters:
    ///   - rows: the rows to write.
    ///   - source: the pixels.
    ///   - destination: memory for the result; it may be the source's.
    ///   - straightRow: made for the shape of the source; used by one thread at a time.
    package func run(
        _ rows: Range<Int>, from source: Raster, to destination: Raster, through straightRow: StraightRow
    ) {
        guard !isIdentity else { return destination.copyRows(rows, from: source) }
        straightRow.forEach(rows, from: source, to: destination) { _, from, to in
            var current = UnsafeRawPointer(from)
            for stage in stages {
                Self.run(stage, from: current, to: to, count: source.size.width)
                current = UnsafeRawPointer(to)
            }
        }
    }

    private static func run(
        _ stage: Stage, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, count: Int
    ) {
        let pixels = source.assumingMemoryBound(to: UInt32.self)
        let result = destination.assumingMemoryBound(to: UInt32.self)
        switch stage {
        case .table(let table):
            for x in 0..<count {
                let pixel = pixels[x]
                result[x] =
                    pixel & 0xFF00_0000 | table[Int(pixel >> 16 & 255)] & 0xFF_0000
                    | table[Int(pixel >> 8 & 255)] & 0xFF00 | table[Int(pixel & 255)] & 0xFF
            }
        case .toneMapping(let mapping): mapping.convert(pixels, to: result, count: count)
        case .transform(let transform): transform.convert(source, to: destination, count: count)
        }
    }
}
