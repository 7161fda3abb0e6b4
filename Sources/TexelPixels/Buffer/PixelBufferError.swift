/// Why a pixel buffer could not be made or converted.
public enum PixelBufferError: Error, Sendable, Hashable, Codable {
    /// A side is zero or negative, or the bytes of such a picture cannot be counted in an `Int`.
    case invalidSize(PixelSize)
    /// A row of `width` pixels needs `width * 4` bytes, and rows must stay aligned to whole pixels.
    case invalidBytesPerRow(Int, width: Int)
    /// The address of adopted memory is not a multiple of four.
    case misaligned
    /// The array handed over holds another number of pixels than the size says.
    case pixelCountMismatch(expected: Int, actual: Int)
    /// The memory handed over is smaller than its rows need.
    case notEnoughBytes(needed: Int, available: Int)
    /// The rectangle is empty or leaves the picture.
    case rectangleOutOfBounds(PixelRectangle, PixelSize)
    /// The system refused to give this many bytes.
    case outOfMemory(byteCount: Int)
    /// The operation would make a picture that is too large to exist.
    case resultTooLarge
    /// An angle or another number is not finite, or turns the picture away from the eye.
    case invalidTransform(String)
    /// Little CMS could not read this profile or build a transform from it.
    case unusableColorProfile(String)
    /// Only pictures of one size can be compared.
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
