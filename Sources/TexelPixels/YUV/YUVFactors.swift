// The factors of Rec. ITU-R BT.601-7 and BT.709-6, sections 2.5 and 3: brightness is kr × red + kg × green + kb × blue,
// the colour differences are (blue − brightness) / (2 − 2 kb) and (red − brightness) / (2 − 2 kr).

extension YUVMatrix {
    /// The weight of red.
    var kr: Double { self == .bt601 ? 0.299 : 0.2126 }
    /// The weight of blue.
    var kb: Double { self == .bt601 ? 0.114 : 0.0722 }
    /// The weight of green.
    var kg: Double { 1 - kr - kb }
}

/// How YUV becomes RGB, in whole numbers: red = luma × Y − black + redV × V, and so on.
///
/// Factors in 1/8192, for samples in 1/128 of an eight-bit step, and results in 1/32.
package struct YUVFactors: Sendable, Hashable {
    package let luma: Int16
    /// Lowered by a half of a byte's step, for rounding.
    package let black: Int16
    package let redV: Int16
    package let greenU: Int16
    package let greenV: Int16
    package let blueU: Int16

    package init(_ format: YUVFormat, _ color: YUVColor) {
        let matrix = color.matrix
        // Four steps of ten bits are one of eight, but for the full range, where 1023 is 255.
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
