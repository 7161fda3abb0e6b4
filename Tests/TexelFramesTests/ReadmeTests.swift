import Foundation
import TestSupport
import Testing
import Texel
import TexelFrames

/// The example for frames in the README and in DocC is the file `ReadmeSnippet.swift`, which is compiled with these
/// tests.
@Suite struct ReadmeTests {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()

    @Test(arguments: ["README.md", "Sources/Frames/TexelFrames/TexelFrames.docc/PlayingIntoATexture.md"])
    func pageShowsWhatIsCompiled(page: String) throws {
        let text = try String(contentsOf: Self.here.appending(path: "../../\(page)"), encoding: .utf8)
        let snippet = try String(contentsOf: Self.here.appending(path: "ReadmeSnippet.swift"), encoding: .utf8)
        #expect(text.contains("```swift\n\(snippet)```"))
    }

    @Test(.onThreads) func readmeSnippetRuns() throws {
        let directory = try TemporaryDirectory()
        let clip = directory("clip.y4m")
        let pattern = try PatternSource(size: PixelSize(width: 64, height: 48), count: 3)
        try FramePipeline(from: pattern, into: try Y4MSink(.file(FilePath(clip)))).start().wait()

        let registry = TextureRegistry()
        let (id, run) = try play(clip, in: registry)
        #expect(registry.waitForFrame(id) != nil)
        try run.wait()
        let pixels = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 48 * 4, alignment: 64)
        defer { pixels.deallocate() }
        pixels.initializeMemory(as: UInt8.self, repeating: 0)
        draw(id, of: registry, into: pixels)
        #expect(stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 })
    }
}
