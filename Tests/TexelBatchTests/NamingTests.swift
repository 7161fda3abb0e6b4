import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelFormats
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelBatch
@testable import TexelPipeline

/// Which files arguments stand for, and how their outputs are named.
@Suite struct InputExpansionTests {
    private let directory: TemporaryDirectory
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    init() throws {
        directory = try TemporaryDirectory()
        for name in ["b.jpg", "a.PNG", "deep/c.jpeg", "deep/er/d.png", "notes.txt", ".hidden.png", ".git/e.png"] {
            try directory.add(name, [])
        }
        try directory.add("nameless", Self.png)
    }

    private func found(_ arguments: [String], isRecursive: Bool = true) -> InputExpansion.Outcome {
        InputExpansion.expand(arguments.map { directory($0) }, isRecursive: isRecursive)
    }

    private func names(_ outcome: InputExpansion.Outcome) -> [String] { outcome.items.map(\.relativePath.string) }

    /// Files with an image's extension, and others that contain one, but no hidden files.
    @Test func directories() {
        let outcome = found([""])
        #expect(names(outcome) == ["a.PNG", "b.jpg", "deep/c.jpeg", "deep/er/d.png", "nameless"])
        #expect(outcome.failures.isEmpty && outcome.isOpenEnded)
        #expect(names(found(["deep"])) == ["c.jpeg", "er/d.png"])
    }

    @Test func directoryWithoutRecursion() {
        let outcome = found(["deep", "b.jpg"], isRecursive: false)
        #expect(names(outcome) == ["b.jpg"])
        #expect(outcome.failures == [.isDirectory(FilePath(directory("deep")))])
        #expect(!outcome.isOpenEnded)
    }

    /// Named files are used even if they are hidden or have another extension.
    @Test func namedFiles() {
        let outcome = found([".hidden.png", "notes.txt", "b.jpg"])
        #expect(names(outcome) == [".hidden.png", "notes.txt", "b.jpg"])
        #expect(!outcome.isOpenEnded)
    }

    /// A file that is named in several ways is one item; links and hard links are separate items.
    @Test func filesThatAreNamedTwice() throws {
        #expect(names(found(["b.jpg", "./b.jpg", "deep/../b.jpg", "*.jpg"])) == ["b.jpg"])
        #expect(names(found(["deep/c.jpeg", "deep", "deep/er"])) == ["c.jpeg", "er/d.png"])
        #expect(found(["no.jpg", "no.jpg"]).failures.count == 1)
        #expect(InputExpansion.expand(["-", "-"], isRecursive: false).items == [.standardInput])
        try FileManager.default.createSymbolicLink(atPath: directory("link.jpg"), withDestinationPath: "b.jpg")
        try FileManager.default.linkItem(atPath: directory("b.jpg"), toPath: directory("hard.jpg"))
        #expect(names(found(["b.jpg", "link.jpg", "hard.jpg"])) == ["b.jpg", "link.jpg", "hard.jpg"])
    }

    /// Files of other formats are counted, hidden ones are not.
    @Test func otherFiles() throws {
        #expect(found([""]).otherFileCount == 1)
        try directory.add("deep/er/film.mkv", "1234567812345678".utf8)
        try FileManager.default.createSymbolicLink(atPath: directory("deep/gone"), withDestinationPath: "nowhere")
        #expect(found(["", "b.jpg"]).otherFileCount == 3)
    }

    @Test func emptyDirectories() throws {
        try directory.add("empty/notes.txt", [])
        let path = FilePath(directory("empty"))
        let outcome = found(["empty"])
        #expect(outcome.failures == [.noImagesFound(path)] && outcome.isEmpty && outcome.isOpenEnded)
        let both = found(["empty", "deep"])
        #expect(both.failures == [.noImagesFound(path)] && both.items.count == 2 && !both.isEmpty)
        #expect(!found(["no.jpg"]).isEmpty)
    }

    @Test func whatCannotBeRead() throws {
        let manager = FileManager.default
        for name in ["loop", "loop.png"] {
            try manager.createSymbolicLink(atPath: directory("deep/\(name)"), withDestinationPath: name)
        }
        let folder = try directory.addUnreadableDirectory(in: "deep/er")
        let outcome = found(["deep"])
        // The second link has an image's extension, so it fails only when it is read.
        #expect(names(outcome) == ["c.jpeg", "er/d.png", "loop.png"])
        #expect(
            outcome.failures == [
                .cannotRead(FilePath(directory(folder)), .fileNameTooLong),
                .cannotRead(FilePath(directory("deep/loop")), .tooManySymbolicLinkLevels),
            ])
        #expect(found(["deep/loop"]).failures.count == 1)
        // A directory that cannot be read completely may contain images.
        try directory.add("lost/notes.txt", [])
        try manager.createSymbolicLink(atPath: directory("lost/loop"), withDestinationPath: "loop")
        let lost = found(["lost"])
        #expect(!lost.isEmpty && lost.failures.count == 1)
    }

    @Test func patterns() {
        let outcome = found(["*.[jp]*g", "*/*.jpeg"])
        #expect(names(outcome) == ["b.jpg", "c.jpeg"])
        #expect(outcome.isOpenEnded)
        #expect(found(["*.gif"]).failures == [.missing(FilePath(directory("*.gif")))])
        // Matched directories are treated like named ones.
        #expect(names(found(["de*"])) == ["c.jpeg", "er/d.png"])
        #expect(found(["de*"], isRecursive: false).failures == [.isDirectory(FilePath(directory("deep")))])
    }

    @Test func missingFile() {
        let outcome = found(["no.jpg", "b.jpg"])
        #expect(outcome.failures == [.missing(FilePath(directory("no.jpg")))])
        #expect(names(outcome) == ["b.jpg"])
    }

    @Test func standardInput() {
        #expect(InputExpansion.expand(["-"], isRecursive: false).items == [.standardInput])
    }

    /// Linked files are included, linked directories are not entered, so that every walk ends.
    @Test func links() throws {
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: directory("deep/f.png"), withDestinationPath: "../a.PNG")
        try manager.createSymbolicLink(atPath: directory("deep/up"), withDestinationPath: "..")
        try manager.createSymbolicLink(atPath: directory("deep/gone.png"), withDestinationPath: "nowhere")
        #expect(names(found(["deep"])) == ["c.jpeg", "er/d.png", "f.png", "gone.png"])
        // A link that the user named is followed.
        try manager.createSymbolicLink(atPath: directory("link"), withDestinationPath: "deep/er")
        #expect(names(found(["link"])) == ["d.png"])
    }
}

@Suite struct OutputNamingTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Makes files with the format of their extensions, or with `content`.
    private func items(_ names: [String], content: ImageFormat? = nil) throws -> [InputItem] {
        let image = try PixelBuffer(width: 2, height: 2, filledWith: 0xFF00_0000)
        return try names.map { name in
            let promised = FilePath(name).extension.flatMap { ImageFormat(fileExtension: $0) }
            let isPNG = content ?? promised == .png
            let bytes = try image.encoded(as: isPNG ? .png(PNGOptions(effort: .fast)) : .jpeg(JPEGOptions()))
            return InputItem(path: FilePath(try directory.add(name, bytes)), relativePath: FilePath(name))
        }
    }

    private func names(
        _ items: [InputItem], _ target: OutputTarget = .directory("out"), _ format: ImageFormat? = nil
    ) -> [String] {
        OutputNaming.destinations(for: items, target: target, format: format).map { destination in
            switch destination {
            case .file(let path): path.string.replacing(directory.path + "/", with: "")
            case .template(_, let name): "{\(String(decoding: name, as: UTF8.self))}"
            case .standardOutput: "-"
            }
        }
    }

    @Test func extensions() throws {
        #expect(try names(items(["a.jpg", "b.JPEG", "c.png"])) == ["out/a.jpg", "out/b.JPEG", "out/c.png"])
        #expect(try names(items(["a.jpg", "c.png"]), .directory("out"), .png) == ["out/a.png", "out/c.png"])
        #expect(try names(items(["d.jpe"]), .directory("out"), .jpeg) == ["out/d.jpe"])
    }

    @Test func extensionsThatLie() throws {
        #expect(try names(items(["a.jpg"], content: .png)) == ["out/a.png"])
        #expect(try names(items(["a.tmp", "plain"], content: .png)) == ["out/a.png", "out/plain.png"])
        // An unreadable file fails under its own name.
        #expect(names([InputItem(path: "missing.png", relativePath: "missing.png")]) == ["out/missing.png"])
    }

    @Test func collisions() throws {
        let items = try items(["a.png", "a.jpg", "b.jpg", "a.jpeg"])
        #expect(
            names(items, .directory("out"), .png) == ["out/a.png.png", "out/a.jpg.png", "out/b.png", "out/a.png"])
        #expect(names(items) == ["out/a.png", "out/a.jpg", "out/b.jpg", "out/a.jpeg"])
    }

    /// Equal names from different folders, written into one directory.
    @Test func sameNames() throws {
        let items = try items(["one/a.jpg", "two/a.jpg", "three/a.jpg", "two/a.jpg.jpg"]).map {
            InputItem(path: $0.path, relativePath: FilePath($0.path.lastComponent?.string ?? ""))
        }
        // Sorted: one, three, two, two.
        #expect(names(items) == ["out/a.jpg", "out/a.jpg-2.jpg", "out/a.jpg.jpg", "out/a.jpg.jpg.jpg"])
        #expect(Set(names(items)).count == 4)
    }

    @Test func trees() throws {
        let items = try items(["x/y/a.jpg", "x/b.png", "c.png"])
        #expect(names(items) == ["out/x/y/a.jpg", "out/x/b.png", "out/c.png"])
    }

    @Test func besideTheInput() throws {
        let items = try items(["x/a.jpg", "x/a.png", "b.png"])
        #expect(names(items, .besideInput) == ["x/a-texel.jpg", "x/a-texel.png", "b-texel.png"])
        #expect(
            names(items, .besideInput, .png) == ["x/a-texel.png", "x/a-texel.png.png", "b-texel.png"])
    }

    @Test func standardInput() throws {
        #expect(names([.standardInput], .besideInput) == ["-"])
        #expect(names([.standardInput], .inPlace) == ["-"])
        #expect(names([.standardInput], .directory("out"), .png) == ["out/stdin.png"])
        // The format of standard input is unknown until it is read.
        #expect(names([.standardInput]) == ["{}"])
    }

    @Test func targets() throws {
        func target(_ argument: String, _ isForSeveral: Bool = false) throws -> OutputTarget {
            try OutputTarget(argument: argument, isForSeveralInputs: isForSeveral)
        }
        #expect(try target("-") == .standardOutput)
        #expect(try target("a.jpg") == .file("a.jpg"))
        #expect(try target("out/") == .directory("out"))
        #expect(try target("out", true) == .directory("out"))
        #expect(try target(directory.path) == .directory(FilePath(directory.path)))
        #expect(try target("{name}.jpg") == .template(OutputTemplate("{name}.jpg")))
        // A brace in a name is written twice, except in that of a directory that exists.
        #expect(try target("x {{1}}/") == .directory("x {1}/"))
        #expect(try target("{{name}}.jpg") == .file("{name}.jpg"))
        #expect(try target("a}b{{.jpg", true) == .directory("a}b{.jpg"))
        let template = try OutputTemplate("{{{name}}}.jpg")
        #expect(template.text == "{{{name}}}.jpg" && template.plainPath == nil)
        try FileManager.default.createDirectory(atPath: directory("{1}"), withIntermediateDirectories: true)
        #expect(try target(directory("{1}")) == .directory(FilePath(directory("{1}"))))
        for text in ["{nonsense}.jpg", "{name.jpg", "{}"] {
            #expect(throws: OutputTemplate.UnknownPlaceholder.self) { try target(text) }
        }
    }

    @Test func templates() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 20, height: 10))
        let source = try ImageSource(InputBytes(try image.encoded(as: .png(PNGOptions(effort: .fast)))))
        let plan = try Planner.plan(Recipe().resizing(width: 10), for: source.info, to: .file(.png))
        func path(_ text: String, _ input: FilePath) throws -> String {
            try OutputTemplate(text).path(for: input, name: input.stemBytes ?? [], plan: plan).string
        }
        #expect(try path("{dir}/{name}-{width}w.{ext}", "in/a.b.jpg") == "in/a.b-10w.png")
        #expect(try path("{dir}/{name}.{ext}", "a.jpg") == "./a.png")
        #expect(try path("out/{height}/{name}{name}", "in/a.jpg") == "out/5/aa")
    }

    @Test(arguments: [
        ("{name}-t.jpg", "jpg"), ("out/{name}.{width}.png", "png"), ("{name}.x.y", "y"), ("{name}.{ext}", nil),
        ("{name}.x{ext}", nil), ("out.d/{name}", nil), ("{name}-t", nil), ("{dir}/.hidden", nil),
    ])
    func extensionsOfTemplates(text: String, fileExtension: String?) throws {
        #expect(try OutputTemplate(text).fileExtension == fileExtension)
    }

    @Test func templatesThatCollide() throws {
        let items = try items(["a.png", "a.jpg", "x/a.jpg"])
        let flat = OutputTarget.template(try OutputTemplate("out/{name}.{ext}"))
        #expect(names(items, flat) == ["{a}", "{a}", "{a.jpg}"])
        #expect(names(items, flat, .png) == ["{a.png}", "{a}", "{a.jpg}"])
        let mirrored = OutputTarget.template(try OutputTemplate("{dir}/{name}-{width}.{ext}"))
        #expect(names(items, mirrored) == ["{a}", "{a}", "{a}"])
    }
}
