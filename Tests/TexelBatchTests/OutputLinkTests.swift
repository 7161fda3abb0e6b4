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

/// Links in the paths of outputs: below the folder that the user named, none is followed.
@Suite(.timeLimit(.minutes(30))) struct OutputLinkTests {
    private let directory: TemporaryDirectory
    private let image: [UInt8]
    private let precious = Array("precious".utf8)

    init() throws {
        directory = try TemporaryDirectory()
        image = try PixelBuffer(width: 30, height: 20, filledWith: 0xFF20_4060).encoded(
            as: .png(PNGOptions(effort: .fast)))
        try directory.add("in/sub/a.png", image)
        try directory.add("elsewhere/precious", precious)
        try FileManager.default.createDirectory(atPath: directory("out"), withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> FilePath { FilePath(directory(name)) }

    private func walked() -> [InputItem] { InputExpansion.expand([directory("in")], isRecursive: true).items }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: directory(name), withDestinationPath: target)
    }

    private func isLink(_ name: String) -> Bool { path(name).isLink }

    private func width(of name: String) throws -> Int {
        try CodecRegistry.shared.open(InputBytes(directory.bytes(name))).info.size.width
    }

    @Test(arguments: ["../elsewhere", "nowhere", "."]) func folderThatIsALink(target: String) async throws {
        try link("out/sub", to: target)
        let before = try directory.contents()
        for overwrites in [false, true] {
            let error = await failure(of: walked(), .directory(path("out")), overwrites: overwrites)
            #expect(error == .isLink(path("out/sub")))
        }
        #expect(try directory.contents() == before)
    }

    /// The named folder and those above it may be links.
    @Test func namedFoldersMayBeLinks() async throws {
        try link("place", to: "out")
        #expect(await failure(of: walked(), .directory(path("place"))) == nil)
        #expect(try width(of: "out/sub/a.png") == 16)
        try link("above", to: ".")
        #expect(await failure(of: walked(), .directory(path("above/out/deep"))) == nil)
        #expect(try width(of: "out/deep/sub/a.png") == 16)
        #expect(
            await failure(of: walked(), .template(try OutputTemplate("\(directory("place"))/{name}-s.{ext}"))) == nil)
        #expect(try width(of: "out/a-s.png") == 16)
    }

    /// A link with the output's name is an error, like one in place of a folder.
    @Test(arguments: ["../../elsewhere/precious", "nowhere", "/dev/null", "../sub"])
    func fileThatIsALink(target: String) async throws {
        try FileManager.default.createDirectory(atPath: directory("out/sub"), withIntermediateDirectories: true)
        try link("out/sub/a.png", to: target)
        for overwrites in [false, true] {
            let error = await failure(of: walked(), .directory(path("out")), overwrites: overwrites)
            #expect(error == .isLink(path("out/sub/a.png")))
        }
        #expect(isLink("out/sub/a.png"))
        #expect(try directory.bytes("elsewhere/precious") == precious)
    }

    @Test func linksToInputs() async throws {
        try directory.add("out/sub/x", [])
        for target in ["../../in/sub/a.png", "../../in/b.png"] {
            try directory.add("in/b.png", image)
            try link("out/sub/a.png", to: target)
            let found = await results(walked(), .directory(path("out")), overwrites: true)
            #expect(found.last?.error == .isLink(path("out/sub/a.png")))
            #expect(try directory.bytes("in/sub/a.png") == image)
            #expect(try directory.bytes("in/b.png") == image)
            try FileManager.default.removeItem(atPath: directory("out/sub/a.png"))
        }
    }

    /// A pipe in the tree counts as an existing file; it is written to only if the user named it.
    @Test func pipesAreWrittenOnlyIfNamed() async throws {
        try directory.add("out/sub/x", [])
        try #require(mkfifo(directory("out/sub/a.png"), 0o600) == 0)
        let error = await failure(of: walked(), .directory(path("out")))
        #expect(error == .alreadyExists(path("out/sub/a.png")))
        #expect(await failure(of: walked(), .directory(path("out")), overwrites: true) == nil)
        #expect(try width(of: "out/sub/a.png") == 16)
    }

    /// A link that was found in a folder is not followed; one that was named is.
    @Test func inPlaceFollowsNamedLinksOnly() async throws {
        try directory.add("elsewhere/b.png", image)
        try link("in/b.png", to: "../elsewhere/b.png")
        let found = await results(walked(), .inPlace)
        #expect(found.map(\.error) == [.isLink(path("in/b.png")), nil])
        #expect(try directory.bytes("elsewhere/b.png") == image)
        #expect(try width(of: "in/sub/a.png") == 16)
        #expect(await failure(of: [InputItem(path("in/b.png"))], .inPlace) == nil)
        #expect(isLink("in/b.png"))
        #expect(try width(of: "elsewhere/b.png") == 16)
    }

    @Test func besideTheInput() async throws {
        try link("in/sub/a-texel.png", to: "../../elsewhere/precious")
        for items in [walked().filter { !$0.path.isLink }, [InputItem(path("in/sub/a.png"))]] {
            for overwrites in [false, true] {
                let error = await failure(of: items, .besideInput, overwrites: overwrites)
                #expect(error == .isLink(path("in/sub/a-texel.png")))
            }
        }
        #expect(isLink("in/sub/a-texel.png"))
        #expect(try directory.bytes("elsewhere/precious") == precious)
    }

    /// A named file may be a link to anywhere.
    @Test func namedFileMayBeALink() async throws {
        try link("nowhere.png", to: "elsewhere/nowhere")
        #expect(
            await failure(of: walked(), .file(path("nowhere.png"))) == .alreadyExists(path("nowhere.png")))
        #expect(await failure(of: walked(), .file(path("nowhere.png")), overwrites: true) == nil)
        #expect(try width(of: "elsewhere/nowhere") == 16 && isLink("nowhere.png"))
        try link("named.png", to: "elsewhere/precious")
        #expect(await failure(of: walked(), .file(path("named.png")), overwrites: true) == nil)
        #expect(isLink("named.png"))
        #expect(try width(of: "elsewhere/precious") == 16)
    }

    /// A folder is replaced by a link after the batch has checked it.
    @Test func linksThatComeMeanwhile() async throws {
        try directory.add("out/sub/x", [])
        let directory = directory
        let source = ActingSource(bytes: image) {
            try FileManager.default.moveItem(atPath: directory("out/sub"), toPath: directory("moved"))
            try FileManager.default.createSymbolicLink(
                atPath: directory("out/sub"), withDestinationPath: "../elsewhere")
        }
        var item = InputItem(source, fileName: "a.png")
        item.relativePath = "sub/a.png"
        #expect(await failure(of: [item], .directory(path("out"))) == .isLink(path("out/sub")))
        #expect(try directory.files() == ["elsewhere/precious", "in/sub/a.png", "moved/x"])
    }

    /// Even later, the file is written into the original folder.
    @Test func linksThatComeLate() throws {
        try directory.add("out/sub/x", [])
        var outcome: (any Error)?
        try AtomicFile.write(
            image, to: path("out/sub/a.png"), below: path("out"), makesDirectories: true, replacing: .anything
        ) {
            do {
                try FileManager.default.moveItem(atPath: directory("out/sub"), toPath: directory("moved"))
                try link("out/sub", to: "../elsewhere")
            } catch {
                outcome = error
            }
        }
        #expect(outcome == nil)
        #expect(try directory.files() == ["elsewhere/precious", "in/sub/a.png", "moved/a.png", "moved/x"])
        #expect(try directory.bytes("moved/a.png") == image)
    }

    @Test func placesBelowAFolder() {
        func names(_ path: FilePath, _ root: FilePath) -> [String]? { path.relative(to: root)?.map(\.string) }
        #expect(names("out/a/b", "out") == ["a", "b"])
        #expect(names("out/a/b", "out/") == ["a", "b"])
        #expect(names("./out/./b", "./out") == ["b"])
        #expect(names("a", "") == ["a"])
        #expect(names("./a/b", ".") == ["a", "b"])
        #expect(names("/a/b", "/") == ["a", "b"])
        #expect(names("../out/b", "../out") == ["b"])
        for (path, root) in [
            ("out", "out"), ("output/a", "out"), ("/a", ""), ("out/../a", "out"), ("../a", ""), ("", ""),
        ] {
            #expect(names(FilePath(path), FilePath(root)) == nil, "\(path) below \(root)")
        }
    }
}
