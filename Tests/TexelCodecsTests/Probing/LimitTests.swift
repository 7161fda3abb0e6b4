import TestImageWriting
import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs

/// Every limit ends with an error that names it, before memory is taken.
@Suite struct LimitTests {
    private func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits()
        change(&limits)
        return limits
    }

    private func decodeFailure(_ bytes: [UInt8], _ limits: Limits) -> CodecError? {
        var options = DecodeOptions()
        options.limits = limits
        do throws(CodecError) {
            _ = try bytes.source(limits).decoded(options)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["photograph.png", "photograph.jpg"])
    func sizes(name: String) throws {
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
        // A source that was probed under wider limits is held to those of its decoding.
        var options = DecodeOptions()
        options.limits.pixels = 1
        #expect(throws: CodecError.limitExceeded(.pixels, value: count, allowed: 1)) {
            try bytes.source().decoded(options)
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
            // Behind the pixels as well.
            let behind = Array(file.dropLast(12)) + chunk + file.suffix(12)
            #expect(decodeFailure(behind, small) == .limitExceeded(.metadataBytes, value: 10_004, allowed: 10_000))
        }
        // A length of a gigabyte in a file of a hundred bytes.
        let claim = HandmadePNG.bigEndian(0x3FFF_FFFF) + Array("pCAL".utf8)
        #expect(
            HandmadePNG.inserting(claim, into: file).probeFailure()
                == .limitExceeded(.metadataBytes, value: 0x3FFF_FFFF, allowed: 8 << 20))
    }

    @Test func textBombs() throws {
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
        // Ten small ones are a large one.
        let tenth = HandmadePNG.chunk("zTXt", Array("Comment\0\0".utf8) + (try HandmadePNG.bomb(90_000)))
        let many = HandmadePNG.inserting(Array([[UInt8]](repeating: tenth, count: 10).joined()), into: file)
        #expect(many.probeFailure(small) == .limitExceeded(.metadataBytes, value: 100_001, allowed: 100_000))
    }

    // MARK: Scans and frames

    @Test func scans() throws {
        let picture = try PixelBuffer.smooth(PixelSize(width: 64, height: 64))
        let bytes = try picture.encoded(as: .jpeg(JPEGOptions(isProgressive: true, effort: .fast)))
        #expect(decodeFailure(bytes, limits { $0.scans = 5 }) == .limitExceeded(.scans, value: 6, allowed: 5))
        #expect(decodeFailure(bytes, limits { $0.scans = 10 }) == nil)
        // The last scan a thousand times over.
        let last = try #require(bytes.lastIndex(of: 0xDA)) - 1
        let scan = bytes[last..<(bytes.count - 2)]
        let bomb = Array(bytes.dropLast(2)) + Array([ArraySlice<UInt8>](repeating: scan, count: 1000).joined())
        #expect(
            decodeFailure(bomb + [0xFF, 0xD9], Limits()) == .limitExceeded(.scans, value: 501, allowed: 500))
    }

    @Test func frames() throws {
        let file = try TestFolders.testImage("size-3x7.png")
        let control = HandmadePNG.chunk("acTL", HandmadePNG.bigEndian(7) + HandmadePNG.bigEndian(0))
        let animated = HandmadePNG.inserting(control, into: file)
        #expect(try animated.source().info.frameCount == 7)
        #expect(
            animated.probeFailure(limits { $0.frames = 6 }) == .limitExceeded(.frames, value: 7, allowed: 6))
    }

    @Test func workingMemory() throws {
        let bytes = try PixelBuffer.smooth(PixelSize(width: 600, height: 600)).encoded(as: .jpeg(JPEGOptions()))
        #expect(decodeFailure(bytes, limits { $0.codecBytes = 100_000 }) == .outOfMemory)
    }

    // MARK: Stopping

    @Test(arguments: ["photograph.png", "photograph.jpg", "progressive.jpg", "interlaced-rgba.png", "ycck.jpg"])
    func decodingStopsWhenAsked(name: String) throws {
        let source = try TestFolders.testImage(name).source()
        for reason in [StopReason.cancelled, .timedOut] {
            var options = DecodeOptions()
            options.stopCheck = StopCheck { reason }
            #expect(throws: CodecError.stopped(reason)) { try source.decoded(options) }
            options.strictness = .none
            #expect(throws: CodecError.stopped(reason)) { try source.decoded(options) }
        }
    }
}
