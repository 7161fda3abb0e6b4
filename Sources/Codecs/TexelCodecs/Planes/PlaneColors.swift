package import CCodecShims
import TexelPixels

/// How samples become red, green and blue (ITU-T H.273, 8.3).
package struct PlaneColors {
    package let factors: texel_plane_colors

    /// - Parameter depth: the bits per sample, 8 to 12.
    /// - Returns: `nil` for matrices that are not supported, such as those with constant luminance.
    package init?(_ colors: CodedColors, depth: Int) {
        let isFull = colors.isFullRange
        let largest = Float((1 << depth) - 1)
        let unit = Float(1 << (depth - 8))
        var factors = texel_plane_colors()
        factors.black = isFull ? 0 : 16 * unit
        factors.luma = 255 / (isFull ? largest : 219 * unit)
        factors.middle = 128 * unit
        if colors.matrix == 0 {
            factors.is_identity = true
        } else {
            guard let matrix = Self.matrix(colors) else { return nil }
            let (red, blue) = (Float(matrix.kr), Float(matrix.kb))
            let green = 1 - red - blue
            let chroma = 255 / (isFull ? largest : 224 * unit)
            factors.red_v = 2 * (1 - red) * chroma
            factors.blue_u = 2 * (1 - blue) * chroma
            factors.green_u = -2 * blue * (1 - blue) / green * chroma
            factors.green_v = -2 * red * (1 - red) / green * chroma
        }
        self.factors = factors
    }

    /// Returns the matrix with the weights of luma. Unspecified means BT.601 (ISO/IEC 23000-22, 7.3.6.4).
    private static func matrix(_ colors: CodedColors) -> YUVMatrix? {
        switch colors.matrix {
        case 1: .bt709
        case 2, 5, 6: .bt601
        case 4: .fcc
        case 7: .smpte240m
        case 9: .bt2020
        // Derived from the primaries.
        case 12 where colors.primaries == 1: .bt709
        case 12 where colors.primaries == 9: .bt2020
        default: nil
        }
    }
}
