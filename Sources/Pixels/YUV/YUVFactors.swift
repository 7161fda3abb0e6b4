// ITU-T H.273, table 4: luma is kr × red + kg × green + kb × blue, the colour differences are (blue − luma) / (2 −
// 2 kb) and (red − luma) / (2 − 2 kr). YCgCo differs: Cg is green / 2 − (red + blue) / 4, Co is (red − blue) / 2.

extension YUVMatrix {
    /// The weight of red.
    package var kr: Double {
        switch self {
        case .bt601: 0.299
        case .bt709: 0.2126
        case .bt2020: 0.2627
        case .smpte240m: 0.212
        case .fcc: 0.3
        case .ycgco: 0.25
        }
    }

    /// The weight of blue.
    package var kb: Double {
        switch self {
        case .bt601: 0.114
        case .bt709: 0.0722
        case .bt2020: 0.0593
        case .smpte240m: 0.087
        case .fcc: 0.11
        case .ycgco: 0.25
        }
    }

    /// The weight of green.
    package var kg: Double { 1 - kr - kb }

    /// The weights of red, green and blue.
    package var weights: [Double] { [kr, kg, kb] }

    /// The steps from the least to the largest chroma sample of 8 bits. YCgCo of the limited range is computed from RGB
    /// of the limited range (H.273, 8.3), so that its chroma has the steps of luma.
    package func chromaSteps(_ range: YUVRange) -> Double {
        switch (range, self) {
        case (.full, _): 255
        case (.limited, .ycgco): 219
        case (.limited, _): 224
        }
    }
}

/// The conversion from YUV to RGB: red = luma × Y − black + redV × V, and so on. Samples are in 8-bit steps, as are
/// results, where white is 255.
///
/// For YCgCo, U is −(Cg + Co) / 2 and V is (Co − Cg) / 2 here: green is then luma − U − V, and blue and red are luma +
/// 2 U and luma + 2 V.
struct YUVScales {
    let luma, black, redV, greenU, greenV, blueU: Double

    init(_ format: YUVFormat, _ color: YUVColor) {
        let matrix = color.matrix
        // In the limited range four 10-bit steps are one 8-bit step; in the full range 1023 corresponds to 255.
        let steps = format.bytesPerSample == 1 ? 255 : 1023.0 / 4
        let chroma = 255 / (color.range == .full ? steps : matrix.chromaSteps(.limited)) * 2
        luma = 255 / (color.range == .full ? steps : 219)
        black = color.range == .full ? 0 : 16 * luma
        guard matrix != .ycgco else {
            (redV, greenU, greenV, blueU) = (chroma, -chroma / 2, -chroma / 2, chroma)
            return
        }
        redV = chroma * (1 - matrix.kr)
        greenU = -chroma * (1 - matrix.kb) * matrix.kb / matrix.kg
        greenV = -chroma * (1 - matrix.kr) * matrix.kr / matrix.kg
        blueU = chroma * (1 - matrix.kb)
    }
}

/// The same conversion in integers: factors are in 1/8192, for samples in 1/128 of an 8-bit step and results in 1/32.
package struct YUVFactors: Sendable, Hashable {
    package let luma: Int16
    /// In 1/32 of an 8-bit step, less half a step for rounding.
    package let black: Int16
    package let redV: Int16
    package let greenU: Int16
    package let greenV: Int16
    package let blueU: Int16

    package init(_ format: YUVFormat, _ color: YUVColor) {
        let scales = YUVScales(format, color)
        func factor(_ value: Double) -> Int16 { Int16((value * 8192).rounded()) }
        luma = factor(scales.luma)
        black = Int16((scales.black * 32).rounded()) - 16
        redV = factor(scales.redV)
        greenU = factor(scales.greenU)
        greenV = factor(scales.greenV)
        blueU = factor(scales.blueU)
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
        let lumaScale = color.range == .full ? 1 : 219.0 / 255
        let chromaScale = matrix.chromaSteps(color.range) / 255
        func factor(_ value: Double) -> Int16 { Int16((value * 32768).rounded()) }
        // Green gets the remainder, so that white stays white and greys have neutral chroma.
        func channels(blue: Double, red: Double, sum: Double) -> Channels {
            let (blue, red) = (factor(blue), factor(red))
            return Channels(blue: blue, green: Int16((sum * 32768).rounded() - Double(blue) - Double(red)), red: red)
        }
        luma = channels(blue: matrix.kb * lumaScale, red: matrix.kr * lumaScale, sum: lumaScale)
        if matrix == .ycgco {
            u = channels(blue: -chromaScale / 4, red: -chromaScale / 4, sum: 0)
            v = channels(blue: -chromaScale / 2, red: chromaScale / 2, sum: 0)
        } else {
            u = channels(blue: chromaScale / 2, red: -matrix.kr / (2 - 2 * matrix.kb) * chromaScale, sum: 0)
            v = channels(blue: -matrix.kb / (2 - 2 * matrix.kr) * chromaScale, red: chromaScale / 2, sum: 0)
        }
        black = (color.range == .full ? 0 : 16 << 15) + 1 << 14
    }
}
