import Testing
import TexelCodecs
import TexelPixels

@Suite struct EXIFTests {
    @Test(arguments: ByteOrder.allCases)
    func readsWhatTheBuilderWrote(order: ByteOrder) throws {
        let exif = try #require(EXIF(SampleEXIF.builder(order).block()))
        #expect(exif.orientation == .rotated90)
        #expect(exif.hasGPS)
        #expect(exif.hasThumbnail)
        #expect(exif.density == PixelDensity(horizontal: Rational(300), vertical: Rational(300), unit: .perInch))
        let summary = exif.summary
        #expect(summary.make == "Texel Works")
        #expect(summary.model == "T1")
        #expect(summary.lensModel == "Planar 50")
        #expect(summary.date == "2024:01:02 03:04:05")
        #expect(summary.exposureTime?.description == "1/250")
        #expect(summary.fNumber?.value == 2.8)
        #expect(summary.isoSpeed == 400)
        #expect(summary.focalLength == Rational(50))
        #expect(summary.copyright == "A photographer")
        #expect(summary.hasGPS)
    }

    @Test func leadingJPEGSignatureIsTakenOff() {
        let block = SampleEXIF.builder(.littleEndian).block()
        #expect(EXIF(Array("Exif\0\0".utf8) + block)?.bytes == block)
    }

    @Test(arguments: [0, 9, 77, 65535] as [UInt16])
    func orientationWithoutAMeaningIsNone(value: UInt16) throws {
        let exif = try #require(EXIF(SampleEXIF.builder(.bigEndian, orientation: value).block()))
        #expect(exif.orientation == nil)
    }

    @Test(arguments: Orientation.allCases)
    func smallestBlockSaysTheOrientation(orientation: Orientation) {
        #expect(EXIF(EXIF.block(orientation: orientation))?.orientation == orientation)
    }

    @Test func textsAreFitForATerminal() throws {
        var builder = EXIFBuilder(byteOrder: .littleEndian)
        builder.add(EXIFTag.make, .ascii("  Evil\u{1B}[31m\r\nCorp  "), to: \.image)
        builder.add(EXIFTag.dateTime, .ascii("0000:00:00 00:00:00"), to: \.image)
        let summary = try #require(EXIF(builder.block())).summary
        #expect(summary.make == "Evil[31mCorp")
        #expect(summary.date == nil)
    }

    @Test func onlyAVersionIsNoPlace() throws {
        var builder = EXIFBuilder(byteOrder: .littleEndian)
        builder.add(EXIFTag.gpsVersion, .undefined([2, 3, 0, 0]), to: \.gps)
        #expect(try #require(EXIF(builder.block())).hasGPS == false)
    }

    @Test func whatIsNoBlockIsRefused() {
        #expect(EXIF([]) == nil)
        #expect(EXIF(Array("Exif\0\0".utf8)) == nil)
        #expect(EXIF([0x49, 0x49, 43, 0, 8, 0, 0, 0, 0, 0]) == nil)
        // No entries; a directory inside the header; a directory after the end.
        #expect(EXIF([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
        #expect(EXIF([0x49, 0x49, 42, 0, 0, 0, 0, 0] + [UInt8](repeating: 1, count: 40)) == nil)
        #expect(EXIF([0x49, 0x49, 42, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0]) == nil)
    }
}
