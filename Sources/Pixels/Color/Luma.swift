/// The brightness of a gamma-encoded pixel with the weights of ITU-R BT.601, as Pillow rounds it.
package enum Luma {
    /// Returns the luma of a straight pixel 0xAARRGGBB, 0…255; alpha is ignored.
    package static func of(_ pixel: UInt32) -> UInt8 {
        // The weights sum to 65536, so the sum is at most 255 × 65536 + 32768.
        UInt8((19595 * (pixel >> 16 & 255) + 38470 * (pixel >> 8 & 255) + 7471 * (pixel & 255) + 32768) >> 16)
    }
}
