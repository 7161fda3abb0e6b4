import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

@Suite struct SettingsSearchTests {
    private let rows = BlockRows(parallelism: 2, stop: nil)

    @Test func fewerBytesForTheSameScore() throws {
        let image = try TestFolders.testImage("photograph.png").decoded()
        let reference = try SSIMULACRA2Reference(image)
        for quality in [70] {
            func result(_ effort: Effort) throws -> (count: Int, score: Double) {
                let options = JPEGOptions(quality: quality, effort: effort)
                let bytes = try image.encoded(as: .jpeg(options), parallelism: 2)
                return (bytes.count, try reference.score(of: try bytes.decoded()))
            }
            let (balanced, best) = (try result(.balanced), try result(.best))
            #expect(best.count <= balanced.count, "quality \(quality)")
            #expect(abs(best.score - balanced.score) < 1.5, "quality \(quality)")
        }
    }

    @Test func adjustmentsAreAStepAtMost() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 120, height: 80))
        let found = try SettingsSearch.adjustments(
            image, isGray: false, sampling: (2, 2), quality: 70, rows, JPEGCodec.trialDecoder)
        for factor in [found.low, found.high, found.chroma, found.chromaMeans, found.price, found.weighting] {
            #expect((0.6...1.5).contains(factor))
        }
        #expect((0.7...1.4).contains(found.scale))
    }

    @Test func imagesWithoutAnythingToLearnAreLeftAlone() throws {
        for (width, height) in [(1, 1), (7, 3), (40, 40)] {
            let white = try PixelBuffer(width: width, height: height, filledWith: 0xFFFF_FFFF)
            let found = try SettingsSearch.adjustments(
                white, isGray: true, sampling: (1, 1), quality: 70, rows, JPEGCodec.trialDecoder)
            #expect(found == QuantizationSettings.Adjustments(), "\(width)×\(height)")
        }
    }

    @Test func largeImagesAreJudgedByAPart() {
        for (width, height) in [(4000, 3000), (65_500, 300), (1, 65_500), (1200, 65_000)] {
            let size = PixelSize(width: width, height: height)
            let part = SettingsSearch.part(of: size)
            #expect(part.isInside(size) && part.x % 16 == 0 && part.y % 16 == 0, "\(size)")
            #expect(part.width * part.height <= 1_300_000, "\(size)")
            #expect(part.width >= min(width, 256) && part.height >= min(height, 256), "\(size)")
        }
        let small = PixelSize(width: 900, height: 700)
        #expect(SettingsSearch.part(of: small) == PixelRectangle(covering: small))
    }
}
