import Foundation
import TestSupport
import Testing
import TexelCore
import TexelMetrics
import TexelOperations
import TexelPixels

/// Crops to a size or a ratio, whose place follows from an anchor.
@Suite struct CropTests {
    private func result(_ operation: PixelOperation, of image: PixelBuffer) throws -> PixelBuffer {
        var image = image
        for step in try operation.value.steps(for: image.size, background: .white) { try step.apply(to: &image) }
        return image
    }

    /// An image whose pixels tell their place.
    private func places(_ width: Int, _ height: Int) throws -> PixelBuffer {
        try .make(width: width, height: height) { x, y in 0xFF00_0000 | UInt32(y) << 8 | UInt32(x) }
    }

    private func origin(_ image: PixelBuffer) -> [Int] { [Int(image[0, 0] & 255), Int(image[0, 0] >> 8 & 255)] }

    // MARK: Gravity

    @Test func gravitiesPlaceTheCrop() throws {
        let image = try places(21, 12)
        let size = PixelSize(width: 10, height: 5)
        let expected: [Gravity: [Int]] = [
            .northwest: [0, 0], .north: [5, 0], .northeast: [11, 0], .west: [0, 3], .center: [5, 3], .east: [11, 3],
            .southwest: [0, 7], .south: [5, 7], .southeast: [11, 7],
        ]
        for gravity in Gravity.allCases {
            let part = try result(.crop(size: size, at: .gravity(gravity)), of: image)
            #expect(part.size == size && origin(part) == expected[gravity])
        }
    }

    @Test(
        arguments: [
            (AspectRatio(16, 9), PixelSize(width: 4000, height: 3000), PixelSize(width: 4000, height: 2250)),
            (AspectRatio(1, 1), PixelSize(width: 7, height: 12), PixelSize(width: 7, height: 7)),
            (AspectRatio(9, 16), PixelSize(width: 1920, height: 1080), PixelSize(width: 608, height: 1080)),
            (AspectRatio(100_000, 1), PixelSize(width: 30, height: 20), PixelSize(width: 30, height: 1)),
            (AspectRatio(1, 100_000), PixelSize(width: 30, height: 20), PixelSize(width: 1, height: 20)),
            (AspectRatio(6, 4), PixelSize(width: 3, height: 2), PixelSize(width: 3, height: 2)),
            (AspectRatio(3, 2), PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 1)),
        ])
    func cropsHaveTheAspectRatio(ratio: AspectRatio, size: PixelSize, expected: PixelSize) throws {
        let steps = try PixelOperation.crop(aspect: ratio).value.steps(for: size, background: .white)
        #expect(steps.first?.outputSize(of: size) ?? size == expected)
        #expect(steps.isEmpty == (expected == size))
    }

    @Test(
        arguments: [
            (
                .crop(size: PixelSize(width: 5, height: 3)),
                "the size of the crop cannot be 5×3; it must be from 1×1 to"
                    + " the image's, 4×4"
            ),
            (
                .crop(size: PixelSize(width: 0, height: 3)),
                "the size of the crop cannot be 0×3; it must be from 1×1 to"
                    + " the image's, 4×4"
            ),
            (
                .crop(aspect: AspectRatio(0, 1)),
                "the aspect ratio cannot be 0:1; it must be two numbers from 1 to"
                    + " 100000"
            ),
            (
                .crop(aspect: AspectRatio(1, .max)),
                "the aspect ratio cannot be 1:9223372036854775807; it must be two"
                    + " numbers from 1 to 100000"
            ),
        ] as [(PixelOperation, String)])
    func parametersWithoutMeaning(operation: PixelOperation, message: String) throws {
        let error = try #require(throws: TexelError.self) {
            try operation.value.steps(for: PixelSize(width: 4, height: 4), background: .white)
        }
        #expect(error.description == message)
    }

    @Test func anchorsAreNames() throws {
        let anchors = Gravity.allCases.map(CropAnchor.gravity) + [.attention, .entropy]
        #expect(anchors.map { CropAnchor(rawValue: $0.rawValue) } == anchors && CropAnchor(rawValue: "top") == nil)
        let text = try JSONEncoder().encode(PixelOperation.crop(aspect: AspectRatio(4, 3), at: .attention))
        let expected = #"{"cropToAspect":{"anchor":"attention","aspect":{"height":3,"width":4}}}"#
        #expect(
            try JSONSerialization.jsonObject(with: text) as? NSDictionary
                == JSONSerialization.jsonObject(with: Data(expected.utf8)) as? NSDictionary)
    }

    // MARK: Resizing

    @Test func coverKeepsTheAnchor() throws {
        let image = try places(40, 20)
        for (gravity, x) in [(Gravity.west, 0), (.north, 10), (.southeast, 20)] {
            let options = ResizeOptions(
                ResizeRule(.box(width: 20, height: 20, fit: .cover)), anchor: .gravity(gravity))
            let part = try result(.resize(options), of: image)
            #expect(part.size == PixelSize(width: 20, height: 20) && origin(part) == [x, 0])
            let smaller = ResizeOptions(
                ResizeRule(.box(width: 10, height: 10, fit: .cover)), filter: .box, anchor: .gravity(gravity))
            // The mean of two columns and two rows.
            let mean = try result(.resize(smaller), of: image)
            #expect(mean.size == PixelSize(width: 10, height: 10) && abs(origin(mean)[0] - x) <= 1)
        }
    }

    @Test func coverByContent() throws {
        // Saturated noise on the right of a grey image.
        let noise = try PixelBuffer.random(width: 60, height: 40)
        let image = try PixelBuffer.make(width: 60, height: 40) { x, y in x >= 45 ? noise[x, y] : 0xFF80_8080 }
        for anchor in [CropAnchor.attention, .entropy] {
            let options = ResizeOptions(ResizeRule(.box(width: 20, height: 20, fit: .cover)), anchor: anchor)
            let part = try result(.resize(options), of: image)
            #expect(part.size == PixelSize(width: 20, height: 20))
            #expect(part[0, 10] == 0xFF80_8080 && part[18, 10] != 0xFF80_8080)
            // Nothing is enlarged, and the ratio is kept.
            let large = ResizeOptions(ResizeRule(.box(width: 30, height: 200, fit: .cover)), anchor: anchor)
            #expect(try result(.resize(large), of: image).size == PixelSize(width: 6, height: 40))
        }
    }

    // MARK: Content

    /// Without anything of interest, the part is at most a cell from the centre.
    @Test(arguments: [ContentMeasure.attention, .entropy])
    func plainImagesAreCroppedNearTheCenter(measure: ContentMeasure) throws {
        for pixel: UInt32 in [0xFF00_0000, 0xFFFF_FFFF, 0xFF00_00FF, 0xFFC8_9070, 0x0012_3456] {
            for (width, height) in [(64, 64), (33, 47), (9, 200), (1, 2), (1, 1)] {
                let image = try PixelBuffer(width: width, height: height, filledWith: pixel, alphaMode: .straight)
                let part = PixelSize(width: (width + 1) / 2, height: (height + 1) / 2)
                let search = try ContentSearch(
                    measure, part: part, for: RasterShape(size: image.size, alphaMode: .straight))
                let found = image.withRaster { search.rectangle(in: $0) }
                #expect(found.size == part && found.isInside(image.size))
                #expect(abs(2 * found.x + part.width - width) <= 2 * max(1, width / 32) + 1)
                #expect(abs(2 * found.y + part.height - height) <= 2 * max(1, height / 32) + 1)
            }
        }
    }

    /// A mirrored image has the mirrored part, as far as whole pixels allow.
    @Test func mirroredImagesHaveTheMirroredPart() throws {
        let image = try PixelBuffer.make(width: 128, height: 96) { x, y in
            (x - 30) * (x - 30) + (y - 70) * (y - 70) < 150 ? 0xFFF0_4020 : 0xFF40_5060
        }
        let search = try ContentSearch(
            .attention, part: PixelSize(width: 40, height: 40),
            for: RasterShape(size: image.size, alphaMode: .opaque))
        let (found, mirrored) = (
            image.withRaster { search.rectangle(in: $0) },
            try image.flippedHorizontally().withRaster { search.rectangle(in: $0) }
        )
        #expect(mirrored.x == 128 - 40 - found.x && mirrored.y == found.y)
    }

    @Test(arguments: [(10, 20), (150, 5), (90, 110), (160, 100)])
    func attentionFindsWhatDiffers(x: Int, y: Int) throws {
        // A red square with an edge on dark grey.
        let image = try PixelBuffer.make(width: 200, height: 150, alphaMode: .straight) { column, row in
            (x..<(x + 30)).contains(column) && (y..<(y + 30)).contains(row) ? 0xFFE0_3020 : 0xFF30_3030
        }
        let part = try result(.crop(size: PixelSize(width: 60, height: 60), at: .attention), of: image)
        #expect(part.pixels.count { $0 == 0xFFE0_3020 } == 900)
        // In transparent pixels there is nothing to see.
        let hidden = try PixelBuffer.make(width: 200, height: 150, alphaMode: .straight) { column, row in
            (x..<(x + 30)).contains(column) && (y..<(y + 30)).contains(row)
                ? 0xFFE0_3020
                : column % 2 == 0 ? 0x0000_FF00 : 0x00FF_00FF
        }
        let seen = try result(.crop(size: PixelSize(width: 60, height: 60), at: .attention), of: hidden)
        #expect(seen.pixels.count { $0 == 0xFFE0_3020 } == 900)
    }

    @Test func entropyFindsTheBusiestPart() throws {
        let noise = try PixelBuffer.random(width: 160, height: 120)
        let image = try PixelBuffer.make(width: 160, height: 120) { x, y in
            x < 60 && y >= 70 ? noise[x, y] : x % 20 < 10 ? 0xFF40_4040 : 0xFF50_5050
        }
        let part = try result(.crop(size: PixelSize(width: 50, height: 45), at: .entropy), of: image)
        #expect(part.pixels.count { $0 != 0xFF40_4040 && $0 != 0xFF50_5050 } > 2000)
    }
}
