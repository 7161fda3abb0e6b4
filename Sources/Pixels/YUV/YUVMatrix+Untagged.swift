extension YUVMatrix {
    /// The matrix of a video that does not say which it has: BT.709 from a width of 1280 or a height above 576 on, as
    /// players do, else BT.601.
    package static func untagged(_ size: PixelSize) -> YUVMatrix {
        size.width >= 1280 || size.height > 576 ? .bt709 : .bt601
    }
}
