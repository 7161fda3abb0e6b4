import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

/// Each limit causes an error that names it, before memory is allocated.
@Suite struct LimitTests {
    private func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits()
        change(&limits)
        return limits
    }

    private func decodeFailure(_ bytes: [UInt8], _ limits: Limits) -> TexelError? {
        var options = DecodeOptions()
        options.policy.limits = limits
        do throws(TexelError) {
            _ = try bytes.source(limits).decodedAsStored(options)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["photograph.png", "photograph.jpg"])
    func sizesBeyondTheLimitsAreRefused(name: String) throws {
        let bytes = try TestFolders.testImage(name)
        let size = try bytes.source().info.size
        let count = size.width * size.height
        #expect(
            bytes.probeFailure(limits { $0.pixels = count - 1 })
                == .limitExceeded(.pixels, value: count, allowed: count - 1))
        #expect(bytes.probeFailure(limits { $0.pixels = count }) == nil)
        #expect(
            bytes.probeFailure(limits { $0.side = size.width - 1 })
                == .limitExceeded(.side, value: size.width, allowed: size.width - 1))
        #expect(bytes.probeFailure(limits { $0.side = size.width }) == nil)
        #expect(
            bytes.probeFailure(limits { $0.inputBytes = bytes.count - 1 })
                == .limitExceeded(.inputBytes, value: bytes.count, allowed: bytes.count - 1))
        // A file is only opened, so its pixels need no memory.
        #expect(bytes.probeFailure(limits { $0.plannedBytes = 1 }) == nil)
        // Decoding applies its own limits, even if probing had wider ones.
        var options = DecodeOptions()
        options.policy.limits.pixels = 1
        #expect(throws: TexelError.limitExceeded(.pixels, value: count, allowed: 1)) {
            try bytes.source().decodedAsStored(options)
        }
    }

    @Test func hugeHeadersAreRefusedBeforeMemoryIsTaken() {
        let jpeg = HandmadeJPEG.header(0xC0, width: 60_000, height: 60_000)
        let png = PNGFile.signature + HandmadePNG.header(width: 60_000, height: 60_000)
        for bytes in [jpeg, png] {
            #expect(
                bytes.probeFailure() == .limitExceeded(.pixels, value: 3_600_000_000, allowed: Limits().pixels))
        }
        let wide = PNGFile.signature + HandmadePNG.header(width: 0x7FFF_FFFF, height: 1)
        #expect(wide.probeFailure() == .limitExceeded(.side, value: 0x7FFF_FFFF, allowed: 65_535))
    }

    /// The inflated size of a PNG's rows is known from its header.
    @Test(arguments: [
        ("photograph.png", (320 * 3 + 1) * 240), ("rgba-16-bit.png", (64 * 8 + 1) * 48),
        ("gray-1-bit.png", (8 + 1) * 48), ("interlaced-gray-16-bit.png", (65 * 2 + 1) * 33),
        ("chart-palette.png", (100 + 1) * 150),
    ])
    func inflatedSizeOfRowsIsLimited(name: String, byteCount: Int) throws {
        let bytes = try TestFolders.testImage(name)
        #expect(
            bytes.probeFailure(limits { $0.inflatedBytes = byteCount - 1 })
                == .limitExceeded(.inflatedBytes, value: byteCount, allowed: byteCount - 1))
        #expect(bytes.probeFailure(limits { $0.inflatedBytes = byteCount }) == nil)
        // The largest possible header does not overflow.
        let huge = PNGFile.signature + HandmadePNG.header(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF)
        var wide = limits { $0.inflatedBytes = byteCount }
        (wide.side, wide.pixels) = (.max, .max)
        guard let failure = huge.probeFailure(wide), failure.kind == .limitExceeded(.inflatedBytes),
            failure.description.hasSuffix("the limit of \(byteCount)")
        else {
            Issue.record("not refused")
            return
        }
    }

    /// The default limits allow the largest image at eight bits per channel.
    @Test func inflatedRowsOfTheLargestImage() {
        let side = Int(Double(Limits().pixels).squareRoot())
        #expect((side * 4 + 1) * side <= Limits().inflatedBytes)
    }

    /// Many small chunks cost more memory and time than their size suggests.
    @Test func chunksBeyondTheLimitAreRefused() throws {
        let png = try TestFolders.testImage("size-3x7.png")
        let chunk = HandmadePNG.chunk("prVt", [])
        let many = HandmadePNG.inserting(Array([[UInt8]](repeating: chunk, count: 500).joined()), into: png)
        let count = PNGFile(bytes: InputBytes(many)).chunks.count
        #expect(count > 500)
        #expect(
            many.probeFailure(limits { $0.chunks = count - 1 })
                == .limitExceeded(.chunks, value: count, allowed: count - 1))
        #expect(decodeFailure(many, limits { $0.chunks = count }) == nil)
        let behind = Array(png.dropLast(12)) + Array([[UInt8]](repeating: chunk, count: 500).joined()) + png.suffix(12)
        #expect(
            decodeFailure(behind, limits { $0.chunks = count - 1 })
                == .limitExceeded(.chunks, value: count, allowed: count - 1))

        var jpeg = try TestFolders.testImage("size-3x7.jpg")
        jpeg.insert(
            contentsOf: [[UInt8]](repeating: HandmadeJPEG.segment(0xFE, []), count: 500).joined(), at: 2)
        let segments = try JPEGFile(InputBytes(jpeg)).segments.count
        #expect(
            jpeg.probeFailure(limits { $0.chunks = segments - 1 })
                == .limitExceeded(.chunks, value: segments, allowed: segments - 1))
        #expect(jpeg.probeFailure(limits { $0.chunks = segments }) == nil)
    }

    /// Damage that causes many warnings.
    @Test func tooManyWarningsAreRefused() throws {
        // Every ancillary chunk has a wrong checksum.
        let png = try TestFolders.testImage("size-3x7.png")
        var chunk = HandmadePNG.chunk("tEXt", Array("Key\0value".utf8))
        chunk[chunk.count - 1] ^= 1
        let damaged = HandmadePNG.inserting(Array([[UInt8]](repeating: chunk, count: 20).joined()), into: png)
        #expect(decodeFailure(damaged, limits { $0.warnings = 20 }) == nil)
        #expect(
            decodeFailure(damaged, limits { $0.warnings = 10 })
                == .limitExceeded(.warnings, value: 11, allowed: 10))

        // Each restart interval is cut short.
        let image = try PixelBuffer.noise(PixelSize(width: 320, height: 320), alphaMode: .opaque)
        let bytes = try image.encoded(as: .jpeg(JPEGOptions(isProgressive: false, effort: .fast)))
        let start = try JPEGFile(InputBytes(bytes)).scanStart
        let restarts = HandmadeJPEG.segment(0xDD, [0, 1])
        let scan = Array(bytes[start..<(start + 2 + Int(bytes[start + 2]) << 8 + Int(bytes[start + 3]))])
        let empty: [UInt8] = (0..<200).flatMap { index in [0x00, 0xFF, 0xD0 + UInt8(index % 8)] }
        let cut: [UInt8] = Array(bytes[..<start]) + restarts + scan + empty + [0xFF, 0xD9]
        var options = DecodeOptions()
        options.policy.strictness = .none
        options.policy.limits.warnings = 50
        #expect(throws: TexelError.limitExceeded(.warnings, value: 51, allowed: 50)) {
            _ = try cut.source().decodedAsStored(options)
        }
        options.policy.limits.warnings = 10_000
        #expect(throws: Never.self) { _ = try cut.source().decodedAsStored(options) }
    }

    // MARK: Metadata

    @Test func largeBlocksInJPEG() throws {
        let bytes = try TestFolders.testImage("metadata.jpg")
        let (exif, packet) = (TestImage.fullEXIF.count, TestImage.packet.count)
        #expect(exif > packet)
        #expect(bytes.probeFailure(limits { $0.metadataBytes = exif }) == nil)
        #expect(
            bytes.probeFailure(limits { $0.metadataBytes = exif - 1 })
                == .limitExceeded(.metadataBytes, value: exif, allowed: exif - 1))
        let profile = try TestFolders.testImage("wide-gamut-profile.jpg")
        guard case .iccProfile(let found) = try profile.source().info.colorSpace else {
            Issue.record("no profile")
            return
        }
        #expect(
            profile.probeFailure(limits { $0.metadataBytes = found.bytes.count - 1 })
                == .limitExceeded(.metadataBytes, value: found.bytes.count, allowed: found.bytes.count - 1))
        var commented = try TestFolders.testImage("size-3x7.jpg")
        commented.insert(contentsOf: HandmadeJPEG.segment(0xFE, Array(repeating: 65, count: 5000)), at: 2)
        #expect(
            commented.probeFailure(limits { $0.metadataBytes = 4999 })
                == .limitExceeded(.metadataBytes, value: 5000, allowed: 4999))
    }

    @Test func largeChunksInPNG() throws {
        let file = try TestFolders.testImage("size-3x7.png")
        let small = limits { $0.metadataBytes = 10_000 }
        for name in ["eXIf", "tEXt", "iTXt", "pCAL", "prVt"] {
            let chunk = HandmadePNG.chunk(name, Array("Key\0".utf8) + Array(repeating: 65, count: 10_000))
            #expect(
                HandmadePNG.inserting(chunk, into: file).probeFailure(small)
                    == .limitExceeded(.metadataBytes, value: 10_004, allowed: 10_000), "\(name)")
            // Also after the pixels.
            let behind = Array(file.dropLast(12)) + chunk + file.suffix(12)
            #expect(decodeFailure(behind, small) == .limitExceeded(.metadataBytes, value: 10_004, allowed: 10_000))
        }
        // A declared length of a gigabyte in a file of a hundred bytes.
        let claim = HandmadePNG.bigEndian(0x3FFF_FFFF) + Array("pCAL".utf8)
        #expect(
            HandmadePNG.inserting(claim, into: file).probeFailure()
                == .limitExceeded(.metadataBytes, value: 0x3FFF_FFFF, allowed: 8 << 20))
    }

    @Test func textAndProfileBombsAreRefused() throws {
        let file = try TestFolders.testImage("size-3x7.png")
        let bomb = try HandmadePNG.bomb(1_000_000)
        #expect(bomb.count < 5000)
        let small = limits { $0.metadataBytes = 100_000 }
        for chunk in [
            HandmadePNG.chunk("zTXt", Array("Comment\0\0".utf8) + bomb),
            HandmadePNG.chunk("iTXt", Array("Comment\0\u{1}\0en\0Kommentar\0".utf8) + bomb),
            HandmadePNG.chunk("iCCP", Array("profile\0\0".utf8) + bomb),
        ] {
            let bombed = HandmadePNG.inserting(chunk, into: file)
            #expect(bombed.probeFailure(small) == .limitExceeded(.metadataBytes, value: 100_001, allowed: 100_000))
            #expect(bombed.probeFailure() == nil)
        }
        // Ten small bombs count as a large one.
        let tenth = HandmadePNG.chunk("zTXt", Array("Comment\0\0".utf8) + (try HandmadePNG.bomb(90_000)))
        let many = HandmadePNG.inserting(Array([[UInt8]](repeating: tenth, count: 10).joined()), into: file)
        #expect(many.probeFailure(small) == .limitExceeded(.metadataBytes, value: 100_001, allowed: 100_000))
        // The same for ten profiles, although only one is used.
        let profile = HandmadePNG.chunk("iCCP", Array("Profile\0\0".utf8) + (try HandmadePNG.bomb(90_000)))
        let profiles = [1, 10].map { Array([[UInt8]](repeating: profile, count: $0).joined()) }
        #expect(HandmadePNG.inserting(profiles[0], into: file).probeFailure(small) == nil)
        #expect(
            HandmadePNG.inserting(profiles[1], into: file).probeFailure(small)
                == .limitExceeded(.metadataBytes, value: 100_001, allowed: 100_000))
    }

    // MARK: Scans and frames

    @Test func tooManyScansAreRefused() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 64, height: 64))
        let bytes = try image.encoded(as: .jpeg(JPEGOptions(isProgressive: true, effort: .fast)))
        #expect(decodeFailure(bytes, limits { $0.scans = 5 }) == .limitExceeded(.scans, value: 6, allowed: 5))
        #expect(decodeFailure(bytes, limits { $0.scans = 10 }) == nil)
        // A thousand repetitions of the last scan, for each coefficient of which libjpeg warns.
        let last = try #require(bytes.lastIndex(of: 0xDA)) - 1
        let scan = bytes[last..<(bytes.count - 2)]
        let bomb = Array(bytes.dropLast(2)) + Array([ArraySlice<UInt8>](repeating: scan, count: 1000).joined())
        #expect(
            decodeFailure(bomb + [0xFF, 0xD9], limits { $0.warnings = .max })
                == .limitExceeded(.scans, value: 501, allowed: 500))
    }

    /// A scan of a large image costs more, so fewer are allowed.
    @Test func scansOfLargeImages() {
        let limits = Limits()
        #expect(limits.scans(of: PixelSize(width: 4096, height: 2048)) == 500)
        #expect(limits.scans(of: PixelSize(width: 4096, height: 4096)) == 250)
        #expect(limits.scans(of: PixelSize(width: 8192, height: 8192)) == 62)
        #expect(limits.scans(of: PixelSize(width: 16_384, height: 16_384)) == 20)
        #expect(limits.scans(of: PixelSize(width: .max, height: .max)) == 20)
        #expect(self.limits { $0.scans = .max }.scans(of: PixelSize(width: 16_384, height: 16_384)) == .max)
        #expect(self.limits { $0.scans = 3 }.scans(of: PixelSize(width: 16_384, height: 16_384)) == 3)
        #expect(Limits.untrusted.scans(of: PixelSize(width: 7071, height: 7071)) == 20)
    }

    /// The sides of what phones write, with 50 to 200 megapixels.
    static let phones = [(8160, 6144), (8192, 6144), (9248, 6936), (12_000, 9000), (16_320, 12_240)]

    /// Usual images pass, and no limit is above the default.
    @Test func untrustedLimitsAreStricterAndAllowUsualImages() throws {
        let (strict, common) = (Limits.untrusted, Limits())
        for path in [
            \Limits.pixels, \.side, \.inputBytes, \.inflatedBytes, \.metadataBytes, \.chunks, \.scans, \.frames,
            \.warnings, \.codecBytes,
        ] {
            #expect(strict[keyPath: path] <= common[keyPath: path])
        }
        #expect(strict.plannedBytes != nil && common.plannedBytes == nil)
        for (width, height) in Self.phones {
            #expect(try HandmadeJPEG.header(0xC0, width: width, height: height).source(strict).info.size.width == width)
        }
        // Pixels in memory are what the limits refuse.
        #expect(throws: TexelError.limitExceeded(.plannedBytes, value: 1_024_000_000, allowed: 1_023_999_999)) {
            var limits = strict
            limits.plannedBytes = 1_023_999_999
            try limits.checkWhole(PixelSize(width: 16_000, height: 16_000))
        }
        for file in TestFolders.files(below: TestFolders.testImages) {
            #expect(decodeFailure(try TestFolders.testImage(file.lastPathComponent), strict) == nil, "\(file)")
        }
    }

    @Test func tooManyFramesAreRefused() throws {
        let file = try TestFolders.testImage("size-3x7.png")
        let control = HandmadePNG.chunk("acTL", HandmadePNG.bigEndian(7) + HandmadePNG.bigEndian(0))
        let animated = HandmadePNG.inserting(control, into: file)
        #expect(try animated.source().info.frameCount == 7)
        #expect(
            animated.probeFailure(limits { $0.frames = 6 }) == .limitExceeded(.frames, value: 7, allowed: 6))
    }

    @Test func workingMemoryOfJPEGsIsLimited() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 601, height: 599))
        // Blocks in whole MCUs, at two bytes for each coefficient and 64 bits of Texel's decoder.
        for (subsampling, blocks) in [(ChromaSubsampling.yuv444, 3 * 76 * 75), (.yuv420, 76 * 76 + 2 * 38 * 38)] {
            let bytes = try image.encoded(as: .jpeg(JPEGOptions(subsampling: subsampling, isProgressive: true)))
            let needed = blocks * (128 + 8)
            #expect(JPEGCodec().workingBytes(decoding: try bytes.source().info, shrink: 4) == Double(needed))
            #expect(
                decodeFailure(bytes, limits { $0.codecBytes = needed - 1 })
                    == .limitExceeded(.codecBytes, value: needed, allowed: needed - 1))
            #expect(decodeFailure(bytes, limits { $0.codecBytes = needed + 200_000 }) == nil)
        }
    }

    /// Sequential files with several scans keep all coefficients, too.
    @Test func coefficientsOfSeveralScans() throws {
        let frame = HandmadeJPEG.frame(0xC0, width: 80, height: 40, components: 3)
        for (components, needed) in [(3, 0), (1, 3 * 10 * 5 * 128)] {
            let selectors: [UInt8] = (0..<components).flatMap { [UInt8($0 + 1), 0] }
            let scan = HandmadeJPEG.segment(0xDA, [UInt8(components)] + selectors + [0, 63, 0])
            let header: [UInt8] = [0xFF, 0xD8] + frame + scan
            let info = try header.source().info
            for shrink in [1, 8] {
                #expect(JPEGCodec().workingBytes(decoding: info, shrink: shrink) == Double(needed))
            }
        }
    }

    // MARK: Stopping

    @Test(arguments: ["photograph.png", "photograph.jpg", "progressive.jpg", "interlaced-rgba.png", "ycck.jpg"])
    func decodingStopsWhenAsked(name: String) throws {
        let source = try TestFolders.testImage(name).source()
        for reason in [StopReason.cancelled, .timedOut] {
            var options = DecodeOptions()
            options.stop = StopToken { reason }
            #expect(throws: TexelError.stopped(reason)) { try source.decodedAsStored(options) }
            options.policy.strictness = .none
            #expect(throws: TexelError.stopped(reason)) { try source.decodedAsStored(options) }
        }
    }
}
