/// How the colours of YUV samples are meant.
public struct YUVColor: Sendable, Hashable {
    public var matrix: YUVMatrix
    public var range: YUVRange

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

/// Which of the 256 values mean black and white.
public enum YUVRange: String, Sendable, Hashable, CaseIterable {
    /// Luma 16…235, colour differences 16…240.
    case limited
    /// 0…255.
    case full
}
