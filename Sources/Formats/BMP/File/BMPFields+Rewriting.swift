import TexelCodecs

extension BMPFields {
    /// LCS_sRGB: "sRGB".
    private static let sRGB: UInt32 = 0x7352_4742

    /// Writes the density into a copy of the file, if its header has the fields; 0 without a density.
    func set(density: PixelDensity?, in file: inout [UInt8]) {
        guard version >= 32 else { return }
        let limit = UInt64(Int32.max)
        var (x, y): (UInt64, UInt64) = (0, 0)
        if let density, density.unit != .aspectRatio {
            x = density.rounded(density.horizontal, in: .perMetre)
            y = density.rounded(density.vertical, in: .perMetre)
            if x > limit || y > limit { (x, y) = (0, 0) }
        }
        set(24, UInt32(clamping: x), in: &file)
        set(28, UInt32(clamping: y), in: &file)
    }

    /// Declares the colours of a copy of the file as sRGB, and overwrites an embedded profile.
    ///
    /// - Parameter mayChange: whether a byte at a position after the file header can belong to a profile.
    func removeColors(from file: inout [UInt8], where mayChange: (Int) -> Bool) {
        guard colorSpaceType != nil else { return }
        if let range = profileRange, range.upperBound <= file.count {
            // The range begins after the file header.
            for position in range where mayChange(position) { file[position] = 0 }
        }
        set(56, Self.sRGB, in: &file)
        if version >= 124 {
            set(112, 0, in: &file)
            set(116, 0, in: &file)
        }
    }

    /// Writes four bytes at an offset in the bitmap header, all of which are in the file.
    private func set(_ offset: Int, _ value: UInt32, in file: inout [UInt8]) {
        for byte in 0..<4 {
            file[BMPHeader.fileHeaderSize + offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte))
        }
    }
}
