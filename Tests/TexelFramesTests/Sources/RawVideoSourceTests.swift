import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelFrames

@Suite("Raw video source")
struct RawVideoSourceTests {
    private let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    private static let color = YUVColor(.bt709, .full)

    @Test(
        "Pictures follow one another without a byte between them",
        arguments: [
            (SampleLayout.Format.bgra, 140), (.rgba, 140), (.yuv(.i420, color), 59), (.yuv(.nv12, color), 59),
        ])
    func imagesFollowWithoutGaps(_ format: SampleLayout.Format, _ count: Int) throws {
        let layout = SampleLayout(format, PixelSize(width: 7, height: 5))
        let bytes = noise(3 * count, seed: 4)
        let pipe = try FedPipe(bytes)
        var options = StreamOptions()
        options.rate = FrameRate(10)
        for input in [.file(FilePath(try directory.add("raw", bytes))), pipe.input] {
            let source = try RawVideoSource(input, layout: layout, options: options)
            #expect(source.format.rate == FrameRate(10))
            let (frames, error) = source.frames()
            #expect(error == nil)
            #expect(frames.flatMap(\.bytes) == bytes)
            #expect(frames.map(\.time) == [.zero, .milliseconds(100), .milliseconds(200)])
            #expect(frames.allSatisfy { $0.layout == layout && $0.duration == .milliseconds(100) })
        }
    }

    @Test("A last picture that is not whole is an error, after those that are")
    func partialLastImageIsAnError() throws {
        let layout = SampleLayout(.bgra, PixelSize(width: 2, height: 2))
        for count in 0...48 {
            let bytes = noise(count, seed: 9)
            let pipe = try FedPipe(bytes)
            for input in [.file(FilePath(try directory.add("raw", bytes))), pipe.input] {
                let (frames, error) = try RawVideoSource(input, layout: layout).frames()
                #expect(frames.flatMap(\.bytes) == Array(bytes.prefix(count / 16 * 16)))
                #expect(
                    error
                        == (count % 16 == 0
                            ? nil : .truncated(frame: count / 16, bytesRead: count % 16, bytes: 16)))
            }
        }
    }

    @Test("Sizes that cannot be are refused before anything is read")
    func impossibleSizesAreRefused() throws {
        let input = StreamInput.file(FilePath(try directory.add("raw", [1])))
        for (width, height) in [(0, 1), (1, 0), (-1, 1), (70_000, 1), (60_000, 60_000), (Int.max, Int.max)] {
            let layout = SampleLayout(.bgra, PixelSize(width: width, height: height))
            #expect(throws: TexelError.self) { _ = try RawVideoSource(input, layout: layout) }
        }
    }
}
