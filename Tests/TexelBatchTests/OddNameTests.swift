import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelFormats
import TexelPNG
import TexelPixels

@testable import TexelBatch
@testable import TexelPipeline

/// Names that point outside, that have the maximum length, or that are not valid text.
@Suite(.timeLimit(.minutes(30))) struct OddNameTests {
    private let directory: TemporaryDirectory
    private let image: [UInt8]

    init() throws {
        directory = try TemporaryDirectory()
        image = try PixelBuffer(width: 30, height: 20, filledWith: 0xFF20_4060).encoded(
            as: .png(PNGOptions(effort: .fast)))
    }

    private func path(_ name: String) -> FilePath { FilePath(directory(name)) }

    private func path(_ name: [UInt8]) -> FilePath { FilePath(bytes: path("").bytes + [UInt8(ascii: "/")] + name) }

    private func add(_ path: FilePath) throws {
        try path.removingLastComponent().makeDirectories()
        try AtomicFile.write(image, to: path, replacing: .nothing)
    }

    /// All files below a folder, by their bytes.
    private func files(below folder: FilePath) throws -> Set<FilePath> {
        var files: Set<FilePath> = []
        for name in try DirectoryEntry.list(folder).map(\.name) where name.kind == .regular {
            let path = folder.appending(name)
            if path.isDirectory { files.formUnion(try self.files(below: path)) } else { files.insert(path) }
        }
        return files
    }

    // MARK: Names that point outside

    /// A file whose name without the extension is that of the parent folder.
    @Test func namesOfFoldersAbove() async throws {
        try add(path("in/...png"))
        let store = TemplateStore(try OutputTemplate("\(directory("out"))/{name}/thumbnail.{ext}"))
        let error = await failure(of: [InputItem(path("in/...png"))], store)
        #expect(error == .outsideFolder(path("out/../thumbnail.png"), path("out")))
        #expect(try directory.files() == ["in/...png"])
        #expect(await failure(of: [InputItem(path("in/...png"))], .directory(path("out"))) == nil)
        #expect(try directory.files() == ["in/...png", "out/...png"])
    }

    @Test func foldersThatLeadUp() async throws {
        try add(path("in/a.png"))
        let item = InputItem(path("x/../in/a.png"))
        try path("x").makeDirectories()
        let store = TemplateStore(try OutputTemplate("\(directory("out"))/{dir}/{name}.{ext}"))
        let error = await failure(of: [item], store)
        guard let error, error.kind == .outsideFolder, "\(error)".contains("outside of \(path("out"))") else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try directory.files() == ["in/a.png"])
    }

    @Test(arguments: ["../a.png", "/a.png", "sub/../../a.png", ".."])
    func placesOutsideAreRefused(name: String) async throws {
        var item = InputItem(BytesSource(image), fileName: "a.png")
        item.relativePath = FilePath(name)
        let error = await failure(of: [item], .directory(path("out")))
        // A bare name cannot point outside.
        if name == ".." {
            #expect(error == nil)
        } else if error?.kind == .outsideFolder {
            #expect(try directory.files() == [])
        } else {
            Issue.record("\(String(describing: error))")
        }
        #expect(FileManager.default.fileExists(atPath: "/a.png") == false)
    }

    // MARK: Long names

    /// A single character may have as many bytes as a name.
    @Test(arguments: ["e\u{301}", "👩‍👩‍👧‍👦", "a", "ü", "e" + String(repeating: "\u{301}", count: 100)])
    func namesOfMaximumLengthAreWritten(character: String) async throws {
        let stem = String(repeating: character, count: 251 / character.utf8.count)
        let name = stem + String(repeating: "x", count: 251 - stem.utf8.count) + ".png"
        try #require(name.utf8.count == 255)
        try add(path("in/\(name)"))
        for overwrites in [false, true] {
            #expect(
                await failure(of: [InputItem(path("in/\(name)"))], .directory(path("out")), overwrites: overwrites)
                    == nil)
        }
        #expect(await failure(of: [InputItem(path("in/\(name)"))], .inPlace) == nil)
        #expect(try directory.files() == ["in/\(name)", "out/\(name)"])
        let tooLong = path("in/\(name.dropLast(4))-texel.png")
        #expect(
            await failure(of: [InputItem(path("in/\(name)"))], .besideInput)
                == .cannotCreate(tooLong, .fileNameTooLong))
        #expect(try directory.files() == ["in/\(name)", "out/\(name)"])
    }

    // MARK: Names that are not text

    #if os(Linux)
        private let names: [[UInt8]] = [
            [0xFF] + Array(".png".utf8), [0xFE] + Array(".png".utf8), Array("a\nb\u{1B}[2J.png".utf8),
            Array("-a.png".utf8),
            [0xFF, 0xFE] + Array("/".utf8) + [0xC3] + Array(".png".utf8),
        ]

        @Test func mirroredByteForByte() async throws {
            for name in names { try add(path(Array("in/".utf8) + name)) }
            let items = InputExpansion.expand([directory("in")], isRecursive: true).items
            for root in [path("out"), path([0xFF, UInt8(ascii: "/"), 0xFE])] {
                #expect(await results(items, .directory(root)).map(\.error) == names.map { _ in nil })
                let expected = names.map { FilePath(bytes: root.bytes + [UInt8(ascii: "/")] + $0) }
                #expect(try files(below: root) == Set(expected))
            }
        }

        @Test func inPlaceAndBeside() async throws {
            for name in names { try add(path(Array("in/".utf8) + name)) }
            let items = InputExpansion.expand([directory("in")], isRecursive: true).items
            let before = try files(below: path("in"))
            #expect(await results(items, .inPlace).map(\.error) == names.map { _ in nil })
            #expect(try files(below: path("in")) == before)
            for item in items {
                #expect(
                    try CodecRegistry.shared.open(InputReader.read(item.path, limit: 1 << 20)).info.size.width == 16)
            }
            #expect(await results(items, .besideInput).map(\.error) == names.map { _ in nil })
            let beside = before.map { FilePath(bytes: $0.bytes.dropLast(4) + Array("-texel.png".utf8)) }
            #expect(try files(below: path("in")) == before.union(beside))
        }

        /// Names that look alike are different.
        @Test func manifestsTellLookalikeNamesApart() async throws {
            for name in names { try add(path(Array("in/".utf8) + name)) }
            let items = InputExpansion.expand([directory("in")], isRecursive: true).items
            for root in [path("out"), path([0xFF, UInt8(ascii: "/"), 0xFE])] {
                // All inputs have the same size; give them the same time too.
                for item in items {
                    var times = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0)]
                    try #require(item.path.withPlatformString { utimensat(AT_FDCWD, $0, &times, 0) } == 0)
                }
                let first = [items[1]]
                func manifest() throws -> BatchManifest { try BatchManifest(in: root, isResuming: true) }
                #expect(await results(first, .directory(root), manifest: try manifest()).count == 1)
                #expect(await results(items, .directory(root), manifest: try manifest()).count == items.count - 1)
                #expect(await results(items, .directory(root), manifest: try manifest()).isEmpty)
                #expect(try manifest().ignoredLineCount == 0)
                #expect(try files(below: root).count == names.count + 1)
            }
        }
    #endif
}
