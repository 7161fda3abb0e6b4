/// An error in creating or converting a pixel buffer.
public enum PixelBufferError: Error, Sendable, Hashable, Codable {
    /// A side is not positive, or the number of bytes overflows an `Int`.
    case invalidSize(PixelSize)
    /// The distance between rows is less than `width * 4` bytes, or not a multiple of four.
    case invalidBytesPerRow(Int, width: Int)
    /// The address of adopted memory is not a multiple of four.
    case misaligned
    /// The array does not hold as many pixels as the size requires.
    case pixelCountMismatch(expected: Int, actual: Int)
    /// The memory is smaller than its rows.
    case notEnoughBytes(needed: Int, available: Int)
    /// The rectangle is empty or not inside the image.
    case rectangleOutOfBounds(PixelRectangle, PixelSize)
    /// The system could not allocate this many bytes; 0 if Little CMS could not allocate memory.
    case outOfMemory(byteCount: Int)
    /// The result would exceed the pixel limit or the largest possible size.
    case resultTooLarge
    /// An angle, a scale or a source region is not valid; the text says why.
    case invalidTransform(String)
    /// Little CMS cannot read this profile or build a transform from it.
    case unusableColorProfile(String)
    /// Only images of the same size can be compared.
    case sizesDiffer(PixelSize, PixelSize)
}

extension PixelBufferError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidSize(let size):
            "a picture of \(size) pixels cannot be made"
        case .invalidBytesPerRow(let bytes, let width):
            "\(bytes) bytes a row do not hold \(width) whole pixels"
        case .misaligned:
            "the pixels' address is not a multiple of four"
        case .pixelCountMismatch(let expected, let actual):
            "\(expected) pixels are needed, \(actual) were given"
        case .notEnoughBytes(let needed, let available):
            "\(needed) bytes are needed, \(available) were given"
        case .rectangleOutOfBounds(let rectangle, let size):
            "the rectangle \(rectangle) is not inside the picture of \(size) pixels"
        case .outOfMemory(let byteCount):
            "the system has no \(byteCount) bytes left"
        case .resultTooLarge:
            "the result would be too large"
        case .invalidTransform(let reason):
            reason
        case .unusableColorProfile(let reason):
            "the colour profile cannot be used: \(reason)"
        case .sizesDiffer(let first, let second):
            "pictures of \(first) and \(second) pixels cannot be compared; scale one to the other's size"
        }
    }
}
