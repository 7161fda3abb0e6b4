#if Video
    import Foundation
    import SystemPackage
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelCore
    import TexelPipeline
    import TexelPixels

    @testable import TexelFrames

    @Suite("Damaged videos", .onThreads, .enabled(if: Program.ffmpeg != nil))
    struct VideoFaultTests {
        private let directory: TemporaryDirectory
        init() throws { directory = try TemporaryDirectory() }

        /// Makes a clip whose index comes first, so that a part of it can be read.
        private func clip(_ name: String, _ arguments: [String] = []) throws -> [UInt8] {
            let h264 = ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "5", "-movflags", "+faststart"]
            _ = try directory.clip(name, h264 + arguments, size: "176x144", seconds: "2")
            return try directory.bytes(name)
        }

        private func run(
            _ path: String, _ strictness: Strictness
        ) throws -> (statistics: FrameStatistics, error: TexelError?) {
            var options = FramePipelineOptions()
            options.decodePolicy.strictness = strictness
            let run = try FramePipeline(from: try VideoSource(path), into: NullSink(), options: options).start()
            let error = failure { () throws(TexelError) in try run.wait() }
            return (run.statistics, error)
        }

        @Test("An intact video has no faults", arguments: ["mp4", "mkv", "ts", "avi", "mov", "flv", "nut"])
        func intactVideoHasNoFaults(_ container: String) throws {
            _ = try clip("clip.\(container)")
            let (statistics, error) = try run(directory("clip.\(container)"), .warning)
            #expect(error == nil)
            #expect(statistics.faults == StreamFaults())
            #expect(statistics.framesOut == 50)
        }

        @Test(
            "Half a file is an error, or its frames are used and the end is told",
            arguments: ["mp4", "mkv", "mov", "nut"])
        func cutFileFailsUnlessAccepted(_ container: String) throws {
            let bytes = try clip("clip.\(container)")
            let path = try directory.add("half.\(container)", Array(bytes.prefix(bytes.count * 6 / 10)))
            for strictness in [Strictness.truncated, .error, .warning] {
                guard let error = try run(path, strictness).error, error.kind == .damaged else {
                    Issue.record("no failure")
                    return
                }
                #expect("\(error)".contains("could not be decoded") || "\(error)".contains("the file ends early"))
            }
            let (statistics, error) = try run(path, .none)
            #expect(error == nil)
            #expect(statistics.faults.losesFrames)
            #expect((5..<50).contains(statistics.framesOut))
        }

        @Test("Damage in the middle is counted, and an error unless it is accepted", arguments: ["mp4", "mkv", "ts"])
        func damageFailsUnlessAccepted(_ container: String) throws {
            var bytes = try clip("clip.\(container)")
            var random = SeededGenerator(seed: 3)
            for index in bytes.count / 2..<bytes.count * 6 / 10 {
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            let path = try directory.add("damaged.\(container)", bytes)
            guard try run(path, .error).error?.kind == .damaged else {
                Issue.record("no failure")
                return
            }
            let (statistics, error) = try run(path, .none)
            #expect(error == nil)
            #expect(!statistics.faults.isEmpty)
            #expect(statistics.framesOut >= 20)
        }

        @Test("Listeners are told")
        func listenersAreToldOfDamage() async throws {
            let bytes = try clip("clip.mp4")
            let path = try directory.add("half.mp4", Array(bytes.prefix(bytes.count * 6 / 10)))
            var options = FramePipelineOptions()
            options.decodePolicy.strictness = .none
            let run = try FramePipeline(from: try VideoSource(path), into: NullSink(), options: options).start()
            let events = run.events
            run.resume()
            var faults = StreamFaults()
            for await case .damage(let more) in events { faults = more }
            #expect(faults == run.statistics.faults)
        }

        @Test("A frame beyond the limit in the middle is an error, not a gap")
        func frameBeyondTheLimitIsAnError() throws {
            let path = try directory.add(
                "grow.h264",
                try ["64x48", "96x80"].flatMap { size in
                    _ = try directory.clip("part.h264", ["-c:v", "libx264", "-pix_fmt", "yuv420p"], size: size)
                    return try directory.bytes("part.h264")
                })
            var options = StreamOptions()
            options.limits.pixels = 64 * 48
            let (frames, error) = try VideoSource(path, options: options).frames()
            #expect(frames.count <= 10)
            #expect(error == .limitExceeded(.pixels, value: 96 * 80, allowed: 64 * 48))
        }

        @Test("A stream of no frames is an error, and so is a file of sound; its cover is one frame")
        func streamWithoutFramesIsAnError() throws {
            // The header of an IVF that announces a thousand million frames.
            var header = Array("DKIF".utf8) + [0, 0, 32, 0] + Array("VP80".utf8) + [64, 0, 64, 0]
            header += [25, 0, 0, 0, 1, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B, 0, 0, 0, 0]
            let path = try directory.add("none.ivf", header)
            #expect(try VideoSource(path).frames().error == .invalidStream("the video has no frames"))
            let (sound, cover, both) = (directory("sound.m4a"), directory("cover.png"), directory("both.m4a"))
            for arguments in [
                ["-f", "lavfi", "-i", "sine=d=0.2", "-c:a", "aac", sound],
                ["-f", "lavfi", "-i", "color=red:s=32x32", "-frames:v", "1", cover],
                [
                    "-i", sound, "-i", cover, "-map", "0", "-map", "1", "-c", "copy", "-disposition:v", "attached_pic",
                    both,
                ],
            ] {
                try Program.run(Program.ffmpeg, ["-v", "error"] + arguments)
            }
            #expect(
                failure { () throws(TexelError) in _ = try VideoSource(sound) }?.description
                    == "the input has no video stream")
            let source = try VideoSource(both)
            #expect(source.info.isCover && source.info.rate == nil)
            #expect(source.frames().frames.count == 1)
        }

        @Test("Random damage ends neither the process nor the stream")
        func randomDamageDoesNotEndTheStream() throws {
            let whole = try clip("whole.avi", ["-c:v", "mpeg4"])
            var openedCount = 0
            for seed in 1...12 {
                var random = SeededGenerator(seed: UInt64(seed))
                var bytes = whole
                for _ in 0..<(seed * 4) {
                    bytes[Int.random(in: 6000..<bytes.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                if seed % 3 == 0 { bytes.removeLast(bytes.count / 3) }
                let damaged = try directory.add("damaged.avi", bytes)
                guard let source = try? VideoSource(damaged) else { continue }
                openedCount += 1
                let (frames, error) = source.frames()
                #expect(error == nil && !frames.isEmpty, "seed \(seed)")
            }
            #expect(openedCount > 6)
        }

        /// Demuxers have codes of the system for some of it, such as "Operation not permitted".
        @Test(
            "Damage is never called a failure to read",
            arguments: [("mkv", "libx264"), ("nut", "mpeg4"), ("ogv", "libtheora"), ("mov", "mpeg4")])
        func damageIsNeverAReadFailure(container: String, codec: String) throws {
            let whole = try clip("whole.\(container)", ["-c:v", codec])
            for seed in 1...40 {
                var random = SeededGenerator(seed: UInt64(seed))
                var bytes = whole
                let end = seed % 2 == 0 ? bytes.count : min(2000, bytes.count)
                for _ in 0..<(1 + seed) {
                    bytes[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                let damaged = try directory.add("damaged.\(container)", bytes)
                var failure: TexelError?
                do throws(TexelError) {
                    failure = try VideoSource(damaged).frames().error
                } catch {
                    failure = error
                }
                if failure?.kind == .streamFailed { Issue.record("seed \(seed): \(String(describing: failure))") }
            }
        }

        @Test(
            "Inputs that name other files are refused, whatever their names",
            arguments: [
                "ffconcat version 1.0\nfile 'clip.mp4'\n",
                "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nclip.mp4\n#EXT-X-ENDLIST\n",
                "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"></MPD>",
                "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n",
                "Only text.\n",
            ])
        func inputsNamingOtherFilesAreRefused(_ text: String) throws {
            _ = try clip("clip.mp4")
            for name in ["list.mp4", "list.ffconcat", "list.m3u8", "list.txt", "list.sdp"] {
                let path = try directory.add(name, Array(text.utf8))
                let error = failure { () throws(TexelError) in _ = try VideoSource(path) }
                switch error?.kind {
                case .unsupported, .damaged: break
                default: Issue.record("\(name): \(error.map { "\($0)" } ?? "no failure")")
                }
            }
        }
    }
#endif
