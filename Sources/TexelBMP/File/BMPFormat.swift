public import TexelCodecs

extension ImageFormat {
    /// BMP, the bitmaps of Windows and OS/2.
    public static let bmp = ImageFormat(rawValue: "bmp")
}

extension CodecError {
    /// A damaged BMP file.
    public static func bmp(_ defect: FormatDefect) -> CodecError { .damaged(.bmp, defect) }
}

extension InputBytes {
    /// Reads two bytes. The caller has checked that they have arrived.
    func littleEndian16(at position: Int) -> Int { Int(self[position]) | Int(self[position + 1]) << 8 }

    /// Reads four bytes. The caller has checked that they have arrived.
    func littleEndian32(at position: Int) -> UInt32 {
        UInt32(littleEndian16(at: position)) | UInt32(littleEndian16(at: position + 2)) << 16
    }

    /// Reads a signed number of four bytes. The caller has checked that they have arrived.
    func signed32(at position: Int) -> Int { Int(Int32(bitPattern: littleEndian32(at: position))) }
}
