import CJPEGShim
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG

/// Large images that are encoded row by row have restart intervals, which threads share.
@Suite(.timeLimit(.minutes(30))) struct RestartIntervalTests {
    private static func planes(_ size: PixelSize, sampling: (Int, Int), isGray: Bool) throws -> [Plane] {
        var generator = SeededGenerator(seed: 4)
        let chroma = PixelSize(
            width: (size.width + sampling.0 - 1) / sampling.0, height: (size.height + sampling.1 - 1) / sampling.1)
        return try (0..<(isGray ? 1 : 3)).map { index in
            let plane = try Plane(index == 0 ? size : chroma)
            plane.withUnsafeSamples { samples in
                for y in 0..<plane.height {
                    for (x, noise) in [UInt8].random(count: plane.width, using: &generator).enumerated() {
                        samples[y * plane.bytesPerRow + x] = UInt8(truncatingIfNeeded: x / 16) &+ noise % 64
                    }
                }
            }
            return plane
        }
    }

    private static func options(_ subsampling: ChromaSubsampling) -> JPEGOptions {
        JPEGOptions(quality: 80, subsampling: subsampling, effort: .fast)
    }

    private static func context(_ parallelism: Int) -> EncodingContext {
        let comment = TextComment(bytes: Array("a comment".utf8), encoding: .utf8)
        return EncodingContext(metadata: WrittenMetadata(comments: [comment]), parallelism: parallelism)
    }

    @Test(arguments: [(ChromaSubsampling.yuv444, false), (.yuv422, true), (.yuv420, false), (.yuv420, true)])
    func threadsWriteTheFileOfOne(subsampling: ChromaSubsampling, isGray: Bool) throws {
        let options = Self.options(subsampling)
        // The last interval has an odd number of rows; 2040×2050 has too few pixels for intervals.
        var sizes = [(2501, 1999)]
        if subsampling == .yuv420 { sizes.append(isGray ? (2040, 2050) : (65_500, 73)) }
        for (width, height) in sizes {
            let size = PixelSize(width: width, height: height)
            let image = try PixelBuffer.grainy(size, isGray: isGray)
            let expected = try options.encode(image, Self.context(1))
            let intervals = RestartIntervals(size, options, isGray: isGray)
            #expect((intervals == nil) == (width == 2040))
            for parallelism in [2, 16] {
                let found = try options.encode(image, Self.context(parallelism))
                #expect(found == expected, "\(size), \(parallelism) threads")
            }
            let planes = try Self.planes(size, sampling: options.chromaFactors, isGray: isGray)
            let written = try options.planeEncoder(Self.context(1)).encode(planes, colorSpace: .sRGB).inMemory
            for parallelism in [3, 16] {
                let found = try options.planeEncoder(Self.context(parallelism)).encode(planes, colorSpace: .sRGB)
                #expect(found.inMemory == written, "\(size), planes, \(parallelism) threads")
            }
            // As many markers as there are intervals, less one, and their numbers in turn.
            #expect(written.restartMarkers == (0..<((intervals?.count ?? 1) - 1)).map { $0 % 8 })
        }
    }

    @Test func intervalsDoNotChangePixels() throws {
        let options = Self.options(.yuv420)
        let image = try PixelBuffer.grainy(PixelSize(width: 2501, height: 1999))
        let writer = try JPEGFileWriter(
            image.size, .bgra, options: options, metadata: WrittenMetadata(), profile: nil, intervals: nil,
            to: OutputSink(), stop: nil)
        try writer.writeRows(of: image, isGray: false)
        let plain = try writer.finish().inMemory
        let divided = try options.encode(image, EncodingContext(parallelism: 2))
        // The other positions of bytes also change how many are stuffed.
        #expect(abs(divided.count - plain.count) < plain.count / 1000)
        let isTheSame = try divided.decoded() == plain.decoded()
        #expect(isTheSame)
    }

    @Test func intervalsCoverAllRows() throws {
        for (width, height) in [
            (1, 1), (2048, 2047), (2048, 2048), (65_500, 65_500), (65_500, 65), (8, 65_500), (70, 60_000),
        ] {
            for mcu in [
                PixelSize(width: 8, height: 8), PixelSize(width: 16, height: 16), PixelSize(width: 16, height: 8),
            ] {
                let size = PixelSize(width: width, height: height)
                guard let intervals = RestartIntervals(size, mcu: mcu) else {
                    #expect(width * height < 4 << 20 || height <= mcu.height)
                    continue
                }
                #expect(intervals.mcuCount <= 65_535)
                let rows = (0..<intervals.count).map { intervals.rows($0) }
                #expect(rows.first?.lowerBound == 0 && rows.last?.upperBound == height)
                #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
                let columns = (width + mcu.width - 1) / mcu.width
                #expect(rows.dropLast().allSatisfy { $0.count * columns == intervals.mcuCount * mcu.height })
            }
        }
    }

    @Test func aStopEndsAllThreads() throws {
        let stop = StopToken()
        stop.cancel()
        let image = try PixelBuffer.grainy(PixelSize(width: 2501, height: 1999))
        #expect(throws: TexelError.stopped(.cancelled)) {
            try Self.options(.yuv420).encode(image, EncodingContext(stop: stop, parallelism: 2))
        }
    }
}
