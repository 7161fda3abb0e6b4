import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG

@Suite struct JPEGDecodingTests {
    private func shrunken(_ bytes: [UInt8], by shrink: Int) throws -> PixelBuffer {
        var options = DecodeOptions()
        options.shrink = shrink
        return try bytes.source().decodedAsStored(options).image
    }

    @Test func imagesAreNearTheOnesThatWereDrawn() throws {
        let tolerances = [
            "photograph.jpg": 60, "progressive.jpg": 100, "subsampling-444.jpg": 40, "subsampling-422.jpg": 110,
            "subsampling-440.jpg": 110, "subsampling-420.jpg": 120, "rgb.jpg": 25, "size-65x33.jpg": 30,
        ]
        let seeds: [String: UInt64] = ["photograph.jpg": 1, "progressive.jpg": 9]
        for (name, tolerance) in tolerances {
            let image = try TestFolders.testImage(name).decoded()
            let canvas: Canvas =
                name.hasPrefix("size") ? .colors(image.size) : .photograph(image.size, seed: seeds[name] ?? 3)
            let drawn = try PixelBuffer(
                width: image.width, height: image.height, pixels: canvas.pixels, alphaMode: .opaque)
            expectPixelsEqual(image, drawn, tolerance: tolerance, name)
            for shift in [UInt32(0), 8, 16] {
                let difference = abs(image.mean(ofChannelAt: shift) - drawn.mean(ofChannelAt: shift))
                #expect(difference < 1.5, "\(name): mean of channel \(shift)")
            }
        }
    }

    @Test func allOrientationsDisplayTheSame() throws {
        let upright = try TestFolders.testImage("orientation-1.jpg").decoded()
        let letter = try PixelBuffer(
            width: 96, height: 64, pixels: Canvas.letter(upright.size).pixels, alphaMode: .opaque)
        for orientation in Orientation.allCases {
            let source = try TestFolders.testImage("orientation-\(orientation.rawValue).jpg").source()
            let displayed = try source.decodedAsStored().image.oriented(source.info.orientation)
            expectPixelsEqual(displayed, letter, tolerance: 45, "orientation \(orientation)")
        }
    }

    @Test(arguments: [
        "photograph.jpg", "progressive.jpg", "size-65x33.jpg", "size-3x7.jpg", "size-1x1.jpg", "cmyk.jpg",
    ])
    func shrinkingRoundsUpAndKeepsTheMean(name: String) throws {
        let bytes = try TestFolders.testImage(name)
        let whole = try bytes.decoded()
        for shrink in [1, 2, 4, 8] {
            let small = try shrunken(bytes, by: shrink)
            #expect(small.width == (whole.width + shrink - 1) / shrink)
            #expect(small.height == (whole.height + shrink - 1) / shrink)
            if whole.width > 100 {
                for shift in [UInt32(0), 8, 16] {
                    #expect(abs(small.mean(ofChannelAt: shift) - whole.mean(ofChannelAt: shift)) < 6)
                }
            }
        }
    }

    // MARK: Inks

    /// R = C' K' / 255 for inverted inks, where 255 is none.
    @Test(arguments: ["cmyk.jpg", "ycck.jpg"])
    func adobesInksAreInverted(name: String) throws {
        let image = try TestFolders.testImage(name).decoded()
        let inks = TestImage.invertedInks(.colors(image.size))
        let expected = try PixelBuffer.make(width: image.width, height: image.height) { x, y in
            let ink = inks[(4 * (y * image.width + x))...].prefix(4).map { UInt32($0) }
            let color = ink[0..<3].map { ($0 * ink[3] + 127) / 255 }
            return 0xFF00_0000 | color[0] << 16 | color[1] << 8 | color[2]
        }
        expectPixelsEqual(image, expected, tolerance: 20, name)
        #expect(image.colorSpace == .sRGB)
        for shift in [UInt32(0), 8, 16] {
            #expect(abs(image.mean(ofChannelAt: shift) - expected.mean(ofChannelAt: shift)) < 1)
        }
    }

    /// Files without Adobe's marker have usually lost it to a program that removed metadata, whatever else they have.
    @Test func inksWithoutAMarkerAreInvertedToo() throws {
        let marked = try TestFolders.testImage("cmyk.jpg")
        let adobe = try #require(try JPEGFile(InputBytes(marked)).segments.first { $0.marker == 0xEE })
        var plain = marked
        plain.removeSubrange((adobe.payload.lowerBound - 4)..<adobe.payload.upperBound)
        let expected = try marked.decoded()
        #expect(expected[95, 63] & 0xFFFFFF > 0xF00000)
        let jfif = JPEGSegments.jfif(nil).bytes
        for bytes in [plain, plain[..<2] + jfif + plain[2...]] {
            #expect(try bytes.source().info.colorModel == .cmyk)
            #expect(try bytes.decoded() == expected)
        }
    }

    /// A CMYK profile does not apply to RGB, nor a grey profile to colours.
    @Test func profilesThatDoNotFitAreIgnored() throws {
        let gray = try grayProfile(gamma: 1.8)
        let rgb = try #require(try ColorSpace.calibrated(TestImage.wideGamut).embeddableProfile())
        var inks = rgb.bytes
        inks.replaceSubrange(16..<20, with: Array("CMYK".utf8))
        let cmyk = try #require(ICCProfile(inks))
        func colorSpaces(_ name: String, _ profile: ICCProfile) throws -> [ColorSpace] {
            var bytes = try TestFolders.testImage(name)
            bytes.insert(contentsOf: JPEGSegments.profile(profile).flatMap(\.bytes), at: 2)
            let source = try bytes.source()
            return [source.info.colorSpace, try source.decodedAsStored().image.colorSpace]
        }
        for profile in [gray, cmyk] { #expect(try colorSpaces("rgb.jpg", profile) == [.sRGB, .sRGB]) }
        #expect(try colorSpaces("rgb.jpg", rgb) == [.iccProfile(rgb), .iccProfile(rgb)])
        for profile in [gray, rgb] {
            #expect(try colorSpaces("gray.jpg", profile) == [.iccProfile(profile), .iccProfile(profile)])
        }
        #expect(try colorSpaces("cmyk.jpg", rgb) == [.sRGB, .sRGB])
        // The header says CMYK, but the rest describes RGB.
        #expect(try colorSpaces("cmyk.jpg", cmyk) == [.sRGB, .sRGB])
    }

    // MARK: Restart markers

    private let values = [0, 40, -40, 80, 10, -30, 20, 5, -100, 0, 60, 60, -1, 1, 127, 20]

    @Test(arguments: [0, 1, 2, 3, 5, 16])
    func restartMarkersDoNotChangeThePixels(interval: Int) throws {
        let image = try HandmadeJPEG.gray(blocks: values, restartInterval: interval).decoded(.warning)
        #expect(image.size == PixelSize(width: 128, height: 8))
        for (index, value) in values.enumerated() {
            for x in (8 * index)..<(8 * index + 8) { #expect(image[x, 3] & 255 == UInt32(128 + value)) }
        }
    }

    /// A missing restart marker damages the rows up to the next one; the strictness decides whether that is accepted.
    @Test func aLostRestartMarkerIsDamage() throws {
        var bytes = HandmadeJPEG.gray(blocks: values, restartInterval: 2)
        let marker = try #require(bytes.firstIndex(of: [0xFF, 0xD2]))
        bytes.removeSubrange(marker..<(marker + 2))
        #expect(try bytes.decoded(.none).size == PixelSize(width: 128, height: 8))
        guard bytes.failure(.error)?.kind == .damaged else {
            Issue.record("\(String(describing: bytes.failure(.error)))")
            return
        }
    }

    // MARK: Strictness

    @Test(arguments: [
        "photograph.jpg", "progressive.jpg", "gray.jpg", "cmyk.jpg", "subsampling-422.jpg", "metadata.jpg",
    ])
    func cutFilesAreTruncated(name: String) throws {
        let bytes = try TestFolders.testImage(name)
        let size = try bytes.source().info.size
        let start = try JPEGFile(InputBytes(bytes)).scanStart + 14
        // The last row of blocks may end some bits early without being detected.
        let end = bytes.count - bytes.count / 8
        for index in 0..<50 {
            let cut = start + (end - start) * index / 50
            let part = Array(bytes[..<cut])
            for strictness in [Strictness.truncated, .error] {
                let failure = part.failure(strictness)
                guard let rowsRead = failure?.place.row else {
                    Issue.record("\(name) cut at \(cut), \(strictness): \(String(describing: failure))")
                    continue
                }
                #expect(failure == .truncated(rowsRead: rowsRead, rows: size.height))
                #expect((0...size.height).contains(rowsRead))
            }
            #expect(part.failure(.warning) != nil)
            let (first, second) = (try part.decoded(.none), try part.decoded(.none))
            #expect(first.size == size, "\(name) cut at \(cut)")
            #expect(first == second)
        }
    }

    /// Rows that are complete are counted in rows of the file, and are those of the whole file.
    @Test(arguments: ["photograph.jpg", "gray.jpg"]) func truncationAtEveryScale(name: String) throws {
        let bytes = try TestFolders.testImage(name)
        let whole = try bytes.decoded()
        let start = try JPEGFile(InputBytes(bytes)).scanStart + 14
        var counts: Set<Int> = []
        for index in 1..<20 {
            let part = Array(bytes[..<(start + (bytes.count - start) * index / 25)])
            let failures = [1, 2, 4, 8].flatMap { shrink in
                var options = DecodeOptions()
                options.shrink = shrink
                return [
                    Self.failure { () throws(TexelError) in _ = try part.source().decodedAsStored(options) },
                    Self.failure { () throws(TexelError) in
                        let decoder = try part.source().planeDecoder(options)
                        let band = try decoder.makeBand(8)
                        while try decoder.read(into: band) {}
                    },
                ]
            }
            #expect(Set(failures).count == 1, "\(failures)")
            guard let rowsRead = failures[0]?.place.row,
                failures[0] == .truncated(rowsRead: rowsRead, rows: whole.height)
            else {
                Issue.record("\(String(describing: failures[0]))")
                continue
            }
            counts.insert(rowsRead)
            // Chroma is interpolated from the rows on both sides.
            let sound = max(0, rowsRead - 1) * whole.width
            #expect(try part.decoded(.none).pixels.prefix(sound) == whole.pixels.prefix(sound), "\(rowsRead)")
        }
        #expect(counts.count > 5)
    }

    private static func failure(_ body: () throws(TexelError) -> Void) -> TexelError? {
        do throws(TexelError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test func aMissingEndPasses() throws {
        for name in ["photograph.jpg", "progressive.jpg", "gray.jpg"] {
            let bytes = try TestFolders.testImage(name)
            #expect(try Array(bytes.dropLast(2)).decoded() == bytes.decoded(), "\(name)")
        }
    }

    @Test func warningsPassUnlessTheyMayNot() throws {
        let bytes = try TestFolders.testImage("photograph.jpg")
        let whole = try bytes.decoded()
        // Some stray bytes before a marker, as some cameras write them.
        let table = try #require(bytes.firstIndex(of: [0xFF, 0xDB]))
        let stray = Array(bytes[..<table]) + [0, 0, 0] + bytes[table...]
        let decoded = try stray.source().decodedAsStored()
        #expect(decoded.image == whole)
        #expect(decoded.warnings.count == 1)
        for strictness in [Strictness.none, .truncated, .error] { #expect(try stray.decoded(strictness) == whole) }
        guard stray.failure(.warning)?.kind == .warning else {
            Issue.record("\(String(describing: stray.failure(.warning)))")
            return
        }
        for strictness in Strictness.allCases { #expect(try bytes.decoded(strictness) == whole) }
    }

    @Test func damageInThePixelsIsAnErrorForTheStrict() throws {
        var bytes = try TestFolders.testImage("photograph.jpg")
        // A marker in the middle of the pixels: everything after it is lost or shifted.
        let middle = bytes.count / 2
        bytes.replaceSubrange(middle..<(middle + 2), with: [0xFF, 0xD3])
        #expect(try bytes.decoded(.none).size == PixelSize(width: 640, height: 427))
        #expect(bytes.failure(.error) != nil)
        #expect(bytes.failure(.warning) != nil)
    }

    /// After a marker that is not expected, the decoder fills rows with grey: rows are missing.
    @Test(arguments: [0xC0, 0xE1, 0x10])
    func aForeignMarkerAmongThePixelsEndsThem(marker: Int) throws {
        var bytes = try TestFolders.testImage("photograph.jpg")
        let middle = bytes.count / 2
        bytes.replaceSubrange(middle..<(middle + 2), with: [0xFF, UInt8(marker)])
        guard bytes.failure()?.kind == .truncated else {
            Issue.record("\(String(describing: bytes.failure()))")
            return
        }
        #expect(try bytes.decoded(.none).size == PixelSize(width: 640, height: 427))
    }

    /// Lengths of 0 and 1 are invalid; in a comment they do no harm.
    @Test(arguments: [0, 1])
    func aCommentWithAnImpossibleLengthIsSkipped(length: Int) throws {
        let bytes = try TestFolders.testImage("photograph.jpg")
        let comment: [UInt8] = [0xFF, 0xFE, 0, UInt8(length)]
        #expect(try (Array(bytes.prefix(2)) + comment + bytes.dropFirst(2)).decoded() == bytes.decoded())
    }
}
