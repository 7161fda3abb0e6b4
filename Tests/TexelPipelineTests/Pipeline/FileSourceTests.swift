import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// File sources, and which links they follow.
@Suite(.timeLimit(.minutes(30))) struct FileSourceTests {
    private let pipeline = ImagePipeline()

    private let directory: TemporaryDirectory
    private let file: FilePath
    /// A link to another file.
    private let link: FilePath

    init() throws {
        directory = try TemporaryDirectory()
        // Large enough to be read after it was opened.
        let image = try PixelBuffer.noise(PixelSize(width: 200, height: 200), alphaMode: .opaque)
        let bytes = try image.encoded(as: .png(PNGOptions(effort: .fast)))
        file = FilePath(try directory.add("a.png", bytes))
        link = FilePath(directory("link.png"))
        let other = try directory.add("other/b.png", bytes)
        try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: other)
    }

    @Test func linksAreFollowedWhereTheyMay() async throws {
        for path in [file, link] {
            #expect(try await pipeline.image(for: ImageRequest(FileSource(path))).width == 200)
        }
        #expect(try await pipeline.image(for: ImageRequest(FileSource(file, followsLinks: false))).width == 200)
        // Also if the image is cached for requests that follow links.
        await #expect(throws: TexelError.cannotRead(link, .tooManySymbolicLinkLevels)) {
            try await pipeline.image(for: ImageRequest(FileSource(link, followsLinks: false)))
        }
    }

    @Test func aLinkThatComesLateIsNotFollowed() async throws {
        let opened = try await FileSource(file, followsLinks: false).open(limits: Limits())
        try FileManager.default.removeItem(atPath: file.string)
        try FileManager.default.moveItem(atPath: link.string, toPath: file.string)
        guard case .read(let read) = opened.content else {
            Issue.record("a file is read at once")
            return
        }
        #expect(throws: TexelError.cannotRead(file, .tooManySymbolicLinkLevels)) { _ = try read() }
    }
}
