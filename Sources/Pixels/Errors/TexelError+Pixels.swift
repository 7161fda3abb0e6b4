public import TexelCore

extension TexelError {
    /// A side is not positive, or the number of bytes overflows an `Int`.
    public static func invalidSize(_ size: PixelSize) -> TexelError {
        TexelError(.invalidArgument, "an image cannot have a size of \(size) pixels")
    }

    /// The distance between rows is less than `width * 4` bytes, or not a multiple of four.
    public static func invalidBytesPerRow(_ bytes: Int, width: Int) -> TexelError {
        TexelError(
            .invalidArgument, "the stride of \(bytes) bytes is too small for \(width) pixels or not a multiple of 4")
    }

    /// The address of adopted memory is not a multiple of four.
    public static var misaligned: TexelError {
        TexelError(.invalidArgument, "the address of the pixels is not a multiple of 4")
    }

    /// The array does not hold as many pixels as the size requires.
    public static func pixelCountMismatch(expected: Int, actual: Int) -> TexelError {
        TexelError(.invalidArgument, "the image requires \(expected) pixels, but \(actual) were given")
    }

    /// The memory is smaller than its rows.
    public static func notEnoughBytes(needed: Int, available: Int) -> TexelError {
        TexelError(.invalidArgument, "the image requires \(needed) bytes, but \(available) were given")
    }

    /// The rectangle is empty or not inside the image.
    public static func rectangleOutOfBounds(_ rectangle: PixelRectangle, _ size: PixelSize) -> TexelError {
        TexelError(.invalidArgument, "the rectangle \(rectangle) is not inside the image of \(size) pixels")
    }

    /// The result would exceed the pixel limit or the largest possible size.
    public static var resultTooLarge: TexelError { TexelError(.resultTooLarge, "the result would be too large") }

    /// An angle, a scale or a source region is not valid; the text says why.
    public static func invalidTransform(_ reason: String) -> TexelError { TexelError(.invalidArgument, reason) }

    /// Little CMS cannot read this profile or build a transform from it.
    public static func unusableColorProfile(_ reason: String) -> TexelError {
        TexelError(.unusableColorProfile, "cannot use the colour profile: \(reason)")
    }

    /// Only images of the same size can be compared.
    public static func sizesDiffer(_ first: PixelSize, _ second: PixelSize) -> TexelError {
        TexelError(
            .sizesDiffer,
            "cannot compare images of \(first) and \(second) pixels; resize one to the size of the other")
    }

    /// The size of an operation's result is not known before the pixels are, so frames of a stream cannot have it; the
    /// text names the operation.
    public static func sizeDependsOnPixels(_ operation: String) -> TexelError {
        TexelError(
            .invalidArgument,
            "the size after \(operation) depends on the pixels, so frames of a stream cannot have one; use a crop")
    }
}
