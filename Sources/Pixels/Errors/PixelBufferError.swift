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
    /// A parameter of an operation has a value that is not allowed: its name, its value, and what is allowed.
    case invalidParameter(String, value: String, allowed: String)
    /// The size of an operation's result is not known before the pixels are, so frames of a stream cannot have it; the
    /// text names the operation.
    case sizeDependsOnPixels(String)
}

extension PixelBufferError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidSize(let size):
            "an image cannot have a size of \(size) pixels"
        case .invalidBytesPerRow(let bytes, let width):
            "the stride of \(bytes) bytes is too small for \(width) pixels or not a multiple of 4"
        case .misaligned:
            "the address of the pixels is not a multiple of 4"
        case .pixelCountMismatch(let expected, let actual):
            "the image requires \(expected) pixels, but \(actual) were given"
        case .notEnoughBytes(let needed, let available):
            "the image requires \(needed) bytes, but \(available) were given"
        case .rectangleOutOfBounds(let rectangle, let size):
            "the rectangle \(rectangle) is not inside the image of \(size) pixels"
        case .outOfMemory(let byteCount):
            // The size is 0 if a library failed to allocate.
            byteCount > 0 ? "cannot allocate \(byteCount) bytes" : "out of memory"
        case .resultTooLarge:
            "the result would be too large"
        case .invalidTransform(let reason):
            reason
        case .unusableColorProfile(let reason):
            "cannot use the colour profile: \(reason)"
        case .sizesDiffer(let first, let second):
            "cannot compare images of \(first) and \(second) pixels; resize one to the size of the other"
        case .invalidParameter(let name, let value, let allowed):
            "\(name) cannot be \(value); it must be \(allowed)"
        case .sizeDependsOnPixels(let operation):
            "the size after \(operation) depends on the pixels, so frames of a stream cannot have one; use a crop"
        }
    }
}
