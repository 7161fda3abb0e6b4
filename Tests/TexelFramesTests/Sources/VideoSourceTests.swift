#if Video

    import Foundation
    import PlatformLibc
    import SystemPackage
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelCore
    import TexelPipeline
    import TexelPixels

    @testable import TexelFrames

    @Suite("Videos", .onThreads, .enabled(if: Program.ffmpeg != nil && Program.ffprobe != nil))
    struct VideoSourceTests {
        private let directory: TemporaryDirectory
        init() throws { directory = try TemporaryDirectory() }

        /// Holds the frames of a video against those that ffmpeg writes in a pixel format, and their times.
        private func expectAsFFmpeg(
            _ path: String, in pixelFormat: String, count: Int, _ comment: Comment? = nil
        ) throws {
            let (found, error) = try VideoSource(path).frames()
            #expect(error == nil, comment)
            #expect(found.count == count, comment)
            #expect(found.map(\.index) == Array(found.indices), comment)
            let times = try Program.frameTimes(path)
            // Not every container gives every frame a time.
            if times.count == count { #expect(found.map(\.time.microseconds) == times, comment) }
            let samples = try Program.run(
                Program.ffmpeg,
                ["-v", "error", "-i", "file:\(path)", "-map", "0:v:0", "-fps_mode", "passthrough"]
                    + ["-sws_flags", "bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"]
                    + ["-pix_fmt", pixelFormat, "-f", "rawvideo", "-"])
            // The frames themselves would be too long a message.
            let isTheSame = found.flatMap(\.bytes) == samples
            #expect(isTheSame, comment)
        }

        @Test("Frames of common codecs are those of ffmpeg, with their times")
        func framesAndTimesMatchFFmpeg() throws {
            let variable = "settb=1/90000,setpts='(N*0.037+N*N*0.0011+0.05)/TB'"
            let h264 = ["-enc_time_base", "1:90000", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "2"]
            try expectAsFFmpeg(try directory.clip("h264.mp4", h264, filter: variable), in: "yuv420p", count: 10)
            try expectAsFFmpeg(try directory.clip("h264.ts", h264, seconds: "1"), in: "yuv420p", count: 25)
            try expectAsFFmpeg(try directory.clip("vp9.webm", ["-c:v", "libvpx-vp9"]), in: "yuv420p", count: 10)
            try expectAsFFmpeg(
                try directory.clip("mpeg4.avi", ["-c:v", "mpeg4", "-bf", "1"]), in: "yuv420p", count: 10)
            try expectAsFFmpeg(
                try directory.clip("mpeg2.mpg", ["-c:v", "mpeg2video", "-bf", "2"]), in: "yuv420p", count: 10)
            try expectAsFFmpeg(
                try directory.clip("raw.nut", ["-c:v", "rawvideo", "-pix_fmt", "nv12"]), in: "nv12", count: 10)
        }

        @Test("Pictures that begin later than the sound keep their distance")
        func lateVideoKeepsItsDelay() throws {
            let path = try directory.clip(
                "late.mkv",
                ["-map", "0:v", "-map", "1:a", "-c:v", "ffv1", "-c:a", "pcm_s16le"], filter: "setpts=PTS+0.32/TB",
                inputs: ["-f", "lavfi", "-i", "sine=d=1"])
            let first = try VideoSource(path).frames().frames.first
            #expect(first?.time == .milliseconds(320))
        }

        /// The form in which frames arrive, for each that a decoder gives: untouched, or without a loss of chroma.
        @Test(
            "Samples that Texel reads pass untouched, others are moved to the nearest form",
            arguments: [
                ("yuv420p", "yuv420p"), ("yuv422p", "yuv422p"), ("yuv444p", "yuv444p"), ("gray", "gray"),
                ("yuva420p", "yuva420p"), ("yuva444p10le", "yuva444p10le"), ("yuv420p10le", "yuv420p10le"),
                ("gray10le", "gray10le"), ("bgra", "bgra"), ("bgr0", "bgra"),
            ])
        func knownFormatsPassUntouched(_ stored: String, _ read: String) throws {
            for size in ["98x54", "33x7", "16x16"] {
                let path = try directory.clip(
                    "\(size).mkv", ["-pix_fmt", stored, "-c:v", "ffv1"], size: size, seconds: "0.12")
                try expectAsFFmpeg(path, in: read, count: 3, "\(size)")
            }
        }

        @Test(
            "Forms with other resolutions of chroma keep at least theirs",
            arguments: [
                ("yuv411p", YUVFormat(.yuv422)), ("yuv440p", YUVFormat(.yuv444)), ("yuv410p", YUVFormat(.yuv420)),
                ("yuv444p12le", YUVFormat(.yuv444, bitDepth: 10)), ("gray12le", YUVFormat(.none, bitDepth: 10)),
            ])
        func otherSamplingsKeepTheirResolution(_ stored: String, _ read: YUVFormat) throws {
            let path = try directory.clip("clip.mkv", ["-pix_fmt", stored, "-c:v", "ffv1"], seconds: "0.04")
            let frame = try #require(try VideoSource(path).frames().frames.first)
            guard case .yuv(let format, _) = frame.layout?.format else {
                Issue.record("no samples of luma")
                return
            }
            #expect(format == read)
        }

        @Test("Palettes, JPEG ranges and flipped rows arrive upright and complete")
        func otherFormatsArriveUprightAndComplete() throws {
            try expectAsFFmpeg(
                try directory.clip("full.avi", ["-pix_fmt", "yuvj422p", "-c:v", "mjpeg"]), in: "yuvj422p", count: 10)
            try expectAsFFmpeg(
                try directory.clip("palette.mkv", ["-pix_fmt", "pal8", "-c:v", "png", "-allow_raw_vfw", "1"]),
                in: "bgra", count: 10)
            try expectAsFFmpeg(
                try directory.clip("flipped.avi", ["-pix_fmt", "bgr24", "-c:v", "rawvideo"]), in: "bgra", count: 10)
            try expectAsFFmpeg(
                try directory.clip("single.mkv", ["-pix_fmt", "monob", "-c:v", "rawvideo", "-allow_raw_vfw", "1"]),
                in: "bgra", count: 10)
        }

        private func color(_ path: String, _ options: StreamOptions = StreamOptions()) throws -> YUVColor? {
            let frame = try VideoSource(path, options: options).frames().frames.first
            return if case .yuv(_, let color) = frame?.layout?.format { color } else { nil }
        }

        @Test(
            "Matrix and range are those of the video, or of the caller, with alpha and without",
            arguments: [
                ("bt709", "tv", YUVColor(.bt709, .limited)), ("smpte170m", "pc", YUVColor(.bt601, .full)),
                ("bt2020nc", "tv", YUVColor(.bt2020, .limited)), ("smpte240m", "pc", YUVColor(.smpte240m, .full)),
                ("fcc", "tv", YUVColor(.fcc, .limited)),
            ])
        func colorsFollowTagsOrTheCaller(_ matrix: String, _ range: String, _ expected: YUVColor) throws {
            for format in ["yuv420p", "yuv422p10le", "yuva420p", "yuv411p"] {
                let flags = ["-pix_fmt", format, "-c:v", "ffv1", "-colorspace", matrix, "-color_range", range]
                let path = try directory.clip("\(format).mkv", flags, seconds: "0.12")
                #expect(try color(path) == expected, "\(format)")
                var options = StreamOptions()
                options.matrix = .bt601
                #expect(try color(path, options) == YUVColor(.bt601, expected.range), "\(format)")
                options.color = YUVColor(.bt709, .limited)
                #expect(try color(path, options) == YUVColor(.bt709, .limited), "\(format)")
            }
        }

        @Test(
            "Without tags, wide or high frames are BT.709, with alpha too",
            arguments: [
                ("1280x536", YUVMatrix.bt709), ("720x576", .bt601), ("720x578", .bt709), ("1278x576", .bt601),
            ])
        func sizeTellsTheMatrixWithoutTags(_ size: String, _ matrix: YUVMatrix) throws {
            for format in ["yuv420p", "yuva420p"] {
                let path = try directory.clip(
                    "\(format).mkv", ["-pix_fmt", format, "-c:v", "ffv1"], size: size, seconds: "0.04")
                #expect(try color(path) == YUVColor(matrix, .limited), "\(format)")
                #expect(try VideoSource(path).info.colors.assumptions.contains(.matrix))
            }
        }

        @Test("A matrix that is no linear function is refused with its name, unless another is asked for")
        func nonlinearMatrixIsRefused() throws {
            let path = try directory.clip(
                "ictcp.mkv", ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-colorspace", "ictcp"], seconds: "0.04")
            let (frames, error) = try VideoSource(path).frames()
            #expect(frames.isEmpty)
            #expect(error == .unsupported("the colour matrix of the video, ICtCp,"))
            var options = StreamOptions()
            options.matrix = .bt2020
            #expect(try color(path, options) == YUVColor(.bt2020, .limited))
        }

        @Test("High dynamic range and wide gamuts are converted")
        func wideGamutsKeepTheirCodePoints() throws {
            func points(_ transfer: String, _ primaries: String) throws -> CICP? {
                let flags = ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-colorspace", "bt2020nc"]
                let path = try directory.clip(
                    "hdr.mkv", flags + ["-color_trc", transfer, "-color_primaries", primaries], seconds: "0.04")
                return try color(path)?.codePoints
            }
            #expect(try points("smpte2084", "bt2020") == CICP(primaries: 9, transfer: 16))
            #expect(try points("arib-std-b67", "bt2020") == CICP(primaries: 9, transfer: 18))
            #expect(try points("smpte2084", "smpte432") == CICP(primaries: 12, transfer: 16))
            #expect(try points("bt2020-10", "bt2020") == CICP(primaries: 9, transfer: 14))
            #expect(try points("bt709", "bt709") == nil)
        }

        @Test("The alpha of VP8 and VP9 is decoded", arguments: ["libvpx", "libvpx-vp9"])
        func separateAlphaIsDecoded(_ encoder: String) throws {
            let path = try directory.clip(
                "alpha.webm", ["-pix_fmt", "yuva420p", "-c:v", encoder, "-auto-alt-ref", "0"],
                seconds: "0.12", filter: "format=rgba,colorchannelmixer=aa=0.5")
            let source = try VideoSource(path)
            #expect(source.info.hasAlpha && !source.info.losesAlpha)
            let frames = source.frames().frames
            #expect(frames.count == 3)
            for frame in frames {
                #expect(frame.layout?.alphaMode == .straight)
                let alpha = frame.bytes.suffix(98 * 54)
                #expect(alpha.allSatisfy { (126...130).contains($0) })
            }
        }

        @Test("Pixels that are not square are shown square, before and after a turn")
        func pixelsAreShownSquare() throws {
            let path = try directory.clip(
                "wide.mp4", ["-pix_fmt", "yuv420p", "-c:v", "libx264"], size: "72x58", filter: "setsar=64/45")
            let source = try VideoSource(path)
            #expect(source.format.size == PixelSize(width: 102, height: 58))
            #expect(source.info.pixelAspect == PixelAspect(horizontal: 64, vertical: 45))
            let sizes = try Self.rendered(source, Recipe()).map(\.size)
            #expect(Set(sizes) == [PixelSize(width: 102, height: 58)])
            let narrow = try Self.rendered(try VideoSource(path), Recipe().resizing(width: 51)).map(\.size)
            #expect(Set(narrow) == [PixelSize(width: 51, height: 29)])
            let turned = try Self.rendered(try VideoSource(path), Recipe().rotating(by: 90)).map(\.size)
            #expect(Set(turned) == [PixelSize(width: 58, height: 102)])
        }

        @Test("The size at which a video is shown is within the limits, too", arguments: ["mp4", "mkv"])
        func aspectAndLimits(_ container: String) throws {
            let path = try directory.clip(
                "wide.\(container)", ["-pix_fmt", "yuv420p"], size: "64x48", filter: "setsar=10/1")
            var options = StreamOptions()
            options.limits.pixels = 640 * 48
            #expect(try VideoSource(path, options: options).format.size == PixelSize(width: 640, height: 48))
            options.limits.pixels -= 1
            #expect(throws: TexelError.limitExceeded(.pixels, value: 640 * 48, allowed: 640 * 48 - 1)) {
                try VideoSource(path, options: options)
            }
        }

        /// Copies streams of inputs into one file.
        private func joined(_ name: String, _ inputs: [String], _ arguments: [String]) throws -> String {
            let path = directory(name)
            try Program.run(
                Program.ffmpeg, ["-v", "error"] + inputs.flatMap { ["-i", $0] } + ["-c", "copy"] + arguments + [path])
            return path
        }

        @Test("Of several streams the default one is shown, and never a cover")
        func defaultStreamIsShown() throws {
            let short = try directory.clip("short.mkv", ["-c:v", "ffv1"], seconds: "0.08")
            let long = try directory.clip("long.mkv", ["-c:v", "ffv1"], seconds: "0.2")
            let two = try joined(
                "two.mkv", [short, long],
                ["-map", "0", "-map", "1", "-disposition:v:0", "0", "-disposition:v:1", "default"])
            let source = try VideoSource(two)
            #expect(source.info.index == 1 && source.info.streams.count == 2)
            #expect(source.frames().frames.count == 5)

            let film = try directory.clip("film.mp4", ["-c:v", "mpeg4"], seconds: "0.4")
            let cover = directory("cover.png")
            try Program.run(
                Program.ffmpeg, ["-v", "error", "-f", "lavfi", "-i", "color=red:s=32x32", "-frames:v", "1", cover])
            let covered = try joined(
                "covered.mp4", [cover, film], ["-map", "0", "-map", "1", "-disposition:v:0", "attached_pic"])
            #expect(try VideoSource(covered).frames().frames.count == 10)
            #expect(try VideoSource(covered).info.isCover == false)
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
        func rotatedVideosStandUpright(_ orientation: Orientation) throws {
            // Where the unit steps point if columns are exchanged with rows first, and then mirrored.
            let (x, y) = (orientation.mirrorsX ? -1.0 : 1, orientation.mirrorsY ? -1.0 : 1)
            let path =
                orientation.transposes ? try turnedClip((0, y), (x, 0)) : try turnedClip((x, 0), (0, y))
            let frames = try VideoSource(path).frames().frames
            #expect(frames.map(\.orientation) == [orientation, orientation])
            #expect(try VideoSource(path).format.size == orientation.applied(to: PixelSize(width: 98, height: 54)))
            let upright = directory("upright.mp4")
            let recipes = [
                Recipe(), Recipe().resizing(width: 30),
                Recipe().cropping(to: PixelRectangle(x: 3, y: 5, width: 40, height: 20)),
            ]
            for recipe in recipes {
                let found = try Self.rendered(try VideoSource(path), recipe)
                let expected = try Self.rendered(try VideoSource(upright), Recipe()).map { image in
                    try image.oriented(orientation).applying(recipe.operations)
                }
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

        @Test("An angle between quarter turns is refused")
        func obliqueRotationIsRefused() throws {
            let turned = try turnedClip((0.866, 0.5), (-0.5, 0.866))
            guard try VideoSource(turned).frames().error?.kind == .unsupported else {
                Issue.record("no failure")
                return
            }
        }

        @Test("A size that changes is the size of later frames")
        func laterFramesMayChangeSize() throws {
            let small = try directory.clip("small.ts", ["-c:v", "mpeg2video"], size: "64x48")
            let large = try directory.clip("large.ts", ["-c:v", "mpeg2video"], size: "96x80")
            let path = try directory.add("both.ts", try directory.bytes("small.ts") + directory.bytes("large.ts"))
            #expect(small != large)
            let (frames, error) = try VideoSource(path).frames()
            #expect(error == nil)
            #expect(Set(frames.compactMap(\.layout?.size.width)) == [64, 96])
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
            // The clock starts anew in the second half; no gap, no jump back.
            #expect(frames.last.map { $0.time < .seconds(2) } == true)
            var options = StreamOptions()
            options.limits.pixels = 96 * 80 - 1
            let (allowed, limited) = try VideoSource(path, options: options).frames()
            #expect(Set(allowed.compactMap(\.layout?.size.width)) == [64])
            #expect(limited == .limitExceeded(.pixels, value: 96 * 80, allowed: 96 * 80 - 1))
        }

        @Test("Names are names, whatever they look like")
        func namesAreTakenLiterally() throws {
            _ = try directory.clip("clip.avi", ["-c:v", "mjpeg"])
            for name in ["-i.avi", "http:x.avi", "a b'c%d.avi", "concat:x|y.avi"] {
                let path = try directory.add(name, try directory.bytes("clip.avi"))
                #expect(try VideoSource(path).frames().frames.count == 10)
            }
        }

        @Test("What cannot be read is said")
        func unreadableInputsAreErrors() throws {
            func failure(_ input: String, _ options: StreamOptions = StreamOptions()) -> TexelError? {
                do throws(TexelError) { return try VideoSource(input, options: options).frames().error } catch {
                    return error
                }
            }
            let text = try directory.add("text.mp4", Array("not a video".utf8))
            #expect(failure(text).map { "\($0)" }?.hasPrefix("the video cannot be read: ") == true)
            let missing = directory("missing.mp4")
            #expect(failure(missing) == .missingFile(FilePath(missing)))
            let sound = directory("sound.wav")
            try Program.run(Program.ffmpeg, ["-v", "error", "-f", "lavfi", "-i", "sine=d=0.1", sound])
            #expect(failure(sound)?.description == "the input has no video stream")
            let path = try directory.clip("clip.avi", ["-c:v", "mjpeg"])
            var options = StreamOptions()
            options.limits.side = 97
            #expect(
                failure(path, options).map { "\($0)" }?.contains("an image side of 98 pixels exceeds the limit of 97")
                    == true)
            #expect(failure("nonsense://x") == .unsupported("the kind of address nonsense"))
            // An address of a network may not name files.
            #expect(failure("file:\(path)") == .missingFile(FilePath("file:\(path)")))
            #expect(failure("file://\(path)") == nil)
        }

        @Test("A stop ends the stream without an error, also while an address does not answer")
        func stopEndsReadingAndConnecting() throws {
            let path = try directory.clip("clip.avi", ["-c:v", "mjpeg"])
            let source = try VideoSource(path)
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
            let stopped = failure { () throws(TexelError) in _ = try VideoSource(server.address, stop: waiting) }
            #expect(stopped == .stopped(.cancelled))
            var options = StreamOptions()
            options.stallLimit = .milliseconds(50)
            let stalled = failure { () throws(TexelError) in _ = try VideoSource(server.address, options: options) }
            #expect(stalled == .stalled(.milliseconds(50)))
        }

        @Test("Frames outlive their source")
        func framesOutliveTheirSource() throws {
            let path = try directory.clip("clip.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
            var kept: [DecodedPlanes] = []
            do {
                let source = try VideoSource(path)
                while let frame = try source.next(StopToken()) {
                    guard case .planes(let planes) = frame.takeContent() else { continue }
                    kept.append(planes)
                }
            }
            let found = try kept.map { try ReadFrame(SourceFrame(.planes($0), time: .zero, index: 0))?.bytes }
            #expect(found == (try VideoSource(path).frames().frames.map(\.bytes)))
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
