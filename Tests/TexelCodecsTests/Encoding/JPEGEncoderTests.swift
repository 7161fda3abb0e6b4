import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

@Suite struct JPEGEncoderTests {
    private let image: PixelBuffer

    init() throws { image = try .smooth(PixelSize(width: 131, height: 67)) }

    @Test func higherQualityIsNearerAndLarger() throws {
        let files = try [20, 50, 80, 95, 100].map {
            try image.encoded(as: .jpeg(JPEGOptions(quality: $0, subsampling: .yuv444)))
        }
        let errors = try files.map { largestDifference(try $0.decoded(), image).value }
        #expect(errors == errors.sorted(by: >))
        #expect(files.map(\.count) == files.map(\.count).sorted())
        #expect(try #require(errors.last) <= 5)
    }

    @Test(arguments: ChromaSubsampling.allCases, [80, 95, 98])
    func samplingFactorsAreWritten(subsampling: ChromaSubsampling, quality: Int) throws {
        for effort in Effort.allCases {
            let options = JPEGOptions(quality: quality, subsampling: subsampling, effort: effort)
            let source = try image.encoded(as: .jpeg(options)).source()
            // The other efforts choose for each image; this one has smooth colours.
            let isFine = effort == .fast && quality >= 90
            let expected: [ChromaSubsampling: String] = [
                .yuv444: "4:4:4", .yuv422: "4:2:2", .yuv420: "4:2:0", .automatic: isFine ? "4:4:4" : "4:2:0",
            ]
            #expect(source.info.chromaSubsampling == expected[subsampling])
            #expect(source.info.colorModel == .yCbCr)
        }
    }

    @Test(arguments: Effort.allCases)
    func scansFollowTheFlagAndTheEffort(effort: Effort) throws {
        for isProgressive in [true, false] {
            let options = JPEGOptions(isProgressive: isProgressive, effort: effort)
            let source = try image.encoded(as: .jpeg(options)).source()
            #expect(source.info.isProgressive == isProgressive)
            #expect(source.info.coding == (isProgressive ? "progressive" : "baseline"))
        }
        let free = try image.encoded(as: .jpeg(JPEGOptions(effort: effort)))
        let coded = try [false, true].map {
            try image.encoded(as: .jpeg(JPEGOptions(isProgressive: $0, effort: effort)))
        }
        #expect(free.count == (effort == .fast ? coded[0].count : coded.map(\.count).min()))
        // The coding does not change the coefficients.
        #expect(try coded.allSatisfy { try $0.decoded() == free.decoded() })
    }

    @Test func automaticSubsamplingNeedsMemoryForAllColors() {
        func bytes(_ subsampling: ChromaSubsampling) -> Double {
            JPEGOptions(subsampling: subsampling).workingBytes(pixels: 1000, isSearched: false)
        }
        #expect(bytes(.automatic) == bytes(.yuv444))
        #expect(bytes(.automatic) > bytes(.yuv420))
    }

    @Test func equalBytesEachTime() throws {
        for effort in Effort.allCases {
            let encoding = ImageEncoding.jpeg(JPEGOptions(effort: effort))
            #expect(try image.encoded(as: encoding) == image.encoded(as: encoding))
        }
    }

    @Test func grayImagesHaveOneComponent() throws {
        let gray = try PixelBuffer.make(width: 50, height: 40) { x, y in
            let value = UInt32(x * 3 + y)
            return 0xFF00_0000 | value << 16 | value << 8 | value
        }
        let source = try gray.encoded(as: .jpeg(JPEGOptions(quality: 95))).source()
        #expect(source.info.colorModel == .gray)
        #expect(source.info.chromaSubsampling == nil)
        expectPixelsEqual(try source.decodedAsStored().image, gray, tolerance: 3, "grey")
        #expect(try source.decodedAsStored().image.isGray)
    }

    @Test(arguments: 1...17)
    func oddSizesAreWhole(width: Int) throws {
        for height in [1, 7, 16, 17] {
            let image = try PixelBuffer.smooth(PixelSize(width: width, height: height))
            for subsampling in ChromaSubsampling.allCases {
                let bytes = try image.encoded(as: .jpeg(JPEGOptions(quality: 95, subsampling: subsampling)))
                expectPixelsEqual(try bytes.decoded(), image, tolerance: 24, "\(width)×\(height), \(subsampling)")
            }
        }
    }

    @Test func transparencyIsFlattenedOnTheBackground() throws {
        let clear = try PixelBuffer(width: 16, height: 16, filledWith: 0x0012_3456)
        let white = try clear.encoded(as: .jpeg(JPEGOptions(quality: 100)))
        expectPixelsEqual(
            try white.decoded(), try PixelBuffer(width: 16, height: 16, filledWith: 0xFFFF_FFFF), "white")
        let red = PixelColor(red: 200, green: 30, blue: 10)
        let onRed = try clear.encoded(as: .jpeg(JPEGOptions(quality: 100)), background: red)
        expectPixelsEqual(
            try onRed.decoded(), try PixelBuffer(width: 16, height: 16, filledWith: red.pixel), tolerance: 2, "red")
        // Half-transparent black on white is the same grey, straight and premultiplied.
        let half = try PixelBuffer(width: 16, height: 16, filledWith: 0x8000_0000)
        let gray = try PixelBuffer(width: 16, height: 16, filledWith: 0xFF7F_7F7F)
        for image in [half, try half.premultiplied()] {
            let bytes = try image.encoded(as: .jpeg(JPEGOptions(quality: 100)))
            expectPixelsEqual(try bytes.decoded(), gray, tolerance: 1, "half")
        }
    }

    @Test func subRectanglesAreWrittenAlone() throws {
        let part = try image.cropped(to: PixelRectangle(x: 7, y: 5, width: 33, height: 21))
        let alone = try PixelBuffer(width: 33, height: 21, pixels: part.pixels, alphaMode: .opaque)
        let encoding = ImageEncoding.jpeg(JPEGOptions())
        #expect(try part.encoded(as: encoding) == alone.encoded(as: encoding))
    }

    @Test func whatJPEGDoesNotHaveIsRefused() throws {
        func failure(_ image: PixelBuffer, _ options: JPEGOptions = JPEGOptions()) -> String? {
            do throws(TexelError) {
                _ = try image.encoded(as: .jpeg(options))
                return nil
            } catch {
                return error.kind == .cannotEncode ? "\(error)" : nil
            }
        }
        #expect(failure(image, JPEGOptions(quality: 0))?.contains("quality 0") == true)
        #expect(failure(image, JPEGOptions(quality: 101))?.contains("quality 101") == true)
        #expect(failure(try PixelBuffer(width: 65_501, height: 1))?.contains("65500") == true)
        #expect(failure(try PixelBuffer(width: 1, height: 65_501))?.contains("65500") == true)
        let widest = try PixelBuffer(width: 65_500, height: 1, filledWith: 0xFF80_8080, alphaMode: .opaque)
        #expect(try widest.encoded(as: .jpeg(JPEGOptions())).decoded().width == 65_500)
    }

    @Test(arguments: [ImageEncoding.jpeg(JPEGOptions()), .png(PNGOptions())])
    func encodingStopsWhenAsked(encoding: ImageEncoding) throws {
        let image = try PixelBuffer.random(width: 500, height: 500)
        for reason in [StopReason.cancelled, .timedOut] {
            #expect(throws: TexelError.stopped(reason)) {
                try image.encoded(as: encoding, stop: StopToken { reason })
            }
        }
    }
}
