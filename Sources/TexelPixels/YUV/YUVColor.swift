/// The meaning of YUV samples: matrix and range.
public struct YUVColor: Sendable, Hashable {
    /// The weights of red, green and blue in luma.
    public var matrix: YUVMatrix
    /// The values of black and white.
    public var range: YUVRange

    /// Creates a description of YUV samples.
    public init(_ matrix: YUVMatrix, _ range: YUVRange) {
        self.matrix = matrix
        self.range = range
    }
}

/// The weights of red, green and blue in luma.
public enum YUVMatrix: String, Sendable, Hashable, CaseIterable {
    /// ITU-R BT.601: standard definition, and JPEG.
    case bt601
    /// ITU-R BT.709: high definition.
    case bt709
}

/// The values of black and white.
public enum YUVRange: String, Sendable, Hashable, CaseIterable {
    /// Luma 16…235, chroma 16…240.
    case limited
    /// Luma and chroma 0…255.
    case full
}
