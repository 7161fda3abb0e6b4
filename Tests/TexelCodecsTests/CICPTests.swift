import Foundation
import TestImageWriting
import TestSupport
import Testing
import TexelFormats
@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG
@testable import TexelPixels

/// The cICP chunk of PNG: reading, writing and conversion; it is never mistaken for sRGB.
@Suite struct CICPTests {
    private static let size = PixelSize(width: 16, height: 16)

    /// Returns a PNG with a cICP chunk.
    private static func file(_ pixels: PixelBuffer, _ values: [UInt8]) throws -> [UInt8] {
        let bytes = try pixels.encoded(as: .png(PNGOptions(reducesLosslessly: false, effort: .fast)))
        var writer = PNGChunkWriter()
        writer.append("cICP", values)
        let chunk = writer.bytes.dropFirst(PNGFile.signature.count)
        return Array(bytes[..<33]) + chunk + bytes[33...]
    }

    private static func points(_ primaries: Int, _ transfer: Int, isFullRange: Bool = true) throws -> ColorSpace {
        .codePoints(
            try #require(CICP(primaries: primaries, transfer: transfer, isFullRange: isFullRange)))
    }

    private func solid(_ pixel: UInt32, _ primaries: Int, _ transfer: Int, isFullRange: Bool = true) throws -> UInt32 {
        var image = try PixelBuffer(width: 1, height: 1, filledWith: pixel)
        image.colorSpace = try Self.points(primaries, transfer, isFullRange: isFullRange)
        return try image.convertedToSRGB()[0, 0]
    }

    @Test func whatAFileSays() throws {
        let image = try PixelBuffer.noise(Self.size, seed: 1)
        func colorSpace(_ values: [UInt8]) throws -> ColorSpace {
            let source = try CodecRegistry.shared.open(InputBytes(Self.file(image, values)))
            #expect(try source.decodedAsStored().image.colorSpace == source.info.colorSpace)
            return source.info.colorSpace
        }
        #expect(try colorSpace([1, 13, 0, 1]) == .sRGB)
        #expect(try colorSpace([12, 13, 0, 1]) == Self.points(12, 13))
        #expect(try colorSpace([9, 16, 0, 1]) == Self.points(9, 16))
        // Samples are RGB, whatever the matrix coefficients, and may use the narrow range.
        #expect(try colorSpace([9, 16, 9, 1]) == Self.points(9, 16))
        #expect(try colorSpace([9, 16, 0, 0]) == Self.points(9, 16, isFullRange: false))
        #expect(try colorSpace([1, 13, 0, 0]) == Self.points(1, 13, isFullRange: false))
        // Reserved numbers and a wrong length are ignored.
        for values: [UInt8] in [[0, 13, 0, 1], [9, 3, 0, 1], [9, 16, 0, 2], [9, 16, 0]] {
            #expect(try colorSpace(values) == .sRGB, "\(values)")
        }
    }

    @Test func namesAreTrue() throws {
        #expect(CICP(primaries: 12, transfer: 13)?.name == "Display P3")
        #expect(CICP(primaries: 9, transfer: 16)?.name == "BT.2020, PQ")
        #expect(CICP(primaries: 9, transfer: 18)?.name == "BT.2020, HLG")
        #expect(CICP(primaries: 1, transfer: 8)?.name == "BT.709, linear")
    }

    @Test func pngKeepsThem() throws {
        for (primaries, transfer, isFullRange) in [
            (12, 13, true), (9, 16, true), (9, 18, true), (9, 14, true), (1, 13, false), (9, 16, false),
        ] {
            var image = try PixelBuffer.noise(Self.size, seed: 2)
            image.colorSpace = try Self.points(primaries, transfer, isFullRange: isFullRange)
            let bytes = try image.encoded(as: .png(PNGOptions()))
            let back = try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored().image
            #expect(back.colorSpace == image.colorSpace)
            expectPixelsEqual(back, image)
        }
    }

    /// JPEG has no code points: they are written as a profile; high dynamic range is converted to sRGB.
    @Test func jpegHasAProfileOrSRGB() throws {
        for (primaries, transfer, isConverted) in [(12, 13, false), (9, 14, false), (9, 16, true), (9, 18, true)] {
            var image = try PixelBuffer.smooth(Self.size)
            image.colorSpace = try Self.points(primaries, transfer)
            for effort in Effort.allCases {
                let encoding = ImageEncoding.jpeg(JPEGOptions(quality: 95, effort: effort))
                let info = try CodecRegistry.shared.open(InputBytes(image.encoded(as: encoding))).info
                #expect((info.colorSpace == .sRGB) == isConverted, "\(primaries) \(transfer) \(effort)")
            }
        }
    }

    /// Compares with published matrices: P3's green is outside sRGB, its greys are those of sRGB.
    @Test func standardDynamicRange() throws {
        for gray: UInt32 in [0, 1, 60, 128, 200, 255] {
            let pixel = 0xFF00_0000 | gray << 16 | gray << 8 | gray
            let converted = try solid(pixel, 12, 13)
            for shift: UInt32 in [0, 8, 16] { #expect(abs(Int(converted >> shift & 255) - Int(gray)) <= 1) }
        }
        #expect(try solid(0xFF00_FF00, 12, 13) == 0xFF00_FF00)
        // P3 (200, 100, 50) is sRGB (215, 93, 31) by the matrices of both (SMPTE RP 177).
        let converted = try solid(0xFFC8_6432, 12, 13)
        for (shift, value) in [(16, 215), (8, 93), (0, 31)] as [(UInt32, Int)] {
            #expect(abs(Int(converted >> shift & 255) - value) <= 2, "\(String(converted, radix: 16))")
        }
    }

    /// 16 is black and 235 white; a file of another format has the full range.
    @Test func narrowRangeBecomesFullRange() throws {
        for (sample, value) in [(0, 0), (16, 0), (17, 1), (126, 128), (235, 255), (255, 255)] as [(UInt32, UInt32)] {
            let pixel = try solid(0x8000_0000 | sample * 0x1_0101, 1, 13, isFullRange: false)
            #expect(pixel == 0x8000_0000 | value * 0x1_0101, "\(sample)")
        }
        #expect(try solid(0xFFB5_B5B5, 9, 16, isFullRange: false) == solid(0xFFC0_C0C0, 9, 16))
        var image = try PixelBuffer(width: 8, height: 8, filledWith: 0xFFEB_EBEB)
        image.colorSpace = try Self.points(1, 13, isFullRange: false)
        let jpeg = try CodecRegistry.shared.open(InputBytes(image.encoded(as: .jpeg(JPEGOptions())))).decodedAsStored()
            .image
        #expect(jpeg.colorSpace == .sRGB && jpeg[4, 4] == 0xFFFF_FFFF)
    }

    /// Brighter stays brighter, greys stay grey, and 1,000 cd/m² becomes white.
    @Test(arguments: [16, 18]) func toneMappingKeepsOrderAndGreys(transfer: Int) throws {
        var last = -1
        for sample: UInt32 in 0...255 {
            let pixel = try solid(0x8000_0000 | sample << 16 | sample << 8 | sample, 9, transfer)
            let (red, green, blue) = (Int(pixel >> 16 & 255), Int(pixel >> 8 & 255), Int(pixel & 255))
            #expect(pixel >> 24 == 0x80 && abs(red - green) <= 1 && abs(green - blue) <= 1)
            #expect(green >= last)
            last = green
        }
        #expect(last == 255)
        // PQ's sample for 1,000 cd/m² is 0.7518 (ST 2084); HLG's is 1.
        #expect(try solid(0xFFC0_C0C0, 9, 16) == 0xFFFF_FFFF)
        // 100 cd/m² is 0.5081 in PQ; tone mapping leaves about half of white's light.
        let middle = try solid(0xFF82_8282, 9, 16) & 255
        #expect((150...200).contains(middle), "\(middle)")
    }

    @Test func cutChunksAreReadWithinTheirBounds() throws {
        let bytes = try Self.file(try .noise(Self.size, seed: 1), [9, 16, 0, 1])
        for count in 0..<bytes.count {
            _ = try? CodecRegistry.shared.open(InputBytes(Array(bytes[..<count]))).decodedAsStored()
        }
    }

    @Test(.enabled(if: Corpora.isThere)) func realPQFileHasHighDynamicRange() throws {
        let file = try #require(TestFolders.corpora).appendingPathComponent("malformed/image-png/cicp_pq.png")
        let source = try CodecRegistry.shared.open(InputBytes(Corpora.bytes(file)))
        #expect(source.info.colorSpace.isHighDynamicRange)
    }
}
