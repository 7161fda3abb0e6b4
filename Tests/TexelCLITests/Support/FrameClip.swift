import Texel

/// Small streams for tests.
enum FrameClip {
    /// Grey frames of these values, without chroma.
    static func y4m(_ values: [UInt8], width: Int = 8, height: Int = 4, rate: String = "25:1") -> [UInt8] {
        let frames = values.flatMap { value in
            Array("FRAME\n".utf8) + [UInt8](repeating: value, count: width * height)
        }
        return Array("YUV4MPEG2 W\(width) H\(height) F\(rate) Ip A1:1 Cmono XCOLORRANGE=FULL\n".utf8) + frames
    }

    /// The first byte of each frame in a raw stream.
    static func firstBytes(_ bytes: [UInt8], width: Int = 8, height: Int = 4) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: width * height * 4).map { bytes[$0] }
    }
}

/// The object of `--stats json`.
struct StatisticsObject: Decodable {
    struct Times: Decodable {
        var p50: Int
        var p95: Int
        var p99: Int
        var longest: Int
    }

    var source: String
    var output: String
    var framesIn: Int
    var framesOut: Int
    var framesDropped: Int
    var framesRepeated: Int
    var framesOmitted: Int
    var dropped: [String: Int]
    var seconds: Double
    var framesPerSecond: Double
    var position: Int
    var stages: [String: Times]
    var error: String?
}
