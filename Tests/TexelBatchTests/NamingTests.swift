import Foundation
import PlatformLibc
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
    @Test func foldersYieldVisibleImagesOnly() {
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
    @Test func namedFilesAreAlwaysUsed() {
        let outcome = found([".hidden.png", "notes.txt", "b.jpg"])
        #expect(names(outcome) == [".hidden.png", "notes.txt", "b.jpg"])
        #expect(!outcome.isOpenEnded)
    }

    /// A file is one item, also if several links to it are named.
    @Test func filesThatAreNamedTwice() throws {
        #expect(names(found(["b.jpg", "./b.jpg", "deep/../b.jpg", "*.jpg"])) == ["b.jpg"])
        #expect(names(found(["deep/c.jpeg", "deep", "deep/er"])) == ["c.jpeg", "er/d.png"])
        #expect(found(["no.jpg", "no.jpg"]).failures.count == 1)
        #expect(InputExpansion.expand(["-", "-"], isRecursive: false).items == [.standardInput])
        try FileManager.default.createSymbolicLink(atPath: directory("link.jpg"), withDestinationPath: "b.jpg")
        try FileManager.default.linkItem(atPath: directory("b.jpg"), toPath: directory("hard.jpg"))
        #expect(names(found(["b.jpg", "link.jpg", "hard.jpg"])) == ["b.jpg"])
        #expect(names(found(["link.jpg", "deep/../hard.jpg", "*.jpg"])) == ["link.jpg"])
        // A listing has all names of the command line.
        let arguments = ["b.jpg", "./b.jpg", "link.jpg", "hard.jpg", ""].map { directory($0) }
        let listed = InputExpansion.expand(arguments, isRecursive: true, keepsLinks: true)
        #expect(
            names(listed) == ["b.jpg", "link.jpg", "hard.jpg", "a.PNG", "deep/c.jpeg", "deep/er/d.png", "nameless"])
    }

    /// Of several names below a folder, the first one is used that is not a symbolic link.
    @Test func filesWithSeveralNames() throws {
        let manager = FileManager.default
        try manager.linkItem(atPath: directory("deep/c.jpeg"), toPath: directory("deep/b.jpeg"))
        try manager.createSymbolicLink(atPath: directory("deep/a.jpeg"), withDestinationPath: "c.jpeg")
        #expect(names(found(["deep"])) == ["b.jpeg", "er/d.png"])
        #expect(names(found(["deep/a.jpeg", "deep"])) == ["a.jpeg", "er/d.png"])
        #expect(names(found(["deep/*.jpeg"])) == ["b.jpeg"])
        // The walk finds only a link, whose file is named later.
        try manager.createSymbolicLink(atPath: directory("deep/er/link.png"), withDestinationPath: "../../a.PNG")
        #expect(names(found(["deep", "a.PNG"])) == ["b.jpeg", "er/d.png", "a.PNG"])
    }

    /// Pipes, sockets, devices and links to them are not read below folders and by patterns, only if they are named.
    @Test func whatIsNotAFile() throws {
        try #require(mkfifo(directory("deep/pipe.png"), 0o600) == 0)
        let manager = FileManager.default
        for (name, target) in [("link.png", "pipe.png"), ("null.png", "/dev/null"), ("gone.jpg", "nowhere")] {
            try manager.createSymbolicLink(atPath: directory("deep/\(name)"), withDestinationPath: target)
        }
        let outcome = found(["deep"])
        #expect(names(outcome) == ["c.jpeg", "er/d.png"] && outcome.otherFileCount == 4 && outcome.failures.isEmpty)
        let matched = found(["deep/*.[jp]*g"])
        #expect(names(matched) == ["c.jpeg"] && matched.otherFileCount == 4 && matched.failures.isEmpty)
        #expect(names(found(["deep/pipe.png", "deep/null.png"])) == ["pipe.png", "null.png"])
        #expect(found(["deep/gone.jpg"]).failures == [.missingFile(FilePath(directory("deep/gone.jpg")))])
    }

    /// The outputs of a call are not its inputs, unless they are named.
    @Test func outputsAreNotInputsUnlessNamed() throws {
        func found(_ arguments: [String], _ store: some OutputStore) -> [String] {
            names(
                InputExpansion.expand(
                    arguments.map { directory($0) }, isRecursive: true, excluding: store.ownPaths,
                    outputDirectoryName: store.ownDirectoryName))
        }
        func path(_ name: String) -> FilePath { FilePath(directory(name)) }
        let rest = ["a.PNG", "b.jpg", "deep/c.jpeg", "nameless"]
        #expect(found([""], .directory(path("deep/er"))) == rest)
        #expect(found([""], .directory(path("deep/../deep/er/"))) == rest)
        #expect(found([""], .file(path("a.PNG"))) == ["b.jpg", "deep/c.jpeg", "deep/er/d.png", "nameless"])
        #expect(found([""], .directory(path("missing"))) == rest.dropLast() + ["deep/er/d.png", "nameless"])
        #expect(found(["*"], .directory(path("deep"))) == ["a.PNG", "b.jpg", "nameless", "notes.txt"])
        #expect(found(["deep"], .directory(path("deep"))) == ["c.jpeg", "er/d.png"])
        // As a shell expands `*`.
        #expect(found(["b.jpg", "deep", "nameless"], .directory(path("deep"))) == ["b.jpg", "nameless"])
        #expect(found(["b.jpg", "a.PNG"], .file(path("b.jpg"))) == ["b.jpg", "a.PNG"])
        #expect(found([""], .template(try OutputTemplate(directory("deep/er/{name}-s.{ext}")))) == rest)
        // A folder of this name in each folder.
        #expect(found([""], .template(try OutputTemplate("{dir}/er/{name}.{ext}"))) == rest)
        #expect(found(["deep/er"], .template(try OutputTemplate("{dir}/er/s-{name}.{ext}"))) == ["d.png"])
        #expect(found([""], .template(try OutputTemplate("{dir}/deep/er/{name}.{ext}"))) == rest)
        #expect(found([""], .template(try OutputTemplate("{dir}/{name}-s.{ext}"))).count == 5)
    }

    /// Results of an earlier call have the inputs' names with a suffix, and their extensions if names were equal.
    @Test func resultsBesideInputs() throws {
        func left(_ others: [String], _ hasSeveralWidths: Bool = false) throws -> [String] {
            let folder = try TemporaryDirectory()
            for name in ["a.jpg", "a.png", "b.jpg"] + others { try folder.add("in/\(name)", []) }
            let left = ["in", "in/*"].map { argument in
                var outcome = InputExpansion.expand([folder(argument)], isRecursive: true)
                let count = outcome.removeOutputsBesideInputs(hasSeveralWidths: hasSeveralWidths)
                #expect(outcome.items.count + count == 3 + others.count)
                return outcome.items.compactMap(\.path.lastComponent?.string)
            }
            #expect(left[0] == left[1])
            return left[0]
        }
        let inputs = ["a.jpg", "a.png", "b.jpg"]
        #expect(try left(["a-texel.jpg", "a-texel.png.jpg", "a-texel.png-2.jpg", "a-texel.png-texel.jpg"]) == inputs)
        #expect(try left(["a-640w.jpg", "a.png-640w.jpg", "a.png-2-640w.jpg"], true) == inputs)
        #expect(try left(["a-640w.jpg"]) == ["a-640w.jpg"] + inputs)
        // Files whose names only resemble those of results.
        let others = ["a-texel.gif.jpg", "b-texel.png.jpg", "c-texel.jpg"]
        #expect(try left(others) == (inputs + others).sorted())
        // Named files are always processed.
        let folder = try TemporaryDirectory()
        let named = try ["a.jpg", "a-texel.jpg"].map { try folder.add($0, []) }
        var outcome = InputExpansion.expand(named, isRecursive: false)
        #expect(outcome.removeOutputsBesideInputs(hasSeveralWidths: false) == 0 && outcome.items.count == 2)
    }

    /// Files of other formats are counted, hidden ones are not.
    @Test func filesOfOtherFormatsAreCounted() throws {
        #expect(found([""]).otherFileCount == 1)
        try directory.add("deep/er/film.mkv", "1234567812345678".utf8)
        try FileManager.default.createSymbolicLink(atPath: directory("deep/gone"), withDestinationPath: "nowhere")
        #expect(found(["", "b.jpg"]).otherFileCount == 3)
    }

    @Test func directoriesWithoutImagesAreFailures() throws {
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
        #expect(names(outcome) == ["c.jpeg", "er/d.png"])
        #expect(
            outcome.failures == [
                .cannotRead(FilePath(directory(folder)), .fileNameTooLong),
                .cannotRead(FilePath(directory("deep/loop")), .tooManySymbolicLinkLevels),
                .cannotRead(FilePath(directory("deep/loop.png")), .tooManySymbolicLinkLevels),
            ])
        #expect(found(["deep/loop"]).failures.count == 1)
        // A directory that cannot be read completely may contain images.
        try directory.add("lost/notes.txt", [])
        try manager.createSymbolicLink(atPath: directory("lost/loop"), withDestinationPath: "loop")
        let lost = found(["lost"])
        #expect(!lost.isEmpty && lost.failures.count == 1)
    }

    @Test func patternsMatchFilesAndFolders() {
        let outcome = found(["*.[jp]*g", "*/*.jpeg"])
        #expect(names(outcome) == ["b.jpg", "c.jpeg"])
        #expect(outcome.isOpenEnded)
        #expect(found(["*.gif"]).failures == [.missingFile(FilePath(directory("*.gif")))])
        // Matched directories are treated like named ones.
        #expect(names(found(["de*"])) == ["c.jpeg", "er/d.png"])
        #expect(found(["de*"], isRecursive: false).failures == [.isDirectory(FilePath(directory("deep")))])
    }

    @Test func missingFilesAreFailures() {
        let outcome = found(["no.jpg", "b.jpg"])
        #expect(outcome.failures == [.missingFile(FilePath(directory("no.jpg")))])
        #expect(names(outcome) == ["b.jpg"])
    }

    @Test func dashMeansStandardInput() {
        #expect(InputExpansion.expand(["-"], isRecursive: false).items == [.standardInput])
    }

    /// Linked files are included, linked directories are not entered, so that every walk ends.
    @Test func walksFollowLinkedFilesButNotFolders() throws {
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: directory("deep/f.png"), withDestinationPath: "../a.PNG")
        try manager.createSymbolicLink(atPath: directory("deep/up"), withDestinationPath: "..")
        try manager.createSymbolicLink(atPath: directory("deep/gone.png"), withDestinationPath: "nowhere")
        #expect(names(found(["deep"])) == ["c.jpeg", "er/d.png", "f.png"])
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
        _ items: [InputItem], _ store: some OutputStore = DirectoryStore("out"), _ format: ImageFormat? = nil
    ) -> [String] {
        store.names(of: items, by: OutputNaming(format: format)).map { name in
            switch name {
            case .path(let path): path.string.replacing(directory.path + "/", with: "")
            case .template(_, let name): "{\(String(decoding: name, as: UTF8.self))}"
            case .standardOutput: "-"
            }
        }
    }

    @Test func outputExtensionsFollowTheFormat() throws {
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

    @Test func collidingOutputsKeepTheInputExtension() throws {
        let items = try items(["a.png", "a.jpg", "b.jpg", "a.jpeg"])
        #expect(
            names(items, .directory("out"), .png) == ["out/a.png.png", "out/a.jpg.png", "out/b.png", "out/a.png"])
        #expect(names(items) == ["out/a.png", "out/a.jpg", "out/b.jpg", "out/a.jpeg"])
    }

    /// Equal names from different folders, written into one directory.
    @Test func sameNamesGetDistinctOutputs() throws {
        let items = try items(["one/a.jpg", "two/a.jpg", "three/a.jpg", "two/a.jpg.jpg"]).map {
            InputItem(path: $0.path, relativePath: FilePath($0.path.lastComponent?.string ?? ""))
        }
        // Sorted: one, three, two, two.
        #expect(names(items) == ["out/a.jpg", "out/a.jpg-2.jpg", "out/a.jpg.jpg", "out/a.jpg.jpg.jpg"])
        #expect(Set(names(items)).count == 4)
    }

    @Test func outputsMirrorTheInputTree() throws {
        let items = try items(["x/y/a.jpg", "x/b.png", "c.png"])
        #expect(names(items) == ["out/x/y/a.jpg", "out/x/b.png", "out/c.png"])
    }

    @Test func besideTheInput() throws {
        let items = try items(["x/a.jpg", "x/a.png", "b.png"])
        #expect(names(items, .besideInput) == ["x/a-texel.jpg", "x/a-texel.png", "b-texel.png"])
        #expect(
            names(items, .besideInput, .png) == ["x/a-texel.png", "x/a-texel.png.png", "b-texel.png"])
    }

    @Test func standardInputIsNamedStdinInFolders() throws {
        #expect(names([.standardInput], .besideInput) == ["-"])
        #expect(names([.standardInput], .inPlace) == ["-"])
        #expect(names([.standardInput], .directory("out"), .png) == ["out/stdin.png"])
        // The format of standard input is unknown until it is read.
        #expect(names([.standardInput]) == ["{}"])
    }

    @Test func argumentsBecomeStores() throws {
        func isParsed<Store: OutputStore & Equatable>(
            _ argument: String, _ isForSeveral: Bool = false, as store: Store
        ) throws -> Bool {
            try OutputArgument.store(argument, isForSeveralInputs: isForSeveral) as? Store == store
        }
        #expect(try isParsed("-", as: .standardOutput))
        #expect(try isParsed("a.jpg", as: .file("a.jpg")))
        #expect(try isParsed("out/", as: .directory("out")))
        #expect(try isParsed("out", true, as: .directory("out")))
        #expect(try isParsed(directory.path, as: .directory(FilePath(directory.path))))
        #expect(try isParsed("{name}.jpg", as: .template(OutputTemplate("{name}.jpg"))))
        // A brace in a name is written twice, except in that of a directory that exists.
        #expect(try isParsed("x {{1}}/", as: .directory("x {1}/")))
        #expect(try isParsed("{{name}}.jpg", as: .file("{name}.jpg")))
        #expect(try isParsed("a}b{{.jpg", true, as: .directory("a}b{.jpg")))
        let template = try OutputTemplate("{{{name}}}.jpg")
        #expect(template.text == "{{{name}}}.jpg" && template.plainPath == nil)
        try FileManager.default.createDirectory(atPath: directory("{1}"), withIntermediateDirectories: true)
        #expect(try isParsed(directory("{1}"), as: .directory(FilePath(directory("{1}")))))
        for text in ["{nonsense}.jpg", "{name.jpg", "{}"] {
            #expect(throws: TexelError.self) {
                try OutputArgument.store(text, isForSeveralInputs: false)
            }
        }
    }

    @Test func templatesNameOutputs() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 20, height: 10))
        let source = try CodecRegistry.shared.open(InputBytes(try image.encoded(as: .png(PNGOptions(effort: .fast)))))
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
        let flat = TemplateStore(try OutputTemplate("out/{name}.{ext}"))
        #expect(names(items, flat) == ["{a}", "{a}", "{a.jpg}"])
        #expect(names(items, flat, .png) == ["{a.png}", "{a}", "{a.jpg}"])
        let mirrored = TemplateStore(try OutputTemplate("{dir}/{name}-{width}.{ext}"))
        #expect(names(items, mirrored) == ["{a}", "{a}", "{a}"])
    }
}
