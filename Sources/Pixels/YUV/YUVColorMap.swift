package import CPixelKernels
package import TexelCore

/// The conversion of YUV to sRGB through light: of high dynamic range by the formulas of `HighDynamicRange`, of
/// standard dynamic range by primaries alone, with the curve of sRGB on both sides, so that greys keep their values.
package struct YUVColorMap {
    private let map: texel_color_map
    private let tables: LightTables

    /// Prepares a conversion; `nil` if the samples are those of sRGB.
    ///
    /// - Throws: `unusableColorProfile`.
    package init?(_ format: YUVFormat, _ color: YUVColor) throws(TexelError) {
        guard let points = color.codePoints else { return nil }
        let range = HighDynamicRange(points)
        guard range != nil || points.primaries != 1 else { return nil }
        tables = LightTables.of(range)
        let scales = YUVScales(format, color)
        func scaled(_ value: Double) -> Float { Float(value * Double(texel_map_steps) / 255) }
        // Words are in 1/128 of an 8-bit step.
        func factor(_ value: Double) -> Float { scaled(value / 128) }
        let unit = tables.compression.isEmpty ? 1 : Double(UInt16.max)
        let m = try ColorMatrix.toSRGB(from: points).factors.map { Float($0 / unit) }
        map = texel_color_map(
            luma: factor(scales.luma), black: scaled(scales.black), red_v: factor(scales.redV),
            green_u: factor(scales.greenU), green_v: factor(scales.greenV), blue_u: factor(scales.blueU),
            matrix: (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]), lines: nil, compression: nil, bytes: nil)
    }

    /// Calls `body` with the conversion in the form of the kernels; valid until it returns.
    package func withKernelMap(_ body: (UnsafePointer<texel_color_map>) -> Void) {
        tables.lines.withUnsafeBufferPointer { lines in
            tables.compression.withUnsafeBufferPointer { compression in
                LightTables.bytes.withUnsafeBufferPointer { bytes in
                    var map = map
                    map.lines = lines.baseAddress
                    map.compression = compression.isEmpty ? nil : compression.baseAddress
                    map.bytes = bytes.baseAddress
                    body(&map)
                }
            }
        }
    }
}

/// The tables of a ``YUVColorMap``; the kernels' header says what they hold.
package struct LightTables: Sendable {
    package let lines: [Float]
    package let compression: [UInt16]

    /// The tables of a high dynamic range; `nil` is the range of sRGB.
    fileprivate static func of(_ range: HighDynamicRange?) -> LightTables {
        switch range {
        case .perceptualQuantizer: perceptualQuantizer
        case .hybridLogGamma: hybridLogGamma
        case nil: standard
        }
    }

    private static let perceptualQuantizer = LightTables(.perceptualQuantizer)
    private static let hybridLogGamma = LightTables(.hybridLogGamma)
    private static let standard = LightTables(nil)

    private init(_ range: HighDynamicRange?) {
        let steps = texel_map_steps
        let light = (0...steps).map { step in
            let value = Double(step) / Double(steps)
            return range?.light(value) ?? TransferCurve.light(value)
        }
        // The last line is that of white alone.
        lines = (0...steps).flatMap { step in
            let slope = step == steps ? 0 : light[step + 1] - light[step]
            return [Float(light[step] - Double(step) * slope), Float(slope)]
        }
        let fineSteps = steps * texel_map_fine_steps
        compression =
            range.map { range in
                (0...fineSteps).map {
                    UInt16((range.compression(Double($0) / Double(fineSteps)) * Double(UInt16.max)).rounded())
                }
            } ?? []
    }

    /// The byte in the middle of each interval of light. The last one has the light 1.
    fileprivate static let bytes: [UInt8] = {
        let shift = UInt32(texel_map_light_shift)
        let (first, last) = (UInt32(texel_map_least_bits) >> shift, Float(1).bitPattern >> shift)
        return (first...last).map { place in
            let middle = Float(bitPattern: place << shift | 1 << (shift - 1))
            return TransferCurve.sample(min(Double(middle), 1))
        }
    }()
}
