import Foundation
import TestSupport
import Testing
import Texel

/// The examples of the README and of pages in docs are the files named `…Snippet.swift`, which are compiled with these
/// tests.
@Suite(.timeLimit(.minutes(30))) struct ReadmeTests {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()

    @Test(arguments: [
        ("ReadmeSnippet.swift", "README.md"), ("OperationSnippet.swift", "README.md"),
        ("PipelineSnippet.swift", "docs/pipeline.md"), ("AnimationSnippet.swift", "docs/library.md"),
        ("../ToyCodec/ToyCodec.swift", "docs/adding-a-codec.md"),
        ("../ToyProgram/ToyOperation.swift", "docs/adding-an-operation.md"),
    ])
    func pageShowsWhatIsCompiled(name: String, page: String) throws {
        let text = try String(contentsOf: Self.here.appending(path: "../../\(page)"), encoding: .utf8)
        let snippet = try String(contentsOf: Self.here.appending(path: name), encoding: .utf8)
        #expect(text.contains("```swift\n\(snippet)```"))
    }

    @Test func readmeSnippetRuns() async throws {
        let folder = URL.temporaryDirectory.appending(path: "texel-readme-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let directory = FilePath(folder.path(percentEncoded: false))
        let photo = directory.appending("photo.jpg")
        var generator = SeededGenerator(seed: 7)
        let pixels = (0..<(800 * 700)).map { _ in UInt32.random(in: 0 ... .max, using: &generator) | 0xFF00_0000 }
        let image = try PixelBuffer(width: 800, height: 700, pixels: pixels, alphaMode: .opaque)
        try await image.write(to: photo, quality: 95)

        try await makeSmaller(photo, in: directory)

        let small = try await PixelBuffer(contentsOf: directory.appending("small.jpg"))
        #expect(small.size == PixelSize(width: 800, height: 700))
        let square = try await PixelBuffer(contentsOf: directory.appending("square.png"))
        #expect(square.size == PixelSize(width: 640, height: 640))
        let thumbnail = try await PixelBuffer(contentsOf: directory.appending("thumbnail.png"))
        #expect(thumbnail.size == PixelSize(width: 64, height: 48))
    }

    @Test func operationSnippetRuns() async throws {
        let folder = URL.temporaryDirectory.appending(path: "texel-readme-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let directory = FilePath(folder.path(percentEncoded: false))
        let photo = directory.appending("photo.png")
        let image = try PixelBuffer.smooth(PixelSize(width: 60, height: 400))
        try await image.write(to: photo)

        let pipeline = ImagePipeline()
        for side in [7, 16] {
            let recipe = Recipe().appending(Mosaic(side: side))
            let result = try await pipeline.image(for: ImageRequest(photo, recipe: recipe))
            // The second result is not the first one's from the cache.
            for (x, y) in [(0, 0), (59, 399), (31, 200)] {
                #expect(result[x, y] == image[x - x % side, y - y % side])
            }
            let file = directory.appending("mosaic-\(side).png")
            try await Texel.process(photo, to: file, with: recipe)
            #expect(try await PixelBuffer(contentsOf: file).pixels == result.pixels)
        }
    }

    @Test func animationSnippetRuns() async throws {
        let directory = try TemporaryDirectory()
        let writer = try AnimationWriter(PixelSize(width: 20, height: 10), as: .png(), playCount: 2)
        for color: UInt32 in [0xFFC0_2040, 0xFF20_C040] {
            let frame = try PixelBuffer(width: 20, height: 10, filledWith: color, alphaMode: .opaque)
            try writer.append(frame, for: .milliseconds(200))
        }
        try directory.add("a.png", try writer.finish())
        let result = try AnimatedImage(decoding: try await framed(FilePath(directory("a.png"))))
        #expect(result.playCount == 2 && result.frameCount == 2)
        #expect(result.info.size == PixelSize(width: 28, height: 18))
        for try await frame in result {
            #expect(frame.pixels[0, 0] == 0xFFFF_FFFF && frame.pixels[4, 4] != 0xFFFF_FFFF)
            #expect(frame.duration == .milliseconds(200))
        }
    }

    @Test func pipelineSnippetRuns() async throws {
        let folder = URL.temporaryDirectory.appending(path: "texel-readme-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let directory = FilePath(folder.path(percentEncoded: false))
        var photos: [FilePath] = []
        for index in 0..<4 {
            let photo = directory.appending("\(index).jpg")
            let image = try PixelBuffer.smooth(PixelSize(width: 400 + index, height: 300))
            try await image.write(to: photo)
            photos.append(photo)
        }
        let cache = directory.appending("cache")
        let made = try await thumbnails(of: photos, keptIn: cache)
        #expect(made.allSatisfy { $0.width == 320 } && made.count == 4)
        #expect(FileManager.default.fileExists(atPath: cache.string))

        let cell = ImageSlot()
        for photo in photos { reuse(cell, for: photo) }
        for await content in cell.contents {
            guard case .image(let image) = content else { continue }
            #expect(image.width == 320)
            break
        }
    }
}
