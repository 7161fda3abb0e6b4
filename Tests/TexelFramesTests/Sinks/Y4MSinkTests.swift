import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelFrames

/// YUV4MPEG2 as other programs read it, and planes without a header.
@Suite struct Y4MSinkTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> FilePath { FilePath(directory(name)) }

    private func written(
        _ images: [PixelBuffer], _ sampling: ChromaSampling = .yuv420, _ color: YUVColorChoice = YUVColorChoice(),
        background: PixelColor = .black, rate: FrameRate? = nil, source: YUVColor? = nil
    ) throws -> (header: String, frames: ArraySlice<UInt8>) {
        let sink = try Y4MSink(
            .file(path("out.y4m"), replaces: true), sampling: sampling, color: color, background: background)
        try sink.take(images, rate: rate, color: source)
        let bytes = try directory.bytes("out.y4m")
        let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        return (String(decoding: bytes[..<end], as: UTF8.self), bytes[(end + 1)...])
    }

    private func plain(_ pixel: UInt32, width: Int = 2, height: Int = 2) throws -> PixelBuffer {
        try PixelBuffer(width: width, height: height, filledWith: pixel, alphaMode: .opaque)
    }

    private let frame = Array("FRAME\n".utf8)

    // MARK: Header

    @Test(arguments: [
        (ChromaSampling.yuv420, "C420jpeg XYSCSS=420JPEG"), (.yuv422, "C422 XYSCSS=422"), (.yuv444, "C444 XYSCSS=444"),
        (.none, "Cmono"),
    ])
    func headersDescribeSizeRateAndSampling(sampling: ChromaSampling, colors: String) throws {
        let (header, frames) = try written([try plain(0xFF00_0000, width: 5, height: 3)], sampling)
        #expect(header == "YUV4MPEG2 W5 H3 F25:1 Ip A1:1 \(colors) XCOLORRANGE=LIMITED")
        #expect(frames.count == 6 + (try YUVFormat(sampling).byteCount(of: PixelSize(width: 5, height: 3))))
    }

    @Test func rateAndRangeInTheHeader() throws {
        let (header, _) = try written(
            [try plain(0)], .yuv444, YUVColorChoice(range: .full), rate: FrameRate(30_000, per: 1001))
        #expect(header == "YUV4MPEG2 W2 H2 F30000:1001 Ip A1:1 C444 XYSCSS=444 XCOLORRANGE=FULL")
    }

    @Test func streamWithoutFramesHasAHeader() throws {
        let sink = try Y4MSink(.file(path("out.y4m")))
        _ = try sink.makeWriter(for: FrameStream(size: PixelSize(width: 2, height: 2)))
        try sink.finish()
        #expect(try directory.bytes("out.y4m").last == UInt8(ascii: "\n"))
    }

    // MARK: Samples

    /// From the equations of the standards: Y = 16 + 219 (Kr R + Kg G + Kb B), U and V = 128 + 224 × half a difference.
    private static let solids: [(UInt32, YUVColor, [UInt8])] = [
        (0xFF00_0000, YUVColor(.bt601, .limited), [16, 128, 128]),
        (0xFFFF_FFFF, YUVColor(.bt601, .limited), [235, 128, 128]),
        (0xFFFF_FFFF, YUVColor(.bt709, .full), [255, 128, 128]),
        (0xFFFF_0000, YUVColor(.bt601, .limited), [81, 90, 240]),
        (0xFFFF_0000, YUVColor(.bt709, .limited), [63, 102, 240]),
        (0xFF00_00FF, YUVColor(.bt601, .limited), [41, 240, 110]),
        (0xFF00_FF00, YUVColor(.bt709, .limited), [173, 42, 26]),
    ]

    @Test(arguments: solids)
    func samplesFollowMatrixAndRange(pixel: UInt32, color: YUVColor, expected: [UInt8]) throws {
        let choice = YUVColorChoice(matrix: color.matrix, range: color.range)
        let image = try plain(pixel)
        let (_, frames) = try written([image, image], .yuv420, choice)
        let one = frame + [UInt8](repeating: expected[0], count: 4) + expected[1...]
        #expect(Array(frames) == one + one)
        try RawSink(.file(path("nv12")), format: .nv12, color: choice).take([image])
        #expect(try directory.bytes("nv12") == [UInt8](repeating: expected[0], count: 4) + expected[1...])
    }

    /// The interleaved U and V of NV12 equal those of I420, also for odd sizes.
    @Test func interleavedChromaEqualsSeparatePlanes() throws {
        let image = try PixelBuffer.random(width: 13, height: 7)
        try RawSink(.file(path("i420")), format: .i420).take([image])
        try RawSink(.file(path("nv12")), format: .nv12).take([image])
        let (i420, nv12) = (try directory.bytes("i420"), try directory.bytes("nv12"))
        let (luma, chroma) = (13 * 7, 7 * 4)
        try #require(i420.count == luma + 2 * chroma)
        let pairs = (0..<chroma).flatMap { [i420[luma + $0], i420[luma + chroma + $0]] }
        #expect(nv12 == Array(i420[..<luma]) + pairs)
        let (_, frames) = try written([image])
        #expect(Array(frames) == frame + i420)
    }

    /// Readers of Y4M know the range, but take the matrix that follows from the size, whatever the source had. Red
    /// distinguishes the matrices: its Y is 81 in BT.601 and 63 in BT.709.
    @Test(arguments: [
        (2, 576, nil, YUVColorChoice(), UInt8(81)), (2, 577, nil, YUVColorChoice(), 63),
        (1279, 2, nil, YUVColorChoice(), 81), (1280, 2, nil, YUVColorChoice(), 63),
        (2, 2, YUVColor(.bt709, .limited), YUVColorChoice(), 81),
        (1280, 2, YUVColor(.bt601, .limited), YUVColorChoice(), 63),
        (2, 2, YUVColor(.bt601, .limited), YUVColorChoice(matrix: .bt709), 63),
        (2, 2, YUVColor(.bt601, .full), YUVColorChoice(), 76),
        (2, 2, YUVColor(.bt601, .full), YUVColorChoice(range: .limited), 81),
    ])
    func colorsThatReadersAssume(
        width: Int, height: Int, source: YUVColor?, choice: YUVColorChoice, luma: UInt8
    ) throws {
        let image = try plain(0xFFFF_0000, width: width, height: height)
        let (header, frames) = try written([image], .none, choice, source: source)
        #expect(frames.dropFirst(6).first == luma)
        #expect(header.hasSuffix(luma == 76 ? "=FULL" : "=LIMITED"))
    }

    /// Raw samples name neither matrix nor range, so that readers take both by default.
    @Test(arguments: [RawFrameFormat.i420, .nv12])
    func colorsOfRawSamples(format: RawFrameFormat) throws {
        for (width, source, choice, luma) in [
            (2, YUVColor(.bt709, .full), YUVColorChoice(), UInt8(81)), (1280, nil, YUVColorChoice(), 63),
            (2, nil, YUVColorChoice(matrix: .bt709, range: .full), 54),
        ] {
            let sink = try RawSink(.file(path("raw"), replaces: true), format: format, color: choice)
            try sink.take([try plain(0xFFFF_0000, width: width)], color: source)
            #expect(try directory.bytes("raw").first == luma)
        }
    }

    /// Files that Texel writes have the same colours when they are read again, although nothing in the file names the
    /// matrix.
    @Test(arguments: [PixelSize(width: 64, height: 48), PixelSize(width: 1280, height: 16)])
    func colorsSurvive(size: PixelSize) throws {
        let pixel: UInt32 = 0xFF30_A0E0
        let source = YUVColor(size.width < 1280 ? .bt709 : .bt601, .limited)
        _ = try written([try plain(pixel, width: size.width, height: size.height)], source: source)
        let sink = CollectingSink()
        try FramePipeline(from: Y4MSource(.file(path("out.y4m"))), into: sink).start().wait()
        let seen = try #require(sink.deliveries.first).firstPixel
        for shift in [0, 8, 16] {
            #expect(abs(Int(seen >> UInt32(shift) & 255) - Int(pixel >> UInt32(shift) & 255)) <= 2)
        }
    }

    /// Frames with alpha are composited onto the background, without seams between bands.
    @Test(arguments: [AlphaMode.straight, .premultiplied], [ChromaSampling.yuv420, .yuv422, .yuv444, .none])
    func transparentFramesAreCompositedWithoutSeams(alphaMode: AlphaMode, sampling: ChromaSampling) throws {
        let image = try PixelBuffer.random(width: 9, height: 131, alphaMode: alphaMode)
        let background = PixelColor(red: 200, green: 30, blue: 90)
        let (_, laid) = try written([image, image], sampling, background: background)
        let flat = try image.flattened(on: background)
        let (_, expected) = try written([flat, flat], sampling)
        #expect(laid == expected)
    }

    @Test func allFramesHaveOneSize() throws {
        let (from, to) = (PixelSize(width: 2, height: 2), PixelSize(width: 2, height: 3))
        #expect(throws: TexelError.sizeChanged(frame: 1, from: from, to: to)) {
            try written([try plain(0), try plain(0, height: 3)])
        }
        #expect(try directory.files().isEmpty)
    }

    // MARK: Other readers

    @Test(arguments: ChromaSampling.allCases, [PixelSize(width: 8, height: 6), PixelSize(width: 13, height: 7)])
    func texelReadsWhatItWrites(sampling: ChromaSampling, size: PixelSize) throws {
        let images = try (0..<3).map { try PixelBuffer.random(width: size.width, height: size.height, seed: 1 + $0) }
        let color = YUVColorChoice(range: .full)
        let (_, frames) = try written(images, sampling, color, rate: FrameRate(50))
        let source = try Y4MSource(.file(path("out.y4m")))
        #expect(source.format.size == size)
        #expect(source.format.rate == FrameRate(50))
        #expect(source.format.color?.range == .full)
        let (read, error) = source.frames()
        #expect(error == nil)
        #expect(read.flatMap { frame + $0.bytes } == Array(frames))
    }

    /// ffmpeg reads the same samples and properties.
    @Test(.enabled(if: Program.ffmpeg != nil, "needs ffmpeg"), arguments: ChromaSampling.allCases)
    func readByFFmpeg(sampling: ChromaSampling) throws {
        let images = try (0..<3).map { try PixelBuffer.random(width: 13, height: 7, seed: 1 + $0) }
        let (_, frames) = try written(images, sampling, rate: FrameRate(30_000, per: 1001))
        let file = directory("out.y4m")
        let raw = try Program.run(Program.ffmpeg, ["-v", "error", "-i", file, "-f", "rawvideo", "-"])
        let byteCount = try YUVFormat(sampling).byteCount(of: PixelSize(width: 13, height: 7))
        try #require(raw.count == 3 * byteCount)
        let expected = (0..<3).flatMap { frames.dropFirst($0 * (byteCount + 6) + 6).prefix(byteCount) }
        #expect(raw == expected)
        let entries = "stream=width,height,pix_fmt,r_frame_rate,color_range"
        let told = try Program.run(
            Program.ffprobe, ["-v", "error", "-show_entries", entries, "-of", "csv=p=0", file])
        let names: [ChromaSampling: String] = [
            .yuv420: "yuv420p", .yuv422: "yuv422p", .yuv444: "yuv444p", .none: "gray",
        ]
        #expect(String(decoding: told, as: UTF8.self) == "13,7,\(names[sampling] ?? ""),tv,30000/1001\n")
    }
}
