import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelBatch
@testable import TexelPipeline
@testable import TexelPyramids

/// Pyramids as files.
@Suite struct PyramidMakerTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func add(_ name: String, _ image: PixelBuffer) throws -> InputItem {
        InputItem(FilePath(try directory.add(name, try image.encoded(as: .png(PNGOptions(effort: .fast))))))
    }

    private func results(
        _ items: [InputItem], _ settings: PyramidSettings, overwrites: Bool = false, workers: Int = 2
    ) async -> [PyramidResult] {
        var options = ProcessingOptions()
        options.overwrites = overwrites
        let pool = WorkerPool(width: workers, byteBudget: 1 << 24)
        let maker = PyramidMaker(settings, in: FilePath(directory("out")), options: options, pool: pool)
        var results: [PyramidResult] = []
        await maker.write(items) { index, result in
            #expect(index == results.count)
            results.append(result)
        }
        return results
    }

    private func decoded(_ name: String) throws -> PixelBuffer {
        try PixelBuffer(from: InputBytes(try directory.bytes(name)), Recipe(), policy: DecodePolicy())
    }

    private func settings(
        _ layout: PyramidLayout, tileSize: Int, overlap: Int = 0, _ format: ImageFormat? = .png,
        _ change: (inout PyramidSettings) -> Void = { _ in }
    ) -> PyramidSettings {
        var settings = PyramidSettings(layout)
        (settings.tileSize, settings.overlap, settings.format) = (tileSize, overlap, format)
        change(&settings)
        return settings
    }

    /// All tiles of a level together are the level: the image itself, and means of its pixels. Tiles that overlap show
    /// the same pixels, and there are no other files.
    @Test(arguments: [(61, 40), (1, 1), (16, 16), (33, 5), (9, 70)]) func deepZoom(width: Int, height: Int) async throws
    {
        let image = try PixelBuffer.random(width: width, height: height)
        let item = try add("in/map.png", image)
        let result = try #require(await results([item], settings(.dzi, tileSize: 16, overlap: 2)).first)
        #expect(result.error == nil && result.warnings == [] && result.size == image.size)
        let geometry = PyramidGeometry(of: image.size, tileSize: 16, overlap: 2, depth: .onePixel)
        var names: Set = ["in/map.png", "out/map.dzi"]
        for (level, size) in geometry.levels.enumerated() {
            let expected = level == 0 ? image : try image.blockMeans(1 << level)
            let grid = geometry.grid(ofLevel: level)
            for (row, column) in (0..<grid.height).flatMap({ row in (0..<grid.width).map { (row, $0) } }) {
                let name = "out/map_files/\(geometry.levels.count - 1 - level)/\(column)_\(row).png"
                names.insert(name)
                let rectangle = PixelRectangle(
                    x: max(0, column * 16 - 2), y: max(0, row * 16 - 2), right: min(size.width, column * 16 + 18),
                    bottom: min(size.height, row * 16 + 18))
                let tile = try decoded(name)
                #expect(tile.size == rectangle.size)
                #expect(tile.largestDifference(from: try expected.cropped(to: rectangle)) <= (level == 0 ? 0 : 1))
            }
        }
        #expect(try Set(directory.files()) == names)
        #expect(result.levelCount == geometry.levels.count && result.tileCount == names.count - 2)
        let sizes = try names.subtracting(["in/map.png"]).map { try directory.bytes($0).count }
        #expect(result.outputBytes == sizes.reduce(0, +) && result.output.string == directory("out/map.dzi"))
        let description = String(decoding: try directory.bytes("out/map.dzi"), as: UTF8.self)
        #expect(
            description == """
                <?xml version="1.0" encoding="UTF-8"?>
                <Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="png" Overlap="2" TileSize="16">
                  <Size Width="\(width)" Height="\(height)"/>
                </Image>

                """)
    }

    private struct Information: Decodable {
        struct Size: Decodable, Equatable {
            var width: Int
            var height: Int
        }

        struct Tiles: Decodable {
            var width: Int
            var height: Int
            var scaleFactors: [Int]
        }

        var context: String
        var id: String
        var type: String
        var `protocol`: String
        var profile: String
        var width: Int
        var height: Int
        var maxWidth: Int?
        var sizes: [Size]
        var tiles: [Tiles]
        var extraFormats: [String]?
        var preferredFormats: [String]?

        enum CodingKeys: String, CodingKey {
            case context = "@context"
            case id, type, `protocol`, profile, width, height, maxWidth, sizes, tiles, extraFormats, preferredFormats
        }
    }

    /// A file exists for each request that a client computes from `info.json` (Image API 3.0, implementation notes,
    /// section 3), and shows the region in the size that was asked for.
    @Test(arguments: [(61, 40), (1, 1), (16, 16), (33, 5), (9, 70)]) func iiifTilesAnswerEveryRequestOfAClient(
        width: Int, height: Int
    ) async throws {
        let image = try PixelBuffer.random(width: width, height: height)
        let item = try add("in/a b.png", image)
        let settings = settings(.iiif, tileSize: 16) { $0.address = "https://example.org/images/" }
        let result = try #require(await results([item], settings).first)
        #expect(result.error == nil && result.output.string == directory("out/a b/info.json"))
        let bytes = try directory.bytes("out/a b/info.json")
        let information = try JSONDecoder().decode(Information.self, from: Data(bytes))
        #expect(information.context == "http://iiif.io/api/image/3/context.json")
        #expect(information.id == "https://example.org/images/a%20b" && information.type == "ImageService3")
        #expect(information.protocol == "http://iiif.io/api/image" && information.profile == "level0")
        #expect(information.width == width && information.height == height)
        #expect(information.extraFormats == ["png"] && information.preferredFormats == ["png"])
        #expect(information.maxWidth == (max(width, height) > 16 ? 16 : nil))
        let tiles = try #require(information.tiles.first)
        #expect(tiles.width == 16 && tiles.height == 16)
        var requests: [String: (level: Int, size: PixelSize, x: Int, y: Int)] = [:]
        for (level, s) in tiles.scaleFactors.enumerated() {
            #expect(s == 1 << level)
            for y in stride(from: 0, to: height, by: 16 * s) {
                for x in stride(from: 0, to: width, by: 16 * s) {
                    let (w, h) = (min(16 * s, width - x), min(16 * s, height - y))
                    let size = PixelSize(width: (w + s - 1) / s, height: (h + s - 1) / s)
                    requests["\(x),\(y),\(w),\(h)/\(size.width),\(size.height)"] = (level, size, x / s, y / s)
                }
            }
        }
        let last = tiles.scaleFactors.count - 1
        for size in information.sizes {
            let size = PixelSize(width: size.width, height: size.height)
            requests["full/\(size.width),\(size.height)"] = (last, size, 0, 0)
            requests["full/max"] = (last, size, 0, 0)
        }
        for (request, (level, size, x, y)) in requests {
            let tile = try decoded("out/a b/\(request)/0/default.png")
            let expected = try image.blockMeans(1 << level).cropped(
                to: PixelRectangle(x: x, y: y, width: size.width, height: size.height))
            #expect(tile.size == size && tile.largestDifference(from: expected) <= 1, "\(request)")
        }
        #expect(try directory.files().count == requests.count + 2)
    }

    /// Adds an image whose pixels are all transparent.
    private func addClear() throws -> InputItem {
        try add(
            "clear.png", try PixelBuffer.make(width: 20, height: 20, alphaMode: .straight) { _, _ in 0x0000_00FF })
    }

    @Test func transparencyDecidesTheFormat() async throws {
        let opaque = try add("opaque.png", try PixelBuffer.smooth(PixelSize(width: 20, height: 20)))
        let results = await self.results([opaque, try addClear()], settings(.dzi, tileSize: 32, nil))
        #expect(results.map(\.format) == [.jpeg, .png])
        #expect(results.map(\.warnings) == [[], []] && results.map(\.error) == [nil, nil])
        #expect(try decoded("out/clear_files/5/0_0.png").alphaMode != .opaque)
    }

    @Test func transparentPixelsGetTheBackground() async throws {
        let jpeg = settings(.iiif, tileSize: 32, .jpeg) { $0.background = PixelColor(red: 255, green: 0, blue: 0) }
        let warnings = await self.results([try addClear()], jpeg).flatMap(\.warnings)
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("transparent pixels were composited") == true)
        let tile = try decoded("out/clear/full/max/0/default.jpg")
        #expect(zip(tile.channels(9, 9), [0, 0, 255, 255]).allSatisfy { abs($0 - $1) <= 2 })
        let description = String(decoding: try directory.bytes("out/clear/info.json"), as: UTF8.self)
        #expect(!description.contains("extraFormats") && !description.contains("maxWidth"))
    }

    /// Makes a pyramid whose largest level has one tile.
    ///
    /// - Returns: this tile, and the size that the result names.
    private func wholeTile(
        of testImage: String, keepsProfile: Bool = false
    ) async throws -> (tile: PixelBuffer, size: PixelSize?) {
        let item = InputItem(FilePath(try directory.add("image.png", try TestFolders.testImage(testImage))))
        let settings = settings(.dzi, tileSize: 1024) { $0.keepsProfile = keepsProfile }
        let made = await results([item], settings, overwrites: true).map { ($0.levelCount, $0.size, $0.error) }
        let (levelCount, size, error) = try #require(made.first)
        #expect(error == nil)
        return (try decoded("out/image_files/\(levelCount - 1)/0_0.png"), size)
    }

    @Test func imagesAreTurnedUpright() async throws {
        let (tile, size) = try await wholeTile(of: "orientation-6.jpg")
        let upright = try decoded("image.png")
        #expect(size == upright.size)
        expectPixelsEqual(tile, upright)
    }

    @Test func colorsBecomeSRGBOrKeepTheirProfile() async throws {
        let converted = try await wholeTile(of: "wide-gamut-profile.png").tile
        #expect(converted.colorSpace == .sRGB)
        expectPixelsEqual(converted, try decoded("image.png").convertedToSRGB())
        let kept = try await wholeTile(of: "wide-gamut-profile.png", keepsProfile: true).tile
        #expect(kept.colorSpace == (try decoded("image.png").colorSpace) && kept.colorSpace != .sRGB)
        expectPixelsEqual(kept, try decoded("image.png"))
    }

    /// The files do not depend on the number of workers.
    @Test func workersDoNotMatter() async throws {
        let item = try add("map.png", try .random(width: 90, height: 77))
        let settings = self.settings(.dzi, tileSize: 10, overlap: 1, .jpeg)
        _ = await results([item], settings, workers: 1)
        let expected = try directory.contents()
        _ = await results([item], settings, overwrites: true, workers: 7)
        #expect(try directory.contents() == expected)
    }

    // MARK: Names and existing files

    /// The tree is kept, and inputs that differ in their extensions only get different names.
    @Test func pyramidNamesKeepTheTreeAndDiffer() async throws {
        let image = try PixelBuffer.random(width: 3, height: 2)
        _ = try add("in/a.png", image)
        _ = try add("in/deep/a.png", image)
        try directory.add("in/a.jpg", try image.encoded(as: .jpeg(JPEGOptions())))
        let found = InputExpansion.expand([directory("in")], isRecursive: true)
        let results = await self.results(found.items, settings(.iiif, tileSize: 16))
        #expect(results.allSatisfy { $0.error == nil })
        #expect(
            results.map(\.output.string)
                == ["out/a/info.json", "out/a.png/info.json", "out/deep/a/info.json"].map { directory($0) })
    }

    @Test(arguments: PyramidLayout.allCases) func existingPyramids(layout: PyramidLayout) async throws {
        let item = try add("map.png", try .random(width: 40, height: 30))
        let small = settings(layout, tileSize: 8)
        #expect(await results([item], small).first?.error == nil)
        let before = try directory.contents()
        let refused = try #require(await results([item], settings(layout, tileSize: 16)).first?.error)
        guard refused.kind == .alreadyExists else {
            Issue.record("\(refused)")
            return
        }
        #expect(try directory.contents() == before)
        // A pyramid is replaced as a whole: no tile of the old one is left.
        #expect(await results([item], settings(layout, tileSize: 64), overwrites: true).first?.error == nil)
        let after = try directory.files()
        #expect(after.count < before.count && !after.contains { $0.contains("texel-") })
        #expect(await results([item], small, overwrites: true).first?.error == nil)
        #expect(try directory.contents() == before)
    }

    /// A folder that is not a pyramid is never replaced.
    @Test(arguments: PyramidLayout.allCases) func foreignFolders(layout: PyramidLayout) async throws {
        let item = try add("map.png", try .random(width: 4, height: 3))
        try directory.add("out/map_files/letters/a.txt", [1])
        try directory.add("out/map/a.txt", [1])
        let before = try directory.contents()
        let tiles = FilePath(directory(layout == .dzi ? "out/map_files" : "out/map"))
        let error = await results([item], settings(layout, tileSize: 8), overwrites: true).first?.error
        #expect(error == .cannotCreate(tiles, .directoryNotEmpty))
        #expect(try directory.contents() == before)
    }

    /// If the last step fails, the old pyramid is there again.
    @Test func failuresRestoreTheFormerPyramid() async throws {
        let item = try add("map.png", try .random(width: 40, height: 30))
        #expect(await results([item], settings(.dzi, tileSize: 8)).first?.error == nil)
        try FileManager.default.removeItem(atPath: directory("out/map.dzi"))
        try directory.add("out/map.dzi/in-the-way", [1])
        let before = try directory.contents()
        #expect(await results([item], settings(.dzi, tileSize: 16), overwrites: true).first?.error != nil)
        #expect(try directory.contents() == before)
    }

    @Test func failedPyramidsReportErrorsAndLeaveNoFiles() async throws {
        let item = try add("map.png", try .random(width: 4, height: 3))
        func error(_ settings: PyramidSettings) async -> TexelError? {
            await self.results([item], settings).first?.error
        }
        for (layout, tileSize, overlap) in [
            (PyramidLayout.dzi, 0, 0), (.dzi, 8193, 0), (.dzi, 8, 8), (.dzi, 8, -1), (.iiif, 8, 1),
        ] {
            guard await error(settings(layout, tileSize: tileSize, overlap: overlap))?.kind == .invalidParameter
            else {
                Issue.record("\(tileSize) and \(overlap) were accepted")
                continue
            }
        }
        let gone = InputItem(FilePath(directory("gone.png")))
        let damaged = InputItem(FilePath(try directory.add("damaged.png", try directory.bytes("map.png").prefix(50))))
        let results = await self.results([gone, damaged, item], settings(.dzi, tileSize: 8))
        #expect(results.map { $0.error == nil } == [false, false, true])
        #expect(results[0].error == .missingFile(gone.path))
        #expect(try directory.files().filter { $0.hasPrefix("out/") && !$0.hasPrefix("out/map") } == [])
    }

    /// Cancelling keeps finished pyramids, and leaves nothing of the one that is being made.
    @Test func cancellingKeepsFinishedPyramidsOnly() async throws {
        let image = try PixelBuffer.random(width: 60, height: 60)
        let items = try ["a.png", "b.png", "c.png"].map { try add($0, image) }
        let pool = WorkerPool(width: 2, byteBudget: 1 << 24)
        let maker = PyramidMaker(settings(.dzi, tileSize: 4), in: FilePath(directory("out")), pool: pool)
        let (results, continuation) = AsyncStream<PyramidResult>.makeStream()
        Task {
            await maker.write(items) { index, done, count in
                #expect(done <= count)
                if index == 1, done == 5 { withUnsafeCurrentTask { $0?.cancel() } }
            } onResult: { _, result in
                continuation.yield(result)
            }
            continuation.finish()
        }
        var endings: [PyramidResult] = []
        for await result in results { endings.append(result) }
        #expect(endings.count == 2 && endings[0].error == nil && endings[1].isCancelled)
        #expect(try directory.files().allSatisfy { !$0.hasPrefix("out/") || $0.hasPrefix("out/a") })
        let left = try FileManager.default.contentsOfDirectory(atPath: directory("out"))
        #expect(Set(left) == ["a.dzi", "a_files"])
    }
}

extension PixelRectangle {
    fileprivate init(x: Int, y: Int, right: Int, bottom: Int) {
        self.init(x: x, y: y, width: right - x, height: bottom - y)
    }
}
