import CPixelKernels

/// A three-dimensional table of colours, prepared for rows of pixels.
///
/// A colour is interpolated between four of the eight entries around it: a step along each axis, in the order of the
/// fractions, leads from the lowest to the highest entry (tetrahedral interpolation: Kasson, Nin, Plouffe and Hafner,
/// "Performing color space conversions with three-dimensional linear interpolation", Journal of Electronic Imaging
/// 4(3), 1995; the default of FFmpeg's `lut3d`). Greys then only depend on the greys of the table.
package final class ColorCube: Sendable {
    private let places: [UInt64]
    private let entries: [Int16]

    /// - Parameter table: a cube.
    package init(_ table: ColorLUT) {
        precondition(table.shape == .cube, "the table has curves")
        let one = Double(1 << texel_cube_fraction_bits)
        let size = table.size
        places = [(2, size * size), (1, size), (0, 1)].flatMap { channel, step in
            (0...255).map { byte in
                let place = table.place(of: Double(byte) / 255, channel: channel)
                // The last entry is the next one of the last but one.
                let index = min(Int(place), size - 2)
                let fraction = UInt64(((place - Double(index)) * one).rounded())
                return UInt64(index * step) << 32 | fraction << UInt64(texel_cube_step_bits) | UInt64(step)
            }
        }
        let values = table.values
        let white = Float(texel_color_white)
        entries = [Int16](unsafeUninitializedCapacity: values.count / 3 * 4) { entries, count in
            // Values outside of 0…1 matter for what is between them and others.
            func stored(_ value: Float) -> Int16 { Int16(min(max((value * white).rounded(), -32768), 32767)) }
            values.withUnsafeBufferPointer { values in
                for entry in 0..<(values.count / 3) {
                    entries.initializeElement(at: entry * 4, to: stored(values[entry * 3 + 2]))
                    entries.initializeElement(at: entry * 4 + 1, to: stored(values[entry * 3 + 1]))
                    entries.initializeElement(at: entry * 4 + 2, to: stored(values[entry * 3]))
                    entries.initializeElement(at: entry * 4 + 3, to: 0)
                }
            }
            count = values.count / 3 * 4
        }
    }

    /// Changes the colours of a row with straight alpha or without; alpha stays.
    ///
    /// - Parameter destination: may be `source`.
    package func run(from source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, width: Int) {
        texel_kernels_in_use().pointee.cube_color_row(destination, source, width, places, entries)
    }
}
