import TexelCore

#if Video
    import Foundation
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelPipeline
    import TexelPixels

    @testable import TexelFrames

    /// Small videos that were made after public bug reports.
    @Suite(
        "Reported videos", .onThreads,
        .enabled(if: TestFolders.corpora != nil && LoadedVideos.areReadable, "needs TEXEL_CORPORA"))
    struct ReportedVideoTests {
        private func path(_ name: String) throws -> String {
            try #require(TestFolders.corpora).appendingPathComponent("reports/frames/\(name)").path
        }

        private func images(_ name: String, _ options: StreamOptions = StreamOptions()) throws -> [PixelBuffer] {
            let renderer = FrameRenderer(Recipe(), policy: DecodePolicy())
            let pool = FramePool(capacity: 1)
            let (source, stop) = (try FrameSourceFactory.open(try path(name), options: options), StopToken())
            var images: [PixelBuffer] = []
            while let frame = try source.next(stop) {
                guard let lease = try pool.lease(byteCount: 1, stop) else { break }
                images.append(try renderer.render(frame, arrival: .zero, into: lease).pixelBuffer())
            }
            return images
        }

        /// Expects the pixel in the middle of each frame, within a step.
        private func expect(
            _ name: String, _ pixel: UInt32, count: Int, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let images = try images(name)
            #expect(images.count == count, sourceLocation: sourceLocation)
            for image in images {
                let found = image.pixels[image.height / 2 * image.width + image.width / 2]
                func byte(_ pixel: UInt32, _ index: Int) -> Int { Int(pixel >> (8 * UInt32(index)) & 255) }
                let isClose = (0..<4).allSatisfy { abs(byte(found, $0) - byte(pixel, $0)) <= 1 }
                #expect(isClose, "\(String(found, radix: 16))", sourceLocation: sourceLocation)
            }
        }

        @Test("Colours and alpha are those that were stored")
        func colorsAndAlphaAreAsStored() throws {
            try expect("calpha_vp9.webm", 0x80C0_3040, count: 3)
            try expect("calpha444_unt_hd.mov", 0x80C0_3040, count: 3)
            try expect("cunt_1280x536.mp4", 0xFFC0_3040, count: 3)
            try expect("cycgco.mp4", 0xFFC0_3040, count: 3)
        }

        @Test(
            "Forms that Texel does not read itself are read through FFmpeg",
            arguments: ["h264.nut", "nv21.nut", "odd411.mkv", "y_yuv411p.y4m"])
        func otherFormsAreReadByFFmpeg(_ name: String) throws { #expect(try images(name).count >= 3) }

        @Test("Frames with equal ticks keep their order")
        func framesWithEqualTicksKeepOrder() throws {
            let times = try FrameSourceFactory.open(try path("fast.mkv")).frames().frames.map(\.time)
            #expect(times.count == 20)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    /// Whether FFmpeg's libraries are there.
    enum LoadedVideos {
        static let areReadable = LinkedLibrary.all.contains { $0.name == "libavcodec" && $0.version != nil }
    }
#endif
