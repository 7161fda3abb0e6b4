import Testing
import TestSupport
import TexelMetrics
import TexelPixels

@testable import TexelCodecs
@testable import TexelJPEG
@testable import TexelPNG

@Suite struct SettingsSearchTests {
    private let rows = BlockRows(parallelism: 2, stop: nil)

    @Test func fewerBytesForTheSameScore() throws {
        let image = try TestFolders.testImage("photograph.png").decoded()
        let reference = try SSIMULACRA2Reference(image)
        var saved = 0
        for quality in [45, 60, 70, 90] {
            func result(_ effort: Effort) throws -> (count: Int, score: Double) {
                let options = JPEGOptions(quality: quality, effort: effort)
                let bytes = try image.encoded(as: .jpeg(options), parallelism: 2)
                return (bytes.count, try reference.score(of: try bytes.decoded()))
            }
            let (balanced, best) = (try result(.balanced), try result(.best))
            // One metric alone, of a small image, changes a little.
            #expect(abs(best.score - balanced.score) < 0.5, "quality \(quality)")
            #expect(best.count <= balanced.count + balanced.count / 200, "quality \(quality)")
            saved += balanced.count - best.count
        }
        #expect(saved > 0)
    }

    @Test func adjustmentsAreTwoStepsAtMost() throws {
        let image = try TestFolders.testImage("photograph.png").decoded()
        let found = try SettingsSearch.adjustments(
            image, isGray: false, sampling: (2, 2), quality: 50, rows, JPEGCodec.trialDecoder)
        #expect(found != QuantizationSettings.Adjustments())
        for factor in [found.low, found.high, found.means, found.chroma, found.chromaMeans, found.price] {
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

    @Test func largeImagesAreJudgedByTiles() throws {
        for (width, height) in [(4000, 3000), (65_500, 300), (1, 165_500), (1200, 65_000), (641, 480), (200, 1000)] {
            let size = PixelSize(width: width, height: height)
            let tiles = JudgedTiles(of: size)
            #expect(tiles.places.allSatisfy { $0.isInside(size) && $0.x % 16 == 0 && $0.y % 16 == 0 }, "\(size)")
            #expect(tiles.size.width * tiles.size.height <= JudgedTiles.pixelLimit, "\(size)")
            #expect(tiles.places.reduce(0) { $0 + $1.width * $1.height } == tiles.size.width * tiles.size.height)
            // No pixel is judged twice.
            for (index, place) in tiles.places.enumerated() {
                for other in tiles.places.dropFirst(index + 1) {
                    #expect(
                        place.x + place.width <= other.x || other.x + other.width <= place.x
                            || place.y + place.height <= other.y || other.y + other.height <= place.y, "\(size)")
                }
            }
        }
        let image = try PixelBuffer.random(width: 641, height: 480)
        let tiles = JudgedTiles(of: image.size)
        let joined = try tiles.joined(image)
        #expect(joined.size == tiles.size && tiles.places.count > 4)
        let across = tiles.size.width / tiles.places[0].width
        for (index, place) in tiles.places.enumerated() {
            let (x, y) = (index % across * place.width, index / across * place.height)
            let part = PixelRectangle(x: x, y: y, width: place.width, height: place.height)
            #expect(try joined.cropped(to: part).pixels == image.cropped(to: place).pixels)
        }
        let small = try PixelBuffer.random(width: 300, height: 200)
        #expect(try JudgedTiles(of: small.size).joined(small) == small)
    }
}
