/// Simple reference implementations of the kernels of `CPixelKernels`.
///
/// Tests require every kernel at every CPU level to give the same bytes. Pixels are BGRA, four samples each.
package enum ScalarKernels {
    /// Output pixel `i` is computed from the pixels of `source` from `starts[i]` on; `limit` is 255 or 32767.
    ///
    /// - Parameter channels: the samples per pixel: four, or one in a plane.
    @_specialize(where Sample == UInt8)
    @_specialize(where Sample == Int16)
    package static func resampleHorizontal<Sample: FixedWidthInteger>(
        _ source: [Sample], channels: Int = 4, starts: [Int32], weights: [Int16], taps: Int, shift: Int, limit: Int
    ) -> [Sample] {
        starts.indices.flatMap { x in
            (0..<channels).map { channel in
                let sum = (0..<taps).reduce(0) { sum, tap in
                    sum + Int(source[(Int(starts[x]) + tap) * channels + channel]) * Int(weights[x * taps + tap])
                }
                return rounded(sum, shift: shift, limit: limit)
            }
        }
    }

    /// Sample `i` of the output is computed from sample `i` of every row.
    @_specialize(where Sample == UInt8)
    @_specialize(where Sample == Int16)
    package static func resampleVertical<Sample: FixedWidthInteger>(
        _ rows: [[Sample]], weights: [Int16], shift: Int, limit: Int
    ) -> [Sample] {
        (rows.first ?? []).indices.map { x in
            let sum = zip(rows, weights).reduce(0) { $0 + Int($1.0[x]) * Int($1.1) }
            return rounded(sum, shift: shift, limit: limit)
        }
    }

    /// Returns the columns of a plane as rows.
    package static func transpose(_ plane: [UInt8], width: Int) -> [UInt8] {
        (0..<width).flatMap { x in stride(from: x, to: plane.count, by: width).map { plane[$0] } }
    }

    private static func rounded<Sample: FixedWidthInteger>(_ sum: Int, shift: Int, limit: Int) -> Sample {
        Sample(min(max((sum + 1 << (shift - 1)) >> shift, 0), limit))
    }

    package static func premultiply(_ row: [UInt8]) -> [UInt8] {
        mapColors(of: row) { color, alpha in (color * alpha + 127) / 255 }
    }

    package static func unpremultiply(_ row: [UInt8]) -> [UInt8] {
        mapColors(of: row) { color, alpha in alpha == 0 ? 0 : min(255, (color * 255 + alpha / 2) / alpha) }
    }

    package static func limitToAlpha(_ row: [UInt8]) -> [UInt8] {
        mapColors(of: row) { color, alpha in min(color, alpha) }
    }

    package static func flatten(_ row: [UInt8], background: UInt32, isPremultiplied: Bool) -> [UInt8] {
        row.indices.map { index in
            if index % 4 == 3 { return 255 }
            let (color, alpha) = (Int(row[index]), Int(row[index | 3]))
            let light = isPremultiplied ? min(color, alpha) * 255 : color * alpha
            let below = Int(background >> UInt32(index % 4 * 8) & 255)
            return UInt8((light + below * (255 - alpha) + 127) / 255)
        }
    }

    private static func mapColors(of row: [UInt8], _ transform: (_ color: Int, _ alpha: Int) -> Int) -> [UInt8] {
        row.indices.map { index in
            index % 4 == 3 ? row[index] : UInt8(transform(Int(row[index]), Int(row[index | 3])))
        }
    }

    package static func linearise(_ row: [UInt8], curve: [UInt16]) -> [Int16] {
        row.indices.map { index in
            let alpha = Int(row[index | 3])
            let light = index % 4 == 3 ? 32767 : Int(curve[Int(row[index])])
            return Int16((light * alpha + 127) / 255)
        }
    }

    package static func delinearise(_ row: [Int16], curve: [UInt8]) -> [UInt8] {
        row.indices.map { index in
            let alpha = Int(row[index | 3])
            if index % 4 == 3 { return UInt8((alpha * 255 + 16383) / 32767) }
            return alpha == 0 ? curve[0] : curve[min(32767, (Int(row[index]) * 32767 + alpha / 2) / alpha)]
        }
    }
}
