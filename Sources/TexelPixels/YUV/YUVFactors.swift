// Rec. ITU-R BT.601-7 and BT.709-6, sections 2.5 and 3: luma is kr × red + kg × green + kb × blue, the colour
// differences are (blue − luma) / (2 − 2 kb) and (red − luma) / (2 − 2 kr).

extension YUVMatrix {
    /// The weight of red.
    package var kr: Double { self == .bt601 ? 0.299 : 0.2126 }
    /// The weight of blue.
    package var kb: Double { self == .bt601 ? 0.114 : 0.0722 }
    /// The weight of green.
    package var kg: Double { 1 - kr - kb }
}

/// The conversion from YUV to RGB in integers: red = luma × Y − black + redV × V, and so on.
///
/// Factors are in 1/8192, for samples in 1/128 of an 8-bit step and results in 1/32.
package struct YUVFactors: Sendable, Hashable {
    package let luma: Int16
    /// In 1/32 of an 8-bit step, less half a step for rounding.
    package let black: Int16
    package let redV: Int16
    package let greenU: Int16
    package let greenV: Int16
    package let blueU: Int16

    package init(_ format: YUVFormat, _ color: YUVColor) {
        let matrix = color.matrix
        // In the limited range four 10-bit steps are one 8-bit step; in the full range 1023 corresponds to 255.
        let steps = format.bytesPerSample == 1 ? 255 : 1023.0 / 4
        let lumaScale = 255 / (color.range == .full ? steps : 219)
        let chromaScale = 255 / (color.range == .full ? steps : 224) * 2
        let level = color.range == .full ? 0 : 16 * lumaScale
        func factor(_ value: Double) -> Int16 { Int16((value * 8192).rounded()) }
        luma = factor(lumaScale)
        black = Int16((level * 32).rounded()) - 16
        redV = factor(chromaScale * (1 - matrix.kr))
        greenU = factor(-chromaScale * (1 - matrix.kb) * matrix.kb / matrix.kg)
        greenV = factor(-chromaScale * (1 - matrix.kr) * matrix.kr / matrix.kg)
        blueU = factor(chromaScale * (1 - matrix.kb))
    }
}

/// The conversion from RGB to YUV in integers, in 1/32,768.
package struct RGBFactors: Sendable, Hashable {
    package struct Channels: Sendable, Hashable {
        package let blue: Int16
        package let green: Int16
        package let red: Int16
    }

    package let luma: Channels
    package let u: Channels
    package let v: Channels
    /// Plus half an 8-bit step for rounding.
    package let black: Int32

    package init(_ color: YUVColor) {
        let matrix = color.matrix
        let (lumaScale, chromaScale) = color.range == .full ? (1, 1) : (219.0 / 255, 224.0 / 255)
        func factor(_ value: Double) -> Int16 { Int16((value * 32768).rounded()) }
        // Green gets the remainder, so that white stays white and greys have neutral chroma.
        func channels(blue: Double, red: Double, sum: Double) -> Channels {
            let (blue, red) = (factor(blue), factor(red))
            return Channels(blue: blue, green: Int16((sum * 32768).rounded() - Double(blue) - Double(red)), red: red)
        }
        luma = channels(blue: matrix.kb * lumaScale, red: matrix.kr * lumaScale, sum: lumaScale)
        u = channels(blue: chromaScale / 2, red: -matrix.kr / (2 - 2 * matrix.kb) * chromaScale, sum: 0)
        v = channels(blue: -matrix.kb / (2 - 2 * matrix.kr) * chromaScale, red: chromaScale / 2, sum: 0)
        black = (color.range == .full ? 0 : 16 << 15) + 1 << 14
    }
}
