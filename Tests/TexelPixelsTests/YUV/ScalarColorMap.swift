import CPixelKernels
import TestSupport
import TexelPixels

/// The reference of the conversion to sRGB through light, one pixel at a time.
struct ScalarColorMap {
    let map: YUVColorMap

    /// Converts a row to opaque BGRA. `u` and `v` have a word for every column; if they are empty, the row is grey.
    func bgra(luma: [UInt8], sampleBytes: Int, u: [Int16], v: [Int16]) -> [UInt8] {
        var result: [UInt8] = []
        map.withKernelMap { map in
            let map = map.pointee
            for (x, word) in ScalarYUV.widened(luma, sampleBytes: sampleBytes).enumerated() {
                let blue = u.isEmpty ? 0 : Float(u[x])
                let red = v.isEmpty ? 0 : Float(v[x])
                result += Self.pixel(luma: Float(word), blue: blue, red: red, map) + [255]
            }
        }
        return result
    }

    private static func pixel(luma: Float, blue: Float, red: Float, _ map: texel_color_map) -> [UInt8] {
        guard let lines = map.lines, let bytes = map.bytes else { return [] }
        let base = luma * map.luma - map.black
        let sums = [base + red * map.red_v, base + (blue * map.green_u + red * map.green_v), base + blue * map.blue_u]
        let channels = sums.map { min(max($0, 0), Float(texel_map_steps)) }
        var light = channels.map { lines[2 * Int($0)] + lines[2 * Int($0) + 1] * $0 }
        if let compression = map.compression {
            let largest = channels.reduce(0, max)
            let factor = Float(compression[Int(largest * Float(texel_map_fine_steps) + 0.5)])
            light = light.map { $0 * factor }
        }
        let m = map.matrix
        return [(m.6, m.7, m.8), (m.3, m.4, m.5), (m.0, m.1, m.2)].map { row in
            let sum = light[0] * row.0 + light[1] * row.1 + light[2] * row.2
            let bits = min(max(sum, Float(bitPattern: UInt32(texel_map_least_bits))), 1).bitPattern
            return bytes[Int((bits - UInt32(texel_map_least_bits)) >> UInt32(texel_map_light_shift))]
        }
    }
}
