/// The compressions that Texel reads, by their numbers in files.
enum TIFFCompression: Int, Sendable {
    case none = 1
    case huffman = 2
    case group3 = 3
    case group4 = 4
    case lzw = 5
    case jpeg = 7
    case deflate = 8
    case next = 32766
    case huffmanWords = 32771
    case packBits = 32773
    case thunderScan = 32809
    /// The number of deflate before TIFF technical note 2.
    case oldDeflate = 32946
    case lzma = 34925
    case zstandard = 50000
    case webP = 50001

    /// The name for reports.
    var name: String {
        switch self {
        case .none: "uncompressed"
        case .huffman, .huffmanWords: "CCITT modified Huffman"
        case .group3: "CCITT T.4 (Group 3)"
        case .group4: "CCITT T.6 (Group 4)"
        case .lzw: "LZW"
        case .lzma: "LZMA"
        case .jpeg: "JPEG"
        case .deflate, .oldDeflate: "deflate"
        case .next: "NeXT"
        case .packBits: "PackBits"
        case .thunderScan: "ThunderScan"
        case .zstandard: "Zstandard"
        case .webP: "WebP"
        }
    }

    /// Whether the compression keeps all samples; `nil` if its data alone tell.
    var isLossless: Bool? {
        switch self {
        case .jpeg: false
        case .webP: nil
        default: true
        }
    }

    /// Whether the compression has one bit for each sample.
    var isFax: Bool { [.huffman, .huffmanWords, .group3, .group4].contains(self) }
    /// Whether files may store differences of neighbours.
    var hasPredictor: Bool { [.lzw, .deflate, .oldDeflate, .lzma, .zstandard].contains(self) }

    /// The name of a compression that Texel does not read.
    static func unsupportedName(_ number: Int) -> String {
        switch number {
        case 6: "old-style JPEG compression (6)"
        case 34661: "JBIG compression"
        case 34676, 34677: "LogLuv compression"
        case 34712: "JPEG 2000 compression"
        case 34887: "LERC compression"
        case 34892: "lossy JPEG of raw images"
        case 50002: "JPEG XL compression"
        default: "compression \(number)"
        }
    }
}
