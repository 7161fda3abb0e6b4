import TestSupport
import Testing
import TexelMetrics
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG

@Suite struct SampleOriginTests {
    private static let photograph = Result { try TestFolders.testImage("photograph.png").decoded() }

    @Test(arguments: Effort.allCases, [ChromaSubsampling.yuv444, .yuv420])
    func decodedPixelsAreRecognised(effort: Effort, subsampling: ChromaSubsampling) throws {
        for quality in [30, 75, 95] {
            let options = JPEGOptions(quality: quality, subsampling: subsampling, effort: effort)
            let decoded = try Self.photograph.get().encoded(as: .jpeg(options)).decoded()
            #expect(SampleOrigin.isWhole(decoded), "quality \(quality)")
        }
    }

    @Test func otherPixelsAreNot() throws {
        #expect(!SampleOrigin.isWhole(try Self.photograph.get()))
        #expect(!SampleOrigin.isWhole(try .random(width: 100, height: 70)))
        #expect(!SampleOrigin.isWhole(try .smooth(PixelSize(width: 300, height: 200))))
    }

    @Test func greyClippedAndTinyImagesTellNothing() throws {
        for color: UInt32 in [0xFF80_8080, 0xFFFF_0000, 0xFF00_80FF] {
            #expect(!SampleOrigin.isWhole(try PixelBuffer(width: 40, height: 30, filledWith: color)))
        }
        // Y 100, Cb 20 and Cr 30 from neutral.
        let whole: UInt32 = 0xFF8E_4887
        #expect(!SampleOrigin.isWhole(try PixelBuffer(width: 3, height: 3, filledWith: whole)))
        #expect(SampleOrigin.isWhole(try PixelBuffer(width: 40, height: 30, filledWith: whole)))
    }

    /// A picture of a JPEG with other parts around it.
    @Test func majorityDecides() throws {
        let decoded = try Self.photograph.get().encoded(as: .jpeg(JPEGOptions(quality: 60))).decoded()
        let other = try Self.photograph.get()
        let (width, height) = (decoded.width, decoded.height)
        func mixed(_ share: Int) throws -> PixelBuffer {
            try .make(width: width, height: height) { x, y in
                (x < width * share / 100 ? decoded : other)[x, y]
            }
        }
        #expect(SampleOrigin.isWhole(try mixed(97)))
        #expect(!SampleOrigin.isWhole(try mixed(50)))
    }

    @Test(arguments: [ChromaSubsampling.yuv444, .yuv420])
    func generationsStayAlike(subsampling: ChromaSubsampling) throws {
        let original = try Self.photograph.get()
        let reference = try SSIMULACRA2Reference(original)
        let encoding = ImageEncoding.jpeg(JPEGOptions(quality: 80, subsampling: subsampling))
        var (image, scores) = (original, [Double]())
        for _ in 0..<8 {
            image = try image.encoded(as: encoding).decoded()
            scores.append(try reference.score(of: image))
        }
        let lost = scores[0] - scores[7]
        #expect(lost < 3, "\(scores)")
    }
}
