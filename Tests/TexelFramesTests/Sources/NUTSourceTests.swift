import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelPixels

@testable import TexelFrames

@Suite("NUT source")
struct NUTSourceTests {
    private let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    private func file(_ bytes: [UInt8]) throws -> StreamInput {
        .file(FilePath(try directory.add(UUID().uuidString, bytes)))
    }

    private static let images = (0..<8).map { noise(6, seed: $0) }

    /// A stream with every way to code a frame, between audio frames and unknown packets.
    private static func rich(unknown: Int = 20) -> NUTWriting {
        var nut = NUTWriting()
        nut.main(version: 4, streams: 2, timeBases: [(1, 48_000), (1001, 30_000)], videoStream: 1)
        nut.stream(0, kind: 1, codec: [1, 0])
        nut.packet(NUTWriting.unknownCode, noise(unknown, seed: 1))
        nut.stream(1, timeBase: 1, color: 18)
        nut.rate("9/1", stream: 0)
        nut.rate("30000/1001", stream: 1)
        nut.sync(0)
        nut.frame(images[0], wholeTime: 0)
        nut.free(noise(99, seed: 7), stream: 0, wholeTime: 1000)
        nut.frame(images[1], lowTime: 50)
        nut.step(images[2])
        nut.sized(images[3], lowTime: 100)
        nut.sized(images[4], lowTime: 150)
        nut.packet(NUTWriting.mainCode, [1, 2, 3])
        // 30 seconds on the first time base.
        nut.sync(2 * 48_000 * 30)
        nut.step(images[5])
        nut.free(images[6], stream: 1, wholeTime: 100_000)
        nut.frame(images[7], lowTime: 100_000 - 3)
        // The end of the stream, and an index.
        nut.free([], stream: 1, wholeTime: 100_010, flags: 2 + 8 + 16 + 32 + 64 + 128 + 1024 + 2048)
        nut.packet(NUTWriting.indexCode, noise(40, seed: 2))
        return nut
    }

    @Test("Every way to write a frame gives its picture and its time, from files and pipes")
    func everyWay() throws {
        let bytes = Self.rich(unknown: 5000).bytes
        let pipe = try FedPipe(bytes)
        for input in [try file(bytes), pipe.input] {
            let source = try NUTSource(input)
            let color = YUVColor(.bt709, .full)
            let size = PixelSize(width: 3, height: 2)
            #expect(source.format == FrameFormat(size: size, rate: FrameRate(30_000, per: 1001), color: color))
            let (frames, error) = source.frames()
            #expect(error == nil)
            #expect(frames.map(\.bytes) == Self.images)
            let clock = try #require(FrameRate(30_000, per: 1001))
            let ticks = [0, 50, 53, 100, 150, 899 + 3, 100_000, 99_997]
            #expect(frames.map(\.time) == ticks.map { clock.time(ofFrame: $0) })
            #expect(frames.map(\.index) == Array(0..<8))
            #expect(frames.allSatisfy { $0.layout == SampleLayout(.yuv(YUVFormat(.none), color), size) })
        }
    }

    @Test("Times before the stream's beginning move the beginning")
    func negativeTimes() throws {
        var nut = NUTWriting()
        nut.main(timeBases: [(1, 1000)])
        nut.stream()
        nut.sync(0)
        nut.frame(Self.images[0], lowTime: -10)
        nut.frame(Self.images[1], lowTime: 7)
        #expect(try NUTSource(try file(nut.bytes)).frames().frames.map(\.time) == [.zero, .milliseconds(17)])
        var late = NUTWriting()
        late.main(timeBases: [(1, 1000)])
        late.stream()
        late.frame(Self.images[0], wholeTime: 400)
        #expect(try NUTSource(try file(late.bytes)).frames().frames.map(\.time) == [.milliseconds(400)])
    }

    @Test("A stream cut at any byte gives its whole frames, then an error unless only an index is missing")
    func truncation() throws {
        let bytes = Self.rich().bytes
        let whole = try NUTSource(try file(bytes)).frames().frames
        var lastCount = 0
        var outcomes: Set<Bool> = []
        for count in 0..<bytes.count {
            let cut = Array(bytes[..<count])
            let pipe = try FedPipe(cut)
            var counts: [Int] = []
            for input in [try file(cut), pipe.input] {
                do throws(FrameError) {
                    let (frames, error) = try NUTSource(input).frames()
                    #expect(frames == Array(whole.prefix(frames.count)))
                    counts.append(frames.count)
                    outcomes.insert(error == nil)
                } catch {
                    counts.append(0)
                    guard case .invalidStream = error else {
                        Issue.record("\(error)")
                        continue
                    }
                }
            }
            #expect(counts[0] == counts[1] && counts[0] >= lastCount)
            lastCount = counts[0]
        }
        #expect(lastCount == whole.count && outcomes == [true, false])
    }

    @Test("A changed byte in a header that is read is noticed")
    func damagedHeaders() throws {
        var nut = NUTWriting()
        nut.main()
        nut.stream()
        let syncCode = nut.bytes.count + 1..<nut.bytes.count + 8
        nut.sync(0)
        let headerCount = nut.bytes.count
        nut.free(Self.images[0], wholeTime: 0)
        let frameHeader = headerCount..<nut.bytes.count - 6
        for position in Array(0..<headerCount) + Array(frameHeader) {
            var bytes = nut.bytes
            bytes[position] ^= 1 << (position % 8)
            let error: FrameError?
            do throws(FrameError) { error = try NUTSource(try input(bytes)).frames().error } catch let thrown {
                error = thrown
            }
            // An unknown start code marks a packet that is skipped.
            #expect((error != nil) == !syncCode.contains(position), "byte \(position) of \(headerCount)")
        }
    }

    @Test("Random damage ends in frames or an error")
    func fuzz() throws {
        var random = SeededGenerator(seed: 5)
        let whole = Self.rich().bytes
        // Correct header checksums let the damage reach later code.
        for round in 0..<400 {
            var bytes = whole
            if round % 2 == 0 {
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 200..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            } else {
                var nut = NUTWriting()
                if round % 4 == 1 { nut.main() }
                let code = [NUTWriting.mainCode, NUTWriting.streamCode, NUTWriting.infoCode, NUTWriting.syncCode]
                    .randomElement(using: &random)
                var fields = noise(Int.random(in: 0...80, using: &random), seed: UInt64(round))
                if round % 3 == 0 { fields = fields.map { $0 & 15 } }
                nut.packet(code ?? [], fields)
                nut.stream()
                nut.frame(Self.images[0], wholeTime: Int.random(in: 0..<1 << 54, using: &random))
                bytes = nut.bytes
            }
            do throws(FrameError) {
                let frames = try NUTSource(try input(bytes)).frames().frames
                #expect(frames.count < 100)
            } catch {
                #expect(!"\(error)".isEmpty)
            }
        }
    }

    private func input(_ bytes: [UInt8]) throws(FrameError) -> StreamInput {
        do {
            return .file(FilePath(try directory.add("bytes", bytes)))
        } catch {
            throw .cannotWrite(.ioError)
        }
    }

    @Test("What cannot be or is not read is refused with a reason")
    func refusals() throws {
        func expect(_ reason: String, _ write: (inout NUTWriting) -> Void) throws {
            var nut = NUTWriting()
            write(&nut)
            let input = try file(nut.bytes)
            var message = ""
            do throws(FrameError) { message = try NUTSource(input).frames().error?.description ?? "" } catch {
                message = "\(error)"
            }
            #expect(message.contains(reason), "\(message)")
        }
        let image = Self.images[0]
        try expect("NUT version 2 is not supported") { $0.main(version: 2) }
        try expect("has no main header") { $0.stream() }
        try expect("has no streams or no time bases") { $0.main(streams: 0) }
        try expect("has no streams or no time bases") { $0.main(timeBases: []) }
        try expect("the invalid time base 1/0") { $0.main(timeBases: [(1, 0)]) }
        try expect("the invalid time base 1/4294967296") { $0.main(timeBases: [(1, 1 << 32)]) }
        try expect("frame code table of the NUT stream is invalid") {
            $0.packet(NUTWriting.mainCode, [3, 1, 0, 1, 1, 1, 0, 6, 0, 1, 0, 0, 0, 0])
        }
        try expect("a header of the NUT stream is too short") { $0.packet(NUTWriting.mainCode, [3, 1]) }
        try expect("a header of the NUT stream has an invalid length") {
            $0.packet(NUTWriting.mainCode, noise(70_000, seed: 1))
        }
        try expect("has no video stream") {
            $0.main()
            $0.stream(kind: 1)
        }
        try expect("an invalid time base or") {
            $0.main()
            $0.stream(timeBase: 1)
        }
        try expect("NUT video with the codec tag 'H264'") {
            $0.main()
            $0.stream(codec: Array("H264".utf8))
        }
        try expect("NUT video with the codec tag 'BGR?'") {
            $0.main()
            $0.stream(codec: Array("BGR".utf8) + [0])
        }
        for (width, height) in [(0, 2), (2, 0)] {
            try expect("an image cannot have a size of \(width)×\(height) pixels") {
                $0.main()
                $0.stream(width: width, height: height)
            }
        }
        try expect("an image side of 18014398509481984 pixels exceeds the limit") {
            $0.main()
            $0.stream(width: 1 << 54, height: 1 << 54)
        }
        try expect("an image of 3600000000 pixels exceeds the limit") {
            $0.main()
            $0.stream(width: 60_000, height: 60_000)
        }
        try expect("frame 1 of the NUT stream has 5 bytes instead of 6") {
            $0.main()
            $0.stream()
            $0.frame(image, wholeTime: 0)
            $0.frame([1, 2, 3, 4, 5], wholeTime: 1)
        }
        try expect("frame 0 of the NUT stream begins with an invalid code") {
            $0.main()
            $0.stream()
            $0.bytes.append(0)
        }
        try expect("side data or elision headers") {
            $0.main()
            $0.stream()
            $0.free(image, wholeTime: 0, headerIndex: 1)
        }
        try expect("invalid time") {
            $0.main(timeBases: [(1 << 30, 1)])
            $0.stream()
            $0.frame(image, wholeTime: 1 << 54)
        }
    }

    @Test(
        "What ffmpeg writes is read: pictures as its raw video has them, times as ffprobe tells them",
        .enabled(if: Program.ffmpeg != nil && Program.ffprobe != nil),
        arguments: [
            "yuv420p", "nv12", "yuv422p", "yuv444p", "gray", "bgra", "rgba", "yuv420p10le", "yuv422p10le",
            "yuv444p10le", "gray10le",
        ])
    func ffmpeg(_ format: String) throws {
        let path = directory("\(format).nut")
        let filter = "settb=1/90000,setpts='(N*0.037+N*N*0.0011)/TB'"
        let arguments = [
            "-v", "error", "-f", "lavfi", "-i", "testsrc=s=321x181:r=30:d=0.7", "-vf", filter, "-fps_mode",
            "passthrough",
            "-enc_time_base", "1:90000", "-pix_fmt", format, "-c:v", "rawvideo",
        ]
        try Program.run(Program.ffmpeg, arguments + ["-f", "nut", path])
        let images = try Program.run(Program.ffmpeg, arguments + ["-f", "rawvideo", "-"])
        let pipe = try FedPipe([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        for input in [.file(FilePath(path)), pipe.input] {
            let source = try NUTSource(input)
            #expect(source.format.size == PixelSize(width: 321, height: 181))
            let (frames, error) = source.frames()
            #expect(error == nil && frames.count == 21)
            #expect(frames.flatMap(\.bytes) == images)
            #expect(frames.map(\.time.microseconds) == (try Program.frameTimes(path)))
        }
    }
}
