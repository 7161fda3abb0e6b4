import TestImageWriting
import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

/// Files with other metadata have identical pixel data.
@Suite struct RewritingTests {
    private func rewritten(
        _ bytes: [UInt8], _ policy: MetadataPolicy, keepsColor: Bool = true
    ) throws -> (bytes: [UInt8], info: ImageInfo) {
        let source = try bytes.source()
        let metadata = source.info.metadata.kept(
            under: policy, orientation: source.info.orientation, size: source.info.size, keepsThumbnail: true)
        let result = try source.rewritten(metadata: metadata, keeping: keepsColor ? [.color] : [], stop: nil)
        return (result, try result.source().info)
    }

    private func pixelData(_ bytes: [UInt8]) throws -> [UInt8] {
        if try bytes.source().info.format == .png {
            return HandmadePNG.data(of: "IHDR", in: bytes) + HandmadePNG.data(of: "PLTE", in: bytes)
                + HandmadePNG.data(of: "tRNS", in: bytes) + HandmadePNG.data(of: "IDAT", in: bytes)
        }
        let file = try JPEGFile(InputBytes(bytes))
        let tables = file.segments.filter { !(0xE0...0xEF).contains($0.marker) && $0.marker != 0xFE }
        return tables.flatMap { Array(bytes[$0.payload]) } + bytes[file.scanStart..<(try file.end(nil))]
    }

    @Test(arguments: MetadataPolicy.allCases)
    func pixelsStayByteForByte(policy: MetadataPolicy) throws {
        for image in try TestImage.all() {
            let (bytes, info) = try rewritten(image.bytes, policy)
            let source = try image.bytes.source()
            #expect(try pixelData(bytes) == pixelData(image.bytes), "\(image.name)")
            #expect(try bytes.decoded(.warning) == image.bytes.decoded(), "\(image.name)")
            #expect(info.colorSpace == source.info.colorSpace, "\(image.name)")
            #expect(info.orientation == source.info.orientation, "\(image.name)")
        }
    }

    /// A copy of a JPEG ends with the marker of the end, though the file does not.
    @Test func endMarkersAreAdded() throws {
        let whole = try PixelBuffer.random(width: 20, height: 20).encoded(as: .jpeg(JPEGOptions(isProgressive: false)))
        for count in [1, 2] {
            let copy = try rewritten(Array(whole.dropLast(count)), .color).bytes
            #expect(try copy == rewritten(whole, .color).bytes)
            #expect(copy.suffix(2) == [0xFF, 0xD9])
        }
    }

    @Test func policiesAreApplied() throws {
        for name in ["metadata.jpg", "metadata.png"] {
            let file = try TestFolders.testImage(name)
            let all = try rewritten(file, .all).info.metadata
            #expect(all.exif?.hasGPS == true)
            #expect(all.xmp != nil)
            #expect(all.comments.first?.text == TestImage.comment)
            #expect(all.density == (try file.source().info.metadata.density))

            let privacy = try rewritten(file, .privacy)
            #expect(privacy.info.metadata.exif?.summary.copyright == "The Texel project")
            #expect(privacy.info.metadata.exif?.hasGPS == false)
            #expect(!privacy.bytes.contains(Array("0815".utf8)))
            #expect(privacy.info.metadata.comments.isEmpty)

            let color = try rewritten(file, .color).info.metadata
            #expect(color == ImageMetadata(density: all.density))
            #expect(try rewritten(file, .none).info.metadata == ImageMetadata())
        }
    }

    @Test(arguments: ["wide-gamut-profile.jpg", "wide-gamut-profile.png", "wide-gamut-gamma-chromaticities.png"])
    func colorGoesWhenAsked(name: String) throws {
        let file = try TestFolders.testImage(name)
        let (bytes, info) = try rewritten(file, .none, keepsColor: false)
        #expect(info.colorSpace == .sRGB)
        #expect(try bytes.decoded().pixels == file.decoded().pixels)
    }

    @Test func profilesOfSeveralSegmentsStayWhole() throws {
        var profile = try #require(try ColorSpace.calibrated(TestImage.wideGamut).embeddableProfile()).bytes
        profile += [UInt8](repeating: 7, count: 150_000)
        for (index, shift) in [24, 16, 8, 0].enumerated() { profile[index] = UInt8(profile.count >> shift & 255) }
        var image = try PixelBuffer.random(width: 9, height: 9)
        image.colorSpace = .iccProfile(try #require(ICCProfile(profile)))
        let file = try image.encoded(as: .jpeg(JPEGOptions()))
        #expect(try rewritten(file, .color).info.colorSpace == image.colorSpace)
    }

    @Test func whatLiesBehindTheImageGoes() throws {
        for name in ["photograph.jpg", "progressive.jpg", "photograph.png"] {
            let file = try TestFolders.testImage(name)
            let plain = try rewritten(file, .all).bytes
            let preview = try TestFolders.testImage("size-3x7.jpg")
            #expect(try rewritten(file + preview, .all).bytes == plain, "\(name)")
        }
    }

    /// Adobe's marker is kept: without it the inks would be inverted.
    @Test(arguments: ["cmyk.jpg", "ycck.jpg", "rgb.jpg"])
    func adobesMarkerStays(name: String) throws {
        let file = try TestFolders.testImage(name)
        let marker = try JPEGFile(InputBytes(file)).adobeTransform
        let (bytes, info) = try rewritten(file, .none)
        #expect(marker != nil)
        #expect(try JPEGFile(InputBytes(bytes)).adobeTransform == marker)
        #expect(info.colorModel == (try file.source().info.colorModel))
    }

    /// Components with the identifiers R, G and B are RGB only without a JFIF segment.
    @Test func aMissingJFIFSegmentIsNotAdded() throws {
        var file = try TestFolders.testImage("rgb.jpg")
        let segments = try JPEGFile(InputBytes(file)).segments.filter { $0.marker == 0xEE || $0.marker == 0xE0 }
        for segment in segments.reversed() {
            file.removeSubrange((segment.payload.lowerBound - 4)..<segment.payload.upperBound)
        }
        #expect(try file.source().info.colorModel == .rgb)
        let (bytes, info) = try rewritten(file, .color)
        #expect(info.colorModel == .rgb)
        #expect(try bytes.decoded() == file.decoded())
    }

    @Test func checksumsAreRight() throws {
        for image in try TestImage.all() where image.name.hasSuffix("png") {
            let file = PNGFile(bytes: InputBytes(try rewritten(image.bytes, .all).bytes))
            #expect(file.chunks.last?.name == "IEND")
            for chunk in file.chunks {
                let (declared, computed) = file.checksums(of: chunk)
                #expect(declared == computed, "\(image.name): \(chunk.name)")
            }
        }
    }

    @Test func animationsStayWhole() throws {
        let file = try TestFolders.testImage("size-3x7.png")
        let big = HandmadePNG.bigEndian
        let frame = big(3) + big(7) + big(0) + big(0) + [0, 1, 0, 10, 0, 0]
        let data = HandmadePNG.data(of: "IDAT", in: file)
        var animated = HandmadePNG.inserting(
            HandmadePNG.chunk("acTL", big(2) + big(0)) + HandmadePNG.chunk("fcTL", big(0) + frame), into: file)
        let second = HandmadePNG.chunk("fcTL", big(1) + frame) + HandmadePNG.chunk("fdAT", big(2) + data)
        animated.insert(contentsOf: second, at: animated.count - 12)
        let (bytes, info) = try rewritten(animated, .none)
        #expect(info.frameCount == 2)
        #expect(bytes == animated)
    }

    private static let big = HandmadePNG.bigEndian

    /// Returns an animated version of a file of 3 × 7 pixels.
    ///
    /// - Parameters:
    ///   - count: the number of frames that acTL declares.
    ///   - change: changes the data of each fcTL and fdAT, and returns false to leave the chunk out.
    private func animated(
        _ file: [UInt8], frames count: UInt32 = 3,
        _ change: (_ index: Int, _ data: inout [UInt8]) -> Bool = { _, _ in
            true
        }
    ) -> [UInt8] {
        let frame = Self.big(3) + Self.big(7) + Self.big(0) + Self.big(0) + [0, 1, 0, 10, 0, 0]
        let pixels = HandmadePNG.data(of: "IDAT", in: file)
        var number = 0
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            defer { number += 1 }
            var data = Self.big(UInt32(number)) + content
            return change(number, &data) ? HandmadePNG.chunk(name, data) : []
        }
        var result = HandmadePNG.inserting(
            HandmadePNG.chunk("acTL", Self.big(count) + Self.big(0)) + chunk("fcTL", frame), into: file)
        for _ in 0..<2 {
            let next = chunk("fcTL", frame) + chunk("fdAT", pixels)
            result.insert(contentsOf: next, at: result.count - 12)
        }
        return result
    }

    private func names(_ bytes: [UInt8]) -> [String] { PNGFile(bytes: InputBytes(bytes)).chunks.map(\.name) }

    /// Control chunks without frames, or without a valid one, are not copied.
    @Test func framesWithoutControlAreNotCopied() throws {
        let file = try TestFolders.testImage("size-3x7.png")
        let plain = try rewritten(file, .none).bytes
        for bytes in [
            animated(file, frames: 0),
            animated(file) { index, data in
                if index == 0 { data.removeLast(9) }
                return true
            },
            animated(file) { index, _ in index != 0 },
            HandmadePNG.inserting(HandmadePNG.chunk("acTL", [0, 0]), into: file),
            HandmadePNG.inserting(HandmadePNG.chunk("fcTL", [1, 2, 3]), into: file),
            HandmadePNG.inserting(HandmadePNG.chunk("fdAT", [0, 0, 0, 0, 1]), into: file),
        ] {
            let (copy, _) = try rewritten(bytes, .none)
            // The frame 0 may be left out while others are valid.
            if names(copy).contains("acTL") { continue }
            #expect(copy == plain)
            #expect(try !bytes.source().decodedAsStored().warnings.isEmpty)
        }
    }

    /// Only the frames before a defect are copied, with their number.
    @Test func validFramesAreCopied() throws {
        let file = try TestFolders.testImage("size-3x7.png")
        for (frames, bytes) in [
            (1, animated(file) { index, _ in index != 2 }), (2, animated(file) { index, _ in index != 4 }),
            (
                2,
                animated(file) { index, data in
                    if index == 3 { data[3] = 9 }
                    return true
                }
            ),
            (
                2,
                animated(file) { index, data in
                    if index == 3 { data.removeLast() }
                    return true
                }
            ),
            (2, animated(file, frames: 2)), (3, animated(file, frames: 9)),
        ] {
            let (copy, info) = try rewritten(bytes, .none)
            #expect(info.frameCount == frames)
            #expect(names(copy).count { $0 == "fcTL" } == frames)
            #expect(names(copy).count { $0 == "fdAT" } == frames - 1)
            #expect(try copy.source().animation(limits: Limits())?.fault == nil)
        }
    }

    /// Chunks with a wrong length, value, place or number are not copied.
    @Test func invalidChunksAreNotCopied() throws {
        let file = try TestFolders.testImage("size-3x7.png")
        let plain = try rewritten(file, .color).bytes
        let chromaticities: [UInt32] = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]
        let cHRM = chromaticities.flatMap(Self.big)
        for (name, data) in [
            ("cHRM", Array(cHRM.dropLast())), ("cHRM", cHRM.dropLast(4) + Self.big(200_000)),
            ("cHRM", [UInt8](repeating: 0, count: 32)), ("gAMA", [0, 0, 1]), ("gAMA", Self.big(0)), ("sRGB", [9]),
            ("sRGB", []), ("iCCP", Array("name".utf8) + [0, 0, 1, 2, 3]), ("iCCP", []), ("cICP", [1, 2, 0, 7]),
            ("cICP", [1]), ("mDCV", [1]), ("cLLI", [1]), ("sBIT", [99]), ("tRNS", [1, 2, 3]), ("bKGD", [1]),
            ("hIST", [0, 1]), ("PLTE", [1, 2]),
        ] {
            let bytes = HandmadePNG.inserting(HandmadePNG.chunk(name, data), into: file)
            guard let copy = try? rewritten(bytes, .color).bytes else { continue }
            #expect(copy == plain, "\(name) \(data)")
        }
        let good = HandmadePNG.chunk("cHRM", cHRM)
        var damaged = good
        damaged[damaged.count - 1] ^= 1
        #expect(try rewritten(HandmadePNG.inserting(damaged, into: file), .color).bytes == plain)
        // Twice, and after the pixels.
        let once = try rewritten(HandmadePNG.inserting(good, into: file), .color).bytes
        #expect(once.count == plain.count + good.count)
        #expect(try rewritten(HandmadePNG.inserting(good + good, into: file), .color).bytes == once)
        var late = file
        late.insert(contentsOf: good, at: late.count - 12)
        #expect(try rewritten(late, .color).bytes == plain)
        // A file without its end.
        #expect(try rewritten(Array(file.dropLast(12)), .color).bytes == plain)
    }
}
