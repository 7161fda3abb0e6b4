#if Video
    import Foundation
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelCore
    import TexelPixels

    @testable import TexelFrames

    @Suite("Parts of videos", .onThreads, .enabled(if: Program.ffmpeg != nil))
    struct VideoSeekingTests {
        private let directory: TemporaryDirectory
        init() throws { directory = try TemporaryDirectory() }

        private static let h264 = ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "2", "-g", "30"]

        @Test(
            "A range begins with the same frame as reading all, for every container and place",
            arguments: ["mp4", "mkv", "ts", "avi", "nut", "h264", "webm"])
        func rangesEqualPartsOfTheWhole(_ container: String) throws {
            let codec = container == "webm" ? ["-c:v", "libvpx-vp9", "-g", "30"] : Self.h264
            let path = try directory.clip("clip.\(container)", codec, seconds: "4")
            let all = try VideoSource(path).frames().frames
            #expect(all.count == 100)
            for milliseconds in [0, 1, 40, 1000, 1180, 1210, 2999, 3960, 3961, 9000] {
                let start = Duration.milliseconds(milliseconds)
                let found = try VideoSource(path).range(from: .time(start)).frames()
                #expect(found.error == nil)
                let expected = all.filter { $0.time >= start }
                #expect(found.frames.map(\.time) == expected.map { $0.time - start }, "from \(start)")
                let isTheSame = found.frames.map(\.bytes) == expected.map(\.bytes)
                #expect(isTheSame, "from \(start)")
            }
            let part = try VideoSource(path).range(from: .time(.milliseconds(1210)), to: .milliseconds(1310))
            let expected = all.filter { $0.time >= .milliseconds(1210) && $0.time < .milliseconds(1310) }
            let isTheSame = part.frames().frames.map(\.bytes) == expected.map(\.bytes)
            #expect(isTheSame)
        }

        @Test("A frame by its number is the one of reading all", arguments: ["mp4", "mkv", "ts", "avi", "h264"])
        func numbersFindTheSameFrames(_ container: String) throws {
            let path = try directory.clip("clip.\(container)", Self.h264, seconds: "4")
            let all = try VideoSource(path).frames().frames
            for number in [0, 1, 29, 30, 31, 77, 99] {
                let source = try VideoSource(path).range(from: .frame(number)).prefix(1)
                let (frames, error) = source.frames()
                #expect(error == nil)
                let isTheSame = frames.map(\.bytes) == [all[number].bytes]
                #expect(isTheSame, "\(number)")
            }
            let beyond = try VideoSource(path).range(from: .frame(100)).frames()
            #expect(beyond.frames.isEmpty && beyond.error == .missingFrame(100))
        }

        @Test("One frame per interval is the first one that is due", arguments: ["mp4", "ts"])
        func intervalsGiveTheirFirstFrame(_ container: String) throws {
            let path = try directory.clip("clip.\(container)", Self.h264, seconds: "4")
            let all = try VideoSource(path).frames().frames
            for milliseconds in [40, 100, 700, 1500, 10_000] {
                let interval = Duration.milliseconds(milliseconds)
                let found = try VideoSource(path).sampled(every: interval).frames().frames
                var expected: [ReadFrame] = []
                for frame in all where frame.time >= interval * expected.count {
                    expected.append(frame)
                }
                #expect(found.map(\.time) == expected.map(\.time), "every \(interval)")
                let isTheSame = found.map(\.bytes) == expected.map(\.bytes)
                #expect(isTheSame, "every \(interval)")
            }
        }

        @Test("Sources that cannot skip give the same parts")
        func sourcesWithoutSeekingGiveSameParts() throws {
            let upstream = ScriptedSource(Array(stride(from: 0, to: 400, by: 40)))
            let range = upstream.range(from: .time(.milliseconds(90)), to: .milliseconds(250))
            #expect(try range.seenFrames().map(\.time) == [30, 70, 110, 150].map { .milliseconds($0) })
            let single = ScriptedSource([0, 40, 80]).range(from: .frame(2))
            #expect(try single.seenFrames().map(\.time) == [.zero])
            let beyond = ScriptedSource([0, 40, 80]).range(from: .frame(3))
            #expect(throws: TexelError.missingFrame(3)) { try beyond.seenFrames() }
            let sampled = ScriptedSource(Array(stride(from: 0, to: 400, by: 40))).sampled(every: .milliseconds(100))
            #expect(try sampled.seenFrames().map(\.time) == [0, 120, 200, 320].map { .milliseconds($0) })
            // One drop counted upstream, and six frames between.
            #expect(sampled.countDropped(.sampled) == 7)
        }
    }
#endif
