#if LibAV

    import Foundation
    import PlatformLibc
    import SystemPackage
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelPipeline
    import TexelPixels

    @testable import TexelFrames

    @Suite("LibAV source", .onThreads, .enabled(if: Program.ffmpeg != nil && Program.ffprobe != nil))
    struct LibAVSourceTests {
        private let directory: TemporaryDirectory
        init() throws { directory = try TemporaryDirectory() }

        /// Holds the frames of the libraries against those of the program.
        private func expectTheSame(
            _ path: String, count: Int? = nil, options: StreamOptions = StreamOptions(), _ comment: Comment? = nil
        ) throws {
            let (libraries, program) = (
                try LibAVSource(path, options: options), try FFmpegSource(path, options: options)
            )
            #expect(libraries.format == program.format, comment)
            let (found, error) = libraries.frames()
            let (expected, expectedError) = program.frames()
            #expect(error == nil && expectedError == nil, comment)
            #expect(found.map(\.time) == expected.map(\.time), comment)
            #expect(found.map(\.layout) == expected.map(\.layout), comment)
            #expect(found.map(\.index) == Array(found.indices), comment)
            // The frames themselves would be too long a message.
            let isTheSame = found == expected
            #expect(isTheSame, comment)
            if let count { #expect(found.count == count, comment) }
        }

        @Test("Frames of common codecs are those of ffmpeg, with their times")
        func codecs() throws {
            let variable = "settb=1/90000,setpts='(N*0.037+N*N*0.0011+0.05)/TB'"
            let h264 = ["-enc_time_base", "1:90000", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "2"]
            try expectTheSame(try directory.clip("h264.mp4", h264, filter: variable), count: 10)
            try expectTheSame(try directory.clip("h264.ts", h264, seconds: "1"), count: 25)
            try expectTheSame(try directory.clip("vp9.webm", ["-c:v", "libvpx-vp9"]), count: 10)
            try expectTheSame(try directory.clip("mpeg4.avi", ["-c:v", "mpeg4", "-bf", "1"]))
            try expectTheSame(try directory.clip("mpeg2.mpg", ["-c:v", "mpeg2video", "-bf", "2"]))
            try expectTheSame(
                try directory.clip("raw.h264", ["-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p"]), count: 10)
        }

        @Test("Pictures that begin later than the sound keep their distance")
        func lateStart() throws {
            let path = try directory.clip(
                "late.mkv",
                ["-map", "0:v", "-map", "1:a", "-c:v", "ffv1", "-c:a", "pcm_s16le"], filter: "setpts=PTS+0.32/TB",
                inputs: ["-f", "lavfi", "-i", "sine=d=1"])
            try expectTheSame(path, count: 10)
            let first = try LibAVSource(path).frames().frames.first
            #expect(first?.time == .milliseconds(320))
        }

        @Test(
            "Samples that Texel reads pass untouched, others are converted as by ffmpeg",
            arguments: [
                "yuv420p", "yuv422p", "yuv444p", "gray", "bgra", "bgr0", "gbrp", "yuva420p", "yuv420p10le",
                "yuv444p12le",
                "yuv411p", "rgb48le", "gray10le", "yuva444p10le",
            ])
        func pixelFormats(_ format: String) throws {
            for size in ["98x54", "33x7", "16x16"] {
                try expectTheSame(
                    try directory.clip(
                        "\(size).mkv", ["-pix_fmt", format, "-c:v", "ffv1"], size: size, seconds: "0.12"),
                    count: 3,
                    "\(size)")
            }
        }

        @Test("Palettes, JPEG ranges and flipped rows are converted as by ffmpeg")
        func otherFormats() throws {
            try expectTheSame(try directory.clip("full.avi", ["-pix_fmt", "yuvj422p", "-c:v", "mjpeg"]), count: 10)
            try expectTheSame(
                try directory.clip("palette.mkv", ["-pix_fmt", "pal8", "-c:v", "png", "-allow_raw_vfw", "1"]))
            try expectTheSame(try directory.clip("flipped.avi", ["-pix_fmt", "bgr24", "-c:v", "rawvideo"]), count: 10)
            try expectTheSame(
                try directory.clip("single.mkv", ["-pix_fmt", "monob", "-c:v", "rawvideo", "-allow_raw_vfw", "1"]))
        }

        @Test(
            "Matrix and range are those of the video, or of the caller",
            arguments: [
                ("bt709", "tv"), ("smpte170m", "pc"), ("bt2020nc", "tv"), ("smpte240m", "pc"), ("fcc", "tv"),
            ])
        func colors(_ matrix: String, _ range: String) throws {
            for format in ["yuv420p", "yuv422p10le"] {
                let flags = ["-pix_fmt", format, "-c:v", "ffv1", "-colorspace", matrix, "-color_range", range]
                let path = try directory.clip("\(format).mkv", flags, seconds: "0.12")
                try expectTheSame(path, count: 3, "\(format)")
                var options = StreamOptions()
                options.matrix = .bt601
                options.range = .full
                try expectTheSame(path, options: options, "\(format)")
                options.color = YUVColor(.bt709, .limited)
                try expectTheSame(path, options: options, "\(format)")
            }
        }

        /// Makes a clip whose header has this matrix: where the unit steps to the right and down point on the display.
        private func turnedClip(_ right: (x: Double, y: Double), _ down: (x: Double, y: Double)) throws -> String {
            _ = try directory.clip("upright.mp4", ["-pix_fmt", "yuv420p", "-c:v", "mpeg4"], seconds: "0.08")
            var bytes = try directory.bytes("upright.mp4")
            let header = try #require(bytes.firstRange(of: Array("tkhd".utf8)))
            // In fixed-point numbers of 16 bits each, at their place in version 0 of this box (ISO/IEC 14496-12,
            // 8.3.2).
            for (index, value) in [(0, right.x), (1, right.y), (3, down.x), (4, down.y)] {
                let fixed = UInt32(bitPattern: Int32((value * 65536).rounded()))
                for byte in 0..<4 {
                    bytes[header.upperBound + 40 + 4 * index + byte] = UInt8(
                        truncatingIfNeeded: fixed >> (24 - 8 * byte))
                }
            }
            return try directory.add("turned.mp4", bytes)
        }

        @Test(
            "A phone's picture stands upright, before and after other operations",
            arguments: Orientation.allCases)
        func rotation(_ orientation: Orientation) throws {
            // Where the unit steps point if columns are exchanged with rows first, and then mirrored.
            let (x, y) = (orientation.mirrorsX ? -1.0 : 1, orientation.mirrorsY ? -1.0 : 1)
            let path =
                orientation.transposes ? try turnedClip((0, y), (x, 0)) : try turnedClip((x, 0), (0, y))
            let frames = try LibAVSource(path).frames().frames
            #expect(frames.map(\.orientation) == [orientation, orientation])
            #expect(try LibAVSource(path).format == FFmpegSource(path).format)
            let recipes = [
                Recipe(), Recipe().resizing(width: 30),
                Recipe().cropping(to: PixelRectangle(x: 3, y: 5, width: 40, height: 20)),
            ]
            for recipe in recipes {
                let found = try Self.rendered(try LibAVSource(path), recipe)
                let expected = try Self.rendered(try FFmpegSource(path), recipe)
                #expect(found.count == 2 && expected.count == 2)
                for (found, expected) in zip(found, expected) {
                    #expect(found.size == expected.size)
                    // Where chroma is interpolated before the turn instead of after it, edges of colours differ.
                    #expect(Self.meanDifference(found, expected) < 3)
                }
            }
        }

        private static func rendered(_ source: any FrameSource, _ recipe: Recipe) throws -> [PixelBuffer] {
            let renderer = FrameRenderer(recipe, policy: DecodePolicy())
            let pool = FramePool(capacity: 1)
            let stop = StopToken()
            var images: [PixelBuffer] = []
            while let frame = try source.next(stop) {
                guard let lease = try pool.lease(byteCount: 1, stop) else { break }
                images.append(try renderer.render(frame, arrival: .zero, into: lease).pixelBuffer())
            }
            return images
        }

        private static func meanDifference(_ first: PixelBuffer, _ second: PixelBuffer) -> Double {
            let bytes = { (image: PixelBuffer) in
                image.pixels.flatMap { pixel in (0..<4).map { Int(pixel >> (8 * $0)) & 255 } }
            }
            let (first, second) = (bytes(first), bytes(second))
            return Double(zip(first, second).reduce(0) { $0 + abs($1.0 - $1.1) }) / Double(max(1, first.count))
        }

        @Test("An angle between quarter turns is left to the program")
        func oddRotation() throws {
            let turned = try turnedClip((0.866, 0.5), (-0.5, 0.866))
            guard case .unsupported = failure({ () throws(FrameError) in _ = try LibAVSource(turned) }) else {
                Issue.record("no failure")
                return
            }
            #expect(try FrameSourceFactory.open(turned) is FFmpegSource)
            #expect(try FrameSourceFactory.open(directory("upright.mp4")) is LibAVSource)
        }

        @Test("A size that changes is the size of later frames")
        func changingSize() throws {
            let small = try directory.clip("small.ts", ["-c:v", "mpeg2video"], size: "64x48")
            let large = try directory.clip("large.ts", ["-c:v", "mpeg2video"], size: "96x80")
            let path = try directory.add("both.ts", try directory.bytes("small.ts") + directory.bytes("large.ts"))
            #expect(small != large)
            let (frames, error) = try LibAVSource(path).frames()
            #expect(error == nil)
            #expect(Set(frames.compactMap(\.layout?.size.width)) == [64, 96])
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
            // The clock starts anew in the second half; no gap, no jump back.
            #expect(frames.last.map { $0.time < .seconds(2) } == true)
            var options = StreamOptions()
            options.limits.side = 95
            let (allowed, limited) = try LibAVSource(path, options: options).frames()
            #expect(Set(allowed.compactMap(\.layout?.size.width)) == [64])
            #expect(limited.map { "\($0)" }?.contains("96") == true)
        }

        @Test("Names are names, whatever they look like")
        func names() throws {
            _ = try directory.clip("clip.avi", ["-c:v", "mjpeg"])
            for name in ["-i.avi", "http:x.avi", "a b'c%d.avi", "concat:x|y.avi"] {
                let path = try directory.add(name, try directory.bytes("clip.avi"))
                #expect(try LibAVSource(path).frames().frames.count == 10)
            }
        }

        @Test("What cannot be read is said")
        func unreadable() throws {
            func failure(_ input: String, _ options: StreamOptions = StreamOptions()) -> FrameError? {
                do throws(FrameError) { return try LibAVSource(input, options: options).frames().error } catch {
                    return error
                }
            }
            let text = try directory.add("text.mp4", Array("not a video".utf8))
            #expect(failure(text).map { "\($0)" }?.contains("Invalid data") == true)
            let missing = directory("missing.mp4")
            #expect(failure(missing) == .file(.missing(FilePath(missing))))
            let sound = directory("sound.wav")
            try Program.run(Program.ffmpeg, ["-v", "error", "-f", "lavfi", "-i", "sine=d=0.1", sound])
            #expect(failure(sound) == .invalidStream("the input has no video stream"))
            let path = try directory.clip("clip.avi", ["-c:v", "mjpeg"])
            var options = StreamOptions()
            options.limits.side = 97
            #expect(
                failure(path, options).map { "\($0)" }?.contains("an image side of 98 pixels exceeds the limit of 97")
                    == true)
            let device = failure("/dev/video0")
            #expect(device == .unsupported("a camera without the program ffmpeg"))
            #expect(failure("nonsense://x").map { "\($0)" }?.contains("Protocol not found") == true)
        }

        @Test("Damage ends neither the process nor the stream, and gives the frames that ffmpeg gives")
        func damage() throws {
            let path = try directory.clip("whole.avi", ["-c:v", "mpeg4", "-g", "5"], size: "176x144", seconds: "2")
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            for seed in 1...12 {
                var random = SeededGenerator(seed: UInt64(seed))
                var bytes = Array(whole)
                for _ in 0..<(seed * 4) {
                    bytes[Int.random(in: 6000..<bytes.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                if seed % 3 == 0 { bytes.removeLast(bytes.count / 3) }
                let damaged = try directory.add("damaged.avi", bytes)
                guard let source = try? LibAVSource(damaged), let program = try? FFmpegSource(damaged) else { continue }
                let (found, expected) = (source.frames().frames, program.frames().frames)
                #expect(!found.isEmpty)
                #expect(found.map(\.time) == expected.map(\.time), "seed \(seed)")
            }
        }

        @Test("A stop ends the stream without an error, also while an address does not answer")
        func stopping() throws {
            let path = try directory.clip("clip.avi", ["-c:v", "mjpeg"])
            let source = try LibAVSource(path)
            let stop = StopToken()
            let isThere = try source.next(stop).isThere
            #expect(isThere)
            stop.cancel()
            let isThereAfter = try source.next(stop).isThere
            #expect(!isThereAfter)

            let server = try SilentServer()
            let waiting = StopToken()
            Thread.detachNewThread {
                server.waitForClient()
                waiting.cancel()
            }
            let stopped = failure { () throws(FrameError) in _ = try LibAVSource(server.address, stop: waiting) }
            #expect(stopped == .stopped)
            var options = StreamOptions()
            options.stallLimit = .milliseconds(50)
            let stalled = failure { () throws(FrameError) in _ = try LibAVSource(server.address, options: options) }
            #expect(stalled == .stalled(.milliseconds(50)))
        }

        @Test("Frames outlive their source")
        func lifetimes() throws {
            let path = try directory.clip("clip.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
            var kept: [DecodedPlanes] = []
            do {
                let source = try LibAVSource(path)
                while let frame = try source.next(StopToken()) {
                    guard case .planes(let planes) = frame.takeContent() else { continue }
                    kept.append(planes)
                }
            }
            let found = try kept.map { try ReadFrame(SourceFrame(.planes($0), time: .zero, index: 0))?.bytes }
            #expect(found == (try FFmpegSource(path).frames().frames.map(\.bytes)))
        }
    }

    /// A server that takes connections and says nothing.
    private final class SilentServer: Sendable {
        private let descriptor: Int32
        let address: String

        init() throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let port = withUnsafeMutablePointer(to: &name) { [descriptor] pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> UInt16? in
                    guard bind(descriptor, pointer, length) == 0, listen(descriptor, 8) == 0,
                        getsockname(descriptor, pointer, &length) == 0
                    else { return nil }
                    return UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in.self).sin_port.bigEndian
                }
            }
            address = "http://127.0.0.1:\(try #require(port))/video.mp4"
        }

        deinit { close(descriptor) }

        /// Waits until a client has connected; the connection stays open, and silent.
        func waitForClient() { _ = accept(descriptor, nil, nil) }
    }

#endif
