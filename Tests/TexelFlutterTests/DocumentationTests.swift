import Foundation
import TestSupport
import Testing

@testable import TexelFlutter

/// The page for users of the Flutter plugins shows code that is compiled with these tests, and its statements hold.
@Suite(.timeLimit(.minutes(30))) struct DocumentationTests {
    @Test(arguments: ["PluginSnippet", "OwnSnippet"]) func thePageShowsWhatIsCompiled(snippet: String) throws {
        let here = TestFolders.root.appending(path: "Tests/TexelFlutterTests/\(snippet).swift")
        let page = TestFolders.root.appending(path: "docs/coming-from-flutter.md")
        let text = try String(contentsOf: here, encoding: .utf8)
        #expect(try String(contentsOf: page, encoding: .utf8).contains("```swift\n\(text)```"))
    }

    @Test func bothComeToTheSameBytes() async throws {
        let directory = try TemporaryDirectory()
        let image = try PixelBuffer.smooth(PixelSize(width: 300, height: 200))
        let bytes = try Input.file(displaying: image, .jpeg, orientation: .rotated90)
        let photo = FilePath(try directory.add("photo.jpg", bytes))
        let plugin = try await pluginCalls(photo, FilePath(directory("plugin.jpg")))
        let own = try await ownCalls(photo, FilePath(directory("own.jpg")))
        #expect(plugin == own)
        #expect(try directory.bytes("plugin.jpg") == directory.bytes("own.jpg"))
        #expect(
            try plugin.map { try $0.info.size } == [
                PixelSize(width: 48, height: 72), PixelSize(width: 150, height: 100), PixelSize(width: 100, height: 67),
            ])
    }
}
