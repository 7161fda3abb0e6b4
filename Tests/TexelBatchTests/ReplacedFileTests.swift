import CExtendedAttributes
import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelBatch
@testable import TexelPipeline

/// The attributes of a file whose contents are replaced, or that is not written.
@Suite struct ReplacedFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.add("a.png", Self.large)
        try directory.add("in/b.png", Self.large)
    }

    /// A PNG that can become smaller.
    private static let large: [UInt8] = {
        let options = PNGOptions(level: 0, reducesLosslessly: false, effort: .fast)
        return (try? PixelBuffer.smooth(PixelSize(width: 40, height: 30)).encoded(as: .png(options))) ?? []
    }()

    private func path(_ name: String) -> FilePath { FilePath(directory(name)) }

    private func status(_ name: String) throws -> FileStatus { try #require(FileStatus(path(name))) }

    private func inPlace(_ name: String, keepsTimes: Bool = false) async -> FileResult {
        var options = ProcessingOptions()
        options.keepsTimes = keepsTimes
        return await Batch.process(
            InputItem(path(name)), to: .inPlace, with: Recipe(), options: options, pipeline: .shared, stop: StopToken())
    }

    private func set(_ name: String, _ attribute: String, _ value: String) -> Bool {
        directory(name).withCString { setxattr($0, attribute, value, value.utf8.count, 0) } == 0
    }

    private func attribute(_ name: String, _ attribute: String) -> String? {
        var value = [UInt8](repeating: 0, count: 100)
        let count = directory(name).withCString { getxattr($0, attribute, &value, value.count) }
        return count < 0 ? nil : String(decoding: value[..<count], as: UTF8.self)
    }

    @Test func extendedAttributesAreKept() async throws {
        for name in ["a.png", "in/b.png"] {
            // Not every file system supports extended attributes.
            guard set(name, "user.texel.test", "kept"), set(name, "user.texel.empty", "") else { return }
            let before = try status(name).identity
            #expect(await inPlace(name).status == .written)
            #expect(try status(name).identity != before)
            #expect(attribute(name, "user.texel.test") == "kept" && attribute(name, "user.texel.empty") == "")
        }
    }

    /// Only root may change a file's owner.
    @Test(.enabled(if: getuid() == 0)) func ownerAndGroup() async throws {
        #expect(chown(directory("a.png"), 1234, 2345) == 0)
        #expect(chmod(directory("a.png"), 0o2640) == 0)
        let result = await inPlace("a.png")
        #expect(result.status == .written && result.warnings == [])
        let after = try status("a.png")
        #expect(after.owner == 1234 && after.group == 2345 && after.permissions.rawValue == 0o2640)
    }

    @Test func timesAreKeptOnDemand() async throws {
        let written = Date(timeIntervalSince1970: 1_000_000_000)
        for keepsTimes in [true, false] {
            try directory.add("a.png", Self.large)
            try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: directory("a.png"))
            #expect(await inPlace("a.png", keepsTimes: keepsTimes).status == .written)
            let isKept = try status("a.png").modificationTime == .seconds(1_000_000_000)
            #expect(isKept == keepsTimes)
        }
    }

    @Test func timesOfOtherOutputs() async throws {
        let written = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: directory("in/b.png"))
        var options = ProcessingOptions()
        options.keepsTimes = true
        let stores: [any OutputStore] = [FileStore(path("c.png")), DirectoryStore(path("out")), BesideInputStore()]
        for store in stores {
            let result = await Batch.process(
                InputItem(path("in/b.png")), to: store, with: Recipe(), options: options, pipeline: .shared,
                stop: StopToken())
            let output = try #require(result.output)
            #expect(FileStatus(output)?.modificationTime == .seconds(1_000_000_000), "\(output)")
        }
    }

    /// A file is not replaced if another program changes or removes it while its result is made.
    @Test(arguments: [true, false]) func editsMeanwhileStay(isRemoved: Bool) async throws {
        let (file, mine) = (directory("a.png"), Array("my edit".utf8))
        let directory = directory
        let recipe = Recipe().appending(
            .acting {
                if isRemoved { unlink(file) } else { _ = try? directory.add("a.png", mine) }
            })
        let result = await Batch.process(
            InputItem(path("a.png")), to: .inPlace, with: recipe, options: ProcessingOptions(), pipeline: .shared,
            stop: StopToken())
        #expect(result.error == .changed(path("a.png")))
        #expect(
            try directory.contents() == (isRemoved ? [:] : ["a.png": mine]).merging(["in/b.png": Self.large]) { $1 })
    }

    /// Other names keep the former contents, and the user is told.
    @Test func hardLinksKeepTheFormerContents() async throws {
        #expect(link(directory("a.png"), directory("b.png")) == 0)
        let result = await inPlace("a.png")
        #expect(
            result.warnings == [
                "could not be kept on the new file: a hard link, which leads to the former contents"
            ])
        #expect(try directory.bytes("b.png") == Self.large && directory.bytes("a.png") != Self.large)
    }

    /// A file that cannot become smaller is not touched; its permissions are not even needed.
    @Test func keptFilesAreNotTouched() async throws {
        #expect(await inPlace("a.png").status == .written)
        let (before, version) = (try directory.bytes("a.png"), try status("a.png").version)
        for keepsTimes in [false, true] {
            let result = await inPlace("a.png", keepsTimes: keepsTimes)
            #expect(result.status == .kept && result.outputBytes == before.count)
            #expect(try status("a.png").version == version && directory.bytes("a.png") == before)
        }
    }

    /// The pixels are kept, but metadata that the policy removes require a new file.
    @Test func otherMetadataAreWritten() async throws {
        let metadata = WrittenMetadata(exif: TestEXIF.block(orientation: .identity))
        let image = try PixelBuffer.smooth(PixelSize(width: 40, height: 30))
        let bytes = try image.encoded(as: .jpeg(JPEGOptions(quality: 5)), metadata: metadata)
        try directory.add("c.jpg", bytes)
        let result = await inPlace("c.jpg")
        #expect(result.status == .written && result.outputBytes < bytes.count)
        #expect(await inPlace("c.jpg").status == .kept)
    }

    @Test func equalContentsAreRecognized() throws {
        try directory.add("d", [1, 2, 3])
        #expect(path("d").holds(.memory([1, 2, 3])))
        for other: [UInt8] in [[], [1, 2], [1, 2, 4], [1, 2, 3, 4]] { #expect(!path("d").holds(.memory(other))) }
        #expect(!path("none").holds(.memory([])) && !path("in").holds(.memory([])))
        let long = [UInt8](repeating: 7, count: 3 << 20)
        try directory.add("e", long)
        #expect(path("e").holds(.memory(long)))
        #expect(!path("e").holds(.memory(long.dropLast() + [8])))
    }
}
