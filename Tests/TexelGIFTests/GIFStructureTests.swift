#if GIF
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelGIF

    /// Files of every structure, assembled by hand.
    @Suite struct GIFStructureTests {
        private let checks = CodecChecks(GIFCodec())
        private let black = TestGIF.colors[0]
        private let white = TestGIF.colors[1]
        private let red = TestGIF.colors[2]
        private let green = TestGIF.colors[3]

        @Test func versionsAndTables() throws {
            for version in ["87a", "89a"] {
                var file = TestGIF(width: 2, height: 2, version: version)
                try file.image([0, 1, 2, 3], width: 2, height: 2)
                #expect(try checks.decoded(file.ended, .warning).image.pixels == [black, white, red, green])
                #expect(try checks.source(file.ended).info.coding == "GIF\(version)")
            }
            var file = TestGIF(width: 2, height: 1)
            try file.image([1, 0], width: 2, height: 1, colors: [0xFF01_0203, 0xFF04_0506])
            #expect(try checks.decoded(file.ended, .warning).image.pixels == [0xFF04_0506, 0xFF01_0203])
            // Neither table: black, which the strictness can reject.
            file = TestGIF(width: 1, height: 1, colors: [])
            try file.image([1], width: 1, height: 1)
            #expect(try checks.decoded(file.ended).image.pixels == [black])
            #expect(
                throws: TexelError.gif(.invalidValue(1, of: "colour index", context: "a table of 0 colours"))
            ) { try checks.decoded(file.ended, .error) }
        }

        @Test func interlacedRowsDecodeInPlace() throws {
            for height in [1, 2, 3, 4, 5, 8, 9, 16, 27] {
                let rows = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
                    Array(stride(from: start, to: height, by: step))
                }
                var file = TestGIF(width: 3, height: height)
                try file.image(
                    rows.flatMap { [UInt8]([UInt8($0 % 4), UInt8($0 / 4 % 4), 1]) }, width: 3, height: height,
                    isInterlaced: true)
                let image = try checks.decoded(file.ended, .warning).image
                let expected = (0..<height).flatMap {
                    [TestGIF.colors[$0 % 4], TestGIF.colors[$0 / 4 % 4], white]
                }
                #expect(image.pixels == expected, "\(height)")
                let info = try checks.source(file.ended).info
                #expect(info.isProgressive)
                #expect(info.coding == "GIF89a, interlaced")
            }
        }

        /// An animation's extension without its fields is not copied, and the copy declares the canvas that is shown.
        @Test func copiesAreValid() throws {
            var file = TestGIF(width: 1, height: 1)
            file.application("NETSCAPE2.0", [0])
            try file.image([1, 2, 3, 0, 1, 2], width: 3, height: 2)
            let copy = try checks.source(file.ended).rewritten(
                metadata: WrittenMetadata(), keeping: [.color], stop: nil)
            #expect(Array(copy[6..<10]) == [3, 0, 2, 0])
            #expect(!String(decoding: copy, as: UTF8.self).contains("NETSCAPE"))
            #expect(try checks.decoded(copy, .warning).image == checks.decoded(file.ended).image)
        }

        /// Other readers refuse images without pixels and outside of the canvas, so that such files are not copied.
        @Test func imagesWithoutPixelsOrOutsideAreNotCopied() throws {
            func isDamaged(x: Int, width: Int) throws -> Bool {
                var file = TestGIF(width: 4, height: 1)
                try file.image([1, 2, 3, 0], width: 4, height: 1)
                if width > 0 {
                    try file.image([UInt8](repeating: 1, count: width), x: x, width: width, height: 1)
                } else {
                    file.descriptor(x: x, width: 0, height: 1)
                    file.data(minimumSize: 2, codes: [(4, 3), (5, 3)])
                }
                let animation = try #require(try checks.source(file.ended).animation(limits: Limits()))
                let decoder = try animation.decoder(of: 1, DecodeOptions())
                _ = try decoder.readImage()
                return try decoder.finish().hasDamagedPixels
            }
            #expect(try !isDamaged(x: 1, width: 3))
            #expect(try isDamaged(x: 2, width: 3))
            #expect(try isDamaged(x: 4, width: 1))
            #expect(try isDamaged(x: 1, width: 0))
        }

        /// Browsers accept these, but some other readers do not.
        @Test func filesAgainstTheSpecificationAreNotCopied() throws {
            func isCopied(
                minimumSize: UInt8 = 2, codes: [(code: Int, bits: Int)] = [(4, 3), (1, 3), (2, 3), (5, 3)],
                _ change: (inout TestGIF) -> Void = { _ in }
            ) throws -> Bool {
                var file = TestGIF(width: 2, height: 1, colors: Array(TestGIF.colors.prefix(3)))
                change(&file)
                file.descriptor(width: 2, height: 1)
                file.data(minimumSize: minimumSize, codes: codes)
                return try !checks.decoded(file.ended).notes.hasDamagedPixels
            }
            #expect(try isCopied())
            #expect(try isCopied { $0.control(transparent: 3) })
            #expect(try isCopied(codes: [(4, 3), (1, 3), (4, 3), (2, 3), (5, 3)]))
            // Without a clear code or an end code, with another index, with another byte, of another code size.
            #expect(try !isCopied(codes: [(1, 3), (2, 3), (5, 3)]))
            #expect(try !isCopied(codes: [(4, 3), (1, 3), (2, 3)]))
            #expect(try !isCopied(codes: [(4, 3), (1, 3), (2, 3), (0, 3), (5, 3)]))
            #expect(try !isCopied(codes: [(4, 3), (1, 3), (2, 3), (5, 3), (0, 8)]))
            #expect(try !isCopied(minimumSize: 1, codes: [(2, 2), (1, 2), (0, 2), (3, 3)]))
            // Two extensions for one image, an unknown disposal, an extension of another size.
            #expect(
                try !isCopied { file in
                    file.control()
                    file.control()
                })
            #expect(try !isCopied { $0.control(disposal: 4) })
            #expect(try !isCopied { $0.bytes += [0x21, 0xF9, 5, 0, 0, 0, 0, 0, 0] })
            // An index without a colour: the table has four, of which the last is the transparent one.
            var file = TestGIF(width: 1, height: 1, colors: [0xFF00_0000, 0xFFFF_FFFF])
            file.descriptor(width: 1, height: 1)
            file.data(minimumSize: 2, codes: [(4, 3), (3, 3), (5, 3)])
            #expect(try checks.decoded(file.ended).notes.hasDamagedPixels)
        }

        /// Rows outside the canvas are not displayed. Whether the file has them or not, it is not copied.
        @Test(arguments: [false, true]) func missingRowsOutsideTheCanvas(isInterlaced: Bool) throws {
            for count in [2, 3, 4] {
                var file = TestGIF(width: 1, height: 4)
                file.descriptor(y: 2, width: 1, height: 4, isInterlaced: isInterlaced)
                let codes = [(4, 3)] + [(1, 3), (2, 3), (3, 3), (1, 4)].prefix(count)
                file.data(minimumSize: 2, codes: codes + [(5, count < 3 ? 3 : 4)])
                let decoded = try? checks.decoded(file.ended)
                // Of an interlaced image, the second row is the third in the file.
                #expect((decoded != nil) == (!isInterlaced || count > 2), "\(count)")
                if let decoded { #expect(decoded.notes.hasDamagedPixels, "\(count)") }
            }
        }

        /// The same applies to the rows of an image that is completely outside.
        @Test(arguments: [false, true]) func missingRowsOfAnImageOutsideTheCanvas(isInterlaced: Bool) throws {
            for count in [0, 3, 4] {
                var file = TestGIF(width: 1, height: 1)
                try file.image([1], width: 1, height: 1)
                file.descriptor(x: 64, width: 1, height: 4, isInterlaced: isInterlaced)
                let codes = [(4, 3)] + [(1, 3), (2, 3), (3, 3), (1, 4)].prefix(count)
                file.data(minimumSize: 2, codes: codes + [(5, count < 3 ? 3 : 4)])
                let animation = try #require(try checks.source(file.ended).animation(limits: Limits()))
                let decoder = try animation.decoder(of: 1, DecodeOptions())
                #expect(decoder.size == PixelSize(width: 1, height: 1))
                #expect(try decoder.finish().hasDamagedPixels, "\(count)")
            }
        }

        @Test func cutInterlacedImageKeepsItsFirstPasses() throws {
            var file = TestGIF(width: 1, height: 8)
            file.descriptor(width: 1, height: 8, isInterlaced: true)
            file.data(minimumSize: 2, codes: [(4, 3), (1, 3), (2, 3), (3, 3), (5, 4)])
            #expect(throws: TexelError.truncated(rowsRead: 3, rows: 8)) { try checks.decoded(file.ended) }
            let decoded = try checks.decoded(file.ended, .none)
            #expect(decoded.image.pixels == [white, 0, green, 0, red, 0, 0, 0])
            #expect(decoded.warnings == ["5 rows are missing: the data end early"])
        }

        @Test func canvasAroundAnImage() throws {
            var file = TestGIF(width: 4, height: 3)
            try file.image([1, 2], x: 1, y: 1, width: 2, height: 1)
            #expect(
                try checks.decoded(file.ended, .warning).image.pixels == [0, 0, 0, 0, 0, white, red, 0, 0, 0, 0, 0])
            #expect(try checks.source(file.ended).info.hasAlpha)
        }

        @Test func imagesOutsideOfTheCanvas() throws {
            // Partly outside: clipped.
            var file = TestGIF(width: 2, height: 2)
            try file.image([1, 2, 3, 1], x: 1, y: 1, width: 2, height: 2)
            #expect(try checks.decoded(file.ended, .warning).image.pixels == [0, 0, 0, white])
            // Completely outside: nothing is drawn.
            file = TestGIF(width: 2, height: 2)
            try file.image([1, 2, 3, 1], x: 2, y: 0, width: 2, height: 2)
            #expect(try checks.decoded(file.ended, .warning).image.pixels == [0, 0, 0, 0])
            // The first image is larger than the canvas, which may be empty: it is enlarged.
            for screen in [0, 1] {
                file = TestGIF(width: screen, height: screen)
                try file.image([1, 2], width: 2, height: 1)
                try file.image([3, 3, 3, 3, 3, 3], width: 6, height: 1)
                #expect(try checks.source(file.ended).info.size == PixelSize(width: 2, height: 1))
                #expect(try checks.decoded(file.ended).image.pixels == [white, red])
                #expect(try checks.decoded(file.ended, frame: 1).image.pixels == [green, green])
            }
            file = TestGIF(width: 0, height: 1)
            try file.image([], width: 0, height: 0)
            #expect(throws: TexelError.gif(.invalidDimensions(width: 0, height: 1))) { try checks.source(file.ended) }
            // A frame outside of the canvas still takes its time, and its disposal changes nothing.
            file = TestGIF(width: 1, height: 1)
            try file.image([1], width: 1, height: 1)
            file.control(delay: 7, disposal: 2)
            try file.image([2], x: 5, y: 5, width: 1, height: 1)
            try file.image([], width: 0, height: 0)
            let animation = try #require(try checks.source(file.ended).animation(limits: Limits()))
            #expect(animation.frames.map(\.delay) == [0, 7, 0].map { FrameDelay($0, 100) })
            for frame in 0..<3 {
                #expect(try checks.decoded(file.ended, frame: frame).image.pixels == [white])
            }
        }

        @Test func transparentIndicesShowTheCanvas() throws {
            var file = TestGIF(width: 2, height: 1)
            file.control(transparent: 2)
            try file.image([1, 2], width: 2, height: 1)
            #expect(try checks.decoded(file.ended, .warning).image.pixels == [white, 0])
            // An index beyond the table is allowed.
            file = TestGIF(width: 2, height: 1, colors: [black, white])
            file.control(transparent: 3)
            try file.image([1, 3], width: 2, height: 1)
            #expect(try checks.decoded(file.ended, .error).image.pixels == [white, 0])
            // The control extension belongs to the text.
            file = TestGIF(width: 2, height: 1)
            file.control(transparent: 2)
            file.bytes += [0x21, 1, 12] + [UInt8](repeating: 1, count: 12) + [1, 65, 0]
            try file.image([1, 2], width: 2, height: 1)
            #expect(try checks.decoded(file.ended, .warning).image.pixels == [white, red])
        }

        @Test func disposalsAreApplied() throws {
            var file = TestGIF(width: 3, height: 1)
            for (index, disposal) in [0, 1, 2, 3, 4, 5].enumerated() {
                file.control(delay: index + 1, disposal: UInt8(disposal), transparent: 0)
                // White, then one green pixel that moves.
                try file.image(index == 0 ? [1, 1, 1] : [3], x: index % 3, width: index == 0 ? 3 : 1, height: 1)
            }
            let frames = try (0..<6).map { try checks.decoded(file.ended, frame: $0).image.pixels }
            #expect(
                frames == [
                    [white, white, white], [white, green, white], [white, green, green],
                    // The third is cleared, and the next two vanish.
                    [green, green, 0], [white, green, 0], [white, green, green],
                ])
            let animation = try #require(try checks.source(file.ended).animation(limits: Limits()))
            #expect(animation.frames.map(\.disposal) == [.none, .none, .background, .previous, .previous, .none])
            #expect(animation.frames.map(\.delay) == (1...6).map { FrameDelay($0, 100) })
        }

        @Test(arguments: ["NETSCAPE2.0", "ANIMEXTS1.0"]) func loopExtensionsGiveThePlayCount(name: String) throws {
            func playCount(_ data: [UInt8]?) throws -> Int? {
                var file = TestGIF(width: 1, height: 1)
                if let data { file.application(name, data) }
                try file.image([1], width: 1, height: 1)
                try file.image([2], width: 1, height: 1)
                return try checks.source(file.ended).animation(limits: Limits())?.playCount
            }
            #expect(try playCount(nil) == 1)
            #expect(try playCount([3, 1, 0, 0, 0]) == 0)
            #expect(try playCount([3, 1, 1, 0, 0]) == 2)
            #expect(try playCount([3, 1, 0xFF, 0xFF, 0]) == 65_536)
            // A buffer size, and data that are too short.
            #expect(try playCount([5, 2, 1, 0, 0, 0, 0]) == 1)
            #expect(try playCount([2, 1, 9, 0]) == 1)
        }

        @Test func metadataOfAllForms() throws {
            let packet = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'>é</x:xmpmeta>".utf8)
            let blocks = [[UInt8(packet.count)], packet, [0]].flatMap { $0 }
            for data in [GIFXMP.data(of: packet) + [0], blocks] {
                var file = TestGIF(width: 1, height: 1)
                file.application("XMP DataXMP", data)
                file.bytes += [0x21, 0xFE, 2, 65, 66, 1, 67, 0]
                file.bytes += [0x21, 0x99, 1, 5, 0]
                try file.image([1], width: 1, height: 1)
                file.bytes += [0x21, 0xFE, 1, 0xFF, 0]
                let metadata = try checks.source(file.ended).info.metadata
                #expect(metadata.xmp?.bytes == packet)
                #expect(metadata.comments.map(\.text) == ["ABC", "ÿ"])
                #expect(try checks.decoded(file.ended).metadata == metadata)
                // Without metadata, and with others.
                let plain = try checks.source(file.ended).rewritten(
                    metadata: WrittenMetadata(), keeping: [.color], stop: nil)
                var expected = TestGIF(width: 1, height: 1)
                try expected.image([1], width: 1, height: 1)
                #expect(plain == expected.ended)
                let text = TextComment(bytes: [88], encoding: .unknown)
                let copy = try checks.source(file.ended).rewritten(
                    metadata: WrittenMetadata(comments: [text]), keeping: [.color], stop: nil)
                #expect(try checks.source(copy).info.metadata == ImageMetadata(comments: [text]))
            }
        }

        /// The repetitions stay the first extension, and a GIF87a becomes a GIF89a only if it needs to.
        @Test func rewritingKeepsTheRest() throws {
            var file = TestGIF(width: 1, height: 1)
            file.application("NETSCAPE2.0", [3, 1, 0, 0, 0])
            let start = file.bytes.count
            file.control(delay: 5)
            try file.image([1], width: 1, height: 1)
            file.control(delay: 6)
            try file.image([2], width: 1, height: 1)
            let metadata = WrittenMetadata(comments: [TextComment(bytes: [88], encoding: .unknown)])
            let copy = try checks.source(file.ended).rewritten(metadata: metadata, keeping: [], stop: nil)
            let comment: [UInt8] = [0x21, 0xFE, 1, 88, 0]
            let expected: [UInt8] = Array(file.bytes[..<start]) + comment + Array(file.bytes[start...]) + [0x3B]
            #expect(copy == expected)
            var old = TestGIF(width: 1, height: 1, version: "87a")
            try old.image([1], width: 1, height: 1)
            let same = try checks.source(old.ended).rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
            #expect(same == old.ended)
            let new = try checks.source(old.ended).rewritten(metadata: metadata, keeping: [], stop: nil)
            #expect(new.starts(with: "GIF89a".utf8))
        }

        @Test func missingOrExcessiveEndsAreTolerated() throws {
            var file = TestGIF(width: 1, height: 1)
            try file.image([1], width: 1, height: 1)
            // Without a trailer, with superfluous terminators, with bytes after the trailer.
            for end: [UInt8] in [[], [0, 0, 0x3B], [0x3B, 1, 2, 3]] {
                #expect(try checks.decoded(file.bytes + end).image.pixels == [white])
            }
            #expect(try checks.decoded(file.bytes).warnings == ["the file ends without a trailer"])
            #expect(throws: TexelError.warning("the file ends without a trailer")) {
                try checks.decoded(file.bytes, .warning)
            }
            // Other bytes end the file.
            let garbage = try checks.decoded(file.bytes + [0x42, 1, 2])
            #expect(garbage.image.pixels == [white])
            #expect(garbage.warnings == ["unknown block 66 after 1 images"])
            #expect(throws: TexelError.gif(.missing("image"))) {
                try checks.source(TestGIF(width: 1, height: 1).ended)
            }
            #expect(throws: TexelError.truncated(rowsRead: 0, rows: 0)) {
                try checks.source(TestGIF(width: 1, height: 1).bytes)
            }
            #expect(throws: TexelError.gif(.invalidValue(0x42, of: "block type"))) {
                try checks.source(TestGIF(width: 1, height: 1).bytes + [0x42])
            }
        }

        @Test func rowsAfterInvalidCodesAreMissing() throws {
            var file = TestGIF(width: 1, height: 3)
            file.descriptor(width: 1, height: 3)
            file.data(minimumSize: 2, codes: [(4, 3), (1, 3), (7, 3)])
            let defect = FormatDefect.invalidValue(7, of: "LZW code", context: "a table of 6 codes")
            #expect(throws: TexelError.gif(defect)) { try checks.decoded(file.ended) }
            let decoded = try checks.decoded(file.ended, .none)
            #expect(decoded.image.pixels == [white, 0, 0])
            #expect(decoded.warnings == ["2 rows are missing: \(defect)"])
            // More indices than pixels are ignored, and so is what follows the last pixel.
            file = TestGIF(width: 1, height: 1)
            file.descriptor(width: 1, height: 1)
            file.data(minimumSize: 2, codes: [(4, 3), (1, 3), (2, 3), (7, 3)])
            #expect(try checks.decoded(file.ended, .warning).image.pixels == [white])
        }

        /// The frames before the end of a file are there, and the fault says what is missing.
        @Test func cutAnimationKeepsItsFirstFrames() throws {
            var file = TestGIF(width: 1, height: 1)
            for index in 0..<3 { try file.image([UInt8(index)], width: 1, height: 1) }
            let source = try checks.source(Array(file.bytes.dropLast(2)))
            #expect(source.info.frameCount == 2)
            let animation = try #require(try source.animation(limits: Limits()))
            #expect(animation.frames.count == 2)
            #expect(animation.fault == .truncated(rowsRead: 0, rows: 1))
            #expect(throws: TexelError.truncated(rowsRead: 0, rows: 1)) {
                try checks.decoded(Array(file.bytes.dropLast(2)), frame: 2)
            }
            #expect(throws: TexelError.missingFrame(3, count: 3)) { try checks.decoded(file.ended, frame: 3) }
            var limits = Limits()
            limits.frames = 2
            #expect(throws: TexelError.limitExceeded(.frames, value: 3, allowed: 2)) {
                try checks.source(file.ended, limits)
            }
            // Nothing is missing but the trailer.
            #expect(try checks.source(file.bytes).animation(limits: Limits())?.fault == nil)
        }
    }
#endif
