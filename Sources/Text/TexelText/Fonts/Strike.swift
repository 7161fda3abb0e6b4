import CFreeType
import TexelPixels

/// The bitmaps of a colour font at one of its fixed sizes (CBDT or sbix).
struct Strike {
    private let index: FT_Int
    /// The size of the text relative to that of the bitmaps.
    let factor: Double

    /// Chooses the smallest strike that is not enlarged; the largest one if all are smaller than the text.
    ///
    /// - Parameters:
    ///   - face: The font.
    ///   - size: The size of the text's em square in pixels.
    /// - Returns: `nil` if the font has no bitmaps.
    init?(of face: FT_Face, for size: Int) {
        guard let sizes = face.pointee.available_sizes else { return nil }
        let heights = UnsafeBufferPointer(start: sizes, count: max(0, Int(face.pointee.num_fixed_sizes)))
            .map { Int($0.y_ppem) }
        let sorted = heights.indices.filter { heights[$0] > 0 }.sorted { heights[$0] < heights[$1] }
        guard let index = sorted.first(where: { heights[$0] >= size << 6 }) ?? sorted.last else { return nil }
        self.index = FT_Int(index)
        factor = Double(size << 6) / Double(heights[index])
    }

    /// Makes the strike the current size of its font; returns whether that succeeded.
    func select(in face: FT_Face) -> Bool { FT_Select_Size(face, index) == 0 }

    /// Returns the place of a glyph's bitmap at the size of the text, relative to the pen on the baseline, in pixels.
    func place(of slot: FT_GlyphSlot) -> (left: Int, top: Int, size: PixelSize) {
        func scaled(_ value: some BinaryInteger) -> Int { Int((Double(value) * factor).rounded()) }
        let bitmap = slot.pointee.bitmap
        return (
            scaled(slot.pointee.bitmap_left), scaled(slot.pointee.bitmap_top),
            PixelSize(width: max(1, scaled(bitmap.width)), height: max(1, scaled(bitmap.rows)))
        )
    }

    /// Returns a glyph's bitmap at the size of the text; `nil` if it is empty or memory is short.
    func bitmap(of slot: FT_GlyphSlot) -> GlyphBitmap? {
        let (left, top, size) = place(of: slot)
        let bitmap = slot.pointee.bitmap
        guard let buffer = bitmap.buffer, bitmap.width > 0, bitmap.rows > 0,
            var image = try? PixelBuffer(
                width: Int(bitmap.width), height: Int(bitmap.rows), filledWith: 0, alphaMode: .premultiplied)
        else { return nil }
        let (width, height, pixelsPerRow) = (image.width, image.height, image.pixelsPerRow)
        image.withUnsafeMutablePixels { pixels in
            for row in 0..<height {
                // The bitmap has `rows` rows of `width` pixels, `pitch` bytes apart; with a negative pitch the bottom
                // row comes first. Each pixel is B, G, R and A, premultiplied.
                let pitch = Int(bitmap.pitch)
                let start = UnsafeRawPointer(buffer) + (pitch >= 0 ? row * pitch : (height - 1 - row) * -pitch)
                for column in 0..<width {
                    let pixel = start.loadUnaligned(fromByteOffset: 4 * column, as: UInt32.self)
                    pixels[row * pixelsPerRow + column] = UInt32(littleEndian: pixel)
                }
            }
        }
        return (try? image.resized(to: size)).map { GlyphBitmap($0, left: left, top: top) }
    }
}
