import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelOperations
import TexelPNG
import TexelPixels

@testable import TexelBatch
@testable import TexelPipeline

/// Batches that resume others.
@Suite(.timeLimit(.minutes(30))) struct BatchManifestTests {
    private let directory: TemporaryDirectory
    private let pool = WorkerPool(width: 2, byteBudget: 1 << 24)

    init() throws { directory = try TemporaryDirectory() }

    private func items(_ count: Int) throws -> [InputItem] {
        try (0..<count).map { index in
            let image = try PixelBuffer(width: 30 + index, height: 20, filledWith: 0xFF20_4060)
            let path = try directory.add(
                "in/\(index + 10).png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
            return InputItem(path: FilePath(path), relativePath: FilePath("\(index + 10).png"))
        }
    }

    private var out: FilePath { FilePath(directory("out")) }

    private func manifest(isReadOnly: Bool = false) throws -> BatchManifest {
        try BatchManifest(in: out, isResuming: true, isReadOnly: isReadOnly)
    }

    /// The status for each input and recipe; `nil` if there was nothing to do.
    private func statuses(
        _ items: [InputItem], _ manifest: BatchManifest?, recipes: [Recipe] = [Recipe().resizing(width: 16)],
        options: ProcessingOptions = ProcessingOptions()
    ) async throws -> [FileResult.Status?] {
        let batch = Batch(
            items, to: .directory(out), recipes: recipes, options: options, manifest: manifest, pool: pool)
        var results: [FileResult] = []
        for await result in batch.results() { results.append(result) }
        #expect(results.count + batch.emptySummary.resumedCount == items.count * recipes.count)
        return items.flatMap { item in
            recipes.map { recipe in
                results.first { result in
                    guard result.input == item.path else { return false }
                    guard recipes.count > 1, let options = recipe.operations.first?.value as? ResizeOptions,
                        case .box(let width?, _, _) = options.rule.target
                    else { return true }
                    return result.output?.string.contains("-\(width)w.") ?? false
                }?.status
            }
        }
    }

    private func visible() throws -> [String: [UInt8]] {
        try directory.contents().filter { $0.key.hasPrefix("out/") && $0.key != "out/\(BatchManifest.fileName)" }
    }

    // MARK: Results that are made again

    @Test func onlyWhatIsMissingOrChanged() async throws {
        let items = try items(6)
        #expect(try await statuses(items, manifest()) == Array(repeating: .written, count: 6))
        let first = try visible()
        #expect(try await statuses(items, manifest()) == Array(repeating: nil, count: 6))
        #expect(try visible() == first)

        try FileManager.default.removeItem(atPath: directory("out/11.png"))
        let other = try PixelBuffer(width: 50, height: 50, filledWith: 0xFFFF_0000).encoded(
            as: .png(PNGOptions(effort: .fast)))
        try directory.add("in/13.png", other)
        let expected: [FileResult.Status?] = [nil, .written, nil, .written, nil, nil]
        #expect(try await statuses(items, manifest()) == expected)
        let second = try visible()
        #expect(second["out/11.png"] == first["out/11.png"])
        #expect(second["out/13.png"] != first["out/13.png"])
        // Another recipe makes other results, which may replace those that a batch has written.
        let recipes = [Recipe().resizing(width: 8)]
        #expect(try await statuses(items, manifest(), recipes: recipes) == Array(repeating: .written, count: 6))
    }

    /// A result that the user has changed is not replaced.
    @Test func foreignOutputsStay() async throws {
        let items = try items(3)
        _ = try await statuses([items[0]], manifest())
        try directory.add("out/10.png", "somebody's own".utf8)
        try directory.add("out/12.png", "somebody's too".utf8)
        #expect(try await statuses(items, manifest()) == [.failed, .written, .failed])
        #expect(try directory.bytes("out/10.png") == Array("somebody's own".utf8))
        #expect(try directory.bytes("out/12.png") == Array("somebody's too".utf8))
        var options = ProcessingOptions()
        options.overwrites = true
        #expect(try await statuses(items, manifest(), options: options) == [.written, nil, .written])
    }

    /// A result is not replaced by that of another input, such as one of the same name in another folder.
    @Test func resultsOfOtherInputsStay() async throws {
        let items = try items(2)
        _ = try await statuses(items, manifest())
        let first = try visible()
        let others = try items.map { item in
            let name = item.relativePath.string
            let path = try directory.add("other/\(name)", directory.bytes("in/\(name)"))
            return InputItem(path: FilePath(path), relativePath: item.relativePath)
        }
        #expect(try await statuses(others, manifest()) == [.failed, .failed])
        #expect(try visible() == first)
        do {
            let manifest = try manifest()
            manifest.begin(others[0].path, output: out.appending("10.png"))
        }
        #expect(try await statuses([others[0]], manifest()) == [.written])
        #expect(try await statuses([items[0]], manifest()) == [.failed])
    }

    /// A result that the next call reads as an input is not replaced by it.
    @Test func resultsThatAreInputsStay() async throws {
        let items = try items(1)
        _ = try await statuses(items, manifest())
        let result = InputItem(path: out.appending("10.png"), relativePath: "other.png")
        let first = try directory.bytes("out/10.png")
        let recipes = [Recipe().resizing(width: 8)]
        #expect(try await statuses(items + [result], manifest(), recipes: recipes) == [.failed, .written])
        #expect(try directory.bytes("out/10.png") == first)
    }

    /// An interruption leaves a begun name, with or without a file; both are made again.
    @Test func begunOutputsAreMadeAgain() async throws {
        let items = try items(2)
        let outputs = ["10.png", "11.png"].map { out.appending($0) }
        try directory.add("out/10.png", "the program was killed here".utf8)
        do {
            let manifest = try manifest()
            for (item, output) in zip(items, outputs) { manifest.begin(item.path, output: output) }
        }
        #expect(try await statuses(items, manifest()) == [.written, .written])
        #expect(try await statuses(items, manifest()) == [nil, nil])
    }

    /// A file that another program creates under the output's name during the work is not replaced.
    @Test func filesThatComeMeanwhile() async throws {
        let image = try PixelBuffer(width: 30, height: 20, filledWith: 0xFF20_4060).encoded(
            as: .png(PNGOptions(effort: .fast)))
        let directory = directory
        let source = ActingSource(bytes: image) { try directory.add("out/a.png", "somebody's own".utf8) }
        let item = InputItem(source, fileName: "a.png")
        #expect(
            await failure(of: [item], .directory(out), manifest: try manifest())
                == .alreadyExists(out.appending("a.png")))
        #expect(try !manifest().owns(out.appending("a.png"), by: "a.png"))
        // Also between the `begin` line and the creation of the file.
        do {
            let manifest = try manifest()
            manifest.begin("a.png", output: out.appending("a.png"))
            manifest.withdraw("a.png", number: 0, settings: 1, output: out.appending("a.png"))
        }
        #expect(try !manifest().owns(out.appending("a.png"), by: "a.png"))
        #expect(try manifest().ignoredLineCount == 0)
        #expect(try directory.bytes("out/a.png") == Array("somebody's own".utf8))
    }

    /// The result for one width does not depend on which others exist already.
    @Test func widthsOneByOne() async throws {
        let photograph = try TestFolders.testImage("photograph.jpg")
        let path = FilePath(try directory.add("in/photograph.jpg", photograph))
        let items = [InputItem(path: path, relativePath: "photograph.jpg")]
        let recipes = [40, 80, 300].map { Recipe().resizing(width: $0) }
        #expect(try await statuses(items, manifest(), recipes: recipes) == [.written, .written, .written])
        let first = try visible()
        #expect(
            first.keys.sorted() == [40, 80, 300].map { "out/photograph-\($0)w.jpg" }.sorted(), "\(first.keys)")
        for missing in [["40"], ["80"], ["300"], ["40", "300"]] {
            for width in missing {
                try FileManager.default.removeItem(atPath: directory("out/photograph-\(width)w.jpg"))
            }
            let statuses = try await statuses(items, manifest(), recipes: recipes)
            #expect(statuses == ["40", "80", "300"].map { missing.contains($0) ? .written : nil })
            #expect(try visible() == first)
        }
    }

    @Test func aNewManifestIsGoneWhenAllIsDone() async throws {
        let items = try items(2)
        let path = directory("out/\(BatchManifest.fileName)")
        func plain() throws -> BatchManifest { try BatchManifest(in: out, isResuming: false) }
        _ = try await statuses(items, plain())
        #expect(!FileManager.default.fileExists(atPath: path))
        // All items fail because their outputs exist. No output was begun, so there is nothing to record.
        #expect(try await statuses(items, plain()) == [.failed, .failed])
        #expect(!FileManager.default.fileExists(atPath: path))
        let broken = InputItem(
            path: FilePath(try directory.add("in/broken.png", "none".utf8)), relativePath: "broken.png")
        let third = try self.items(3)[2]
        #expect(try await statuses([third, broken], plain()) == [.written, .failed])
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try await statuses([third, broken], manifest()) == [nil, .failed])
    }

    @Test func dryRunsChangeNothing() async throws {
        let items = try items(3)
        var options = ProcessingOptions()
        options.isDryRun = true
        #expect(
            try await statuses(items, manifest(isReadOnly: true), options: options) == [.planned, .planned, .planned])
        #expect(try directory.files().count == 3)
        _ = try await statuses([items[1]], manifest())
        let before = try directory.contents()
        #expect(
            try await statuses(items, manifest(isReadOnly: true), options: options) == [.planned, nil, .planned])
        #expect(try directory.contents() == before)
    }

    @Test func oneAtATime() throws {
        _ = try directory.add("out/\(BatchManifest.fileName)", [])
        let first = try manifest()
        #expect(throws: TexelError.inUse(out.appending(BatchManifest.fileName))) { try manifest() }
        #expect(throws: Never.self) { try manifest(isReadOnly: true) }
        first.end(isComplete: false)
        #expect(throws: Never.self) { try manifest() }
    }

    // MARK: Contents of the file

    @Test func otherFilesAreLeftAlone() throws {
        let path = out.appending(BatchManifest.fileName)
        for text in ["precious", "texel-manifest 2\n", "texel-manifest 1.\n>\ta\n"] {
            try directory.add("out/\(BatchManifest.fileName)", text.utf8)
            #expect(throws: TexelError.foreignManifest(path)) { try manifest() }
            #expect(try directory.bytes("out/\(BatchManifest.fileName)") == Array(text.utf8))
        }
        try FileManager.default.removeItem(atPath: path.string)
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
        #expect(throws: TexelError.self) { try manifest() }
        try FileManager.default.removeItem(atPath: path.string)
        try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: "/dev/zero")
        #expect(throws: TexelError.self) { try manifest() }
    }

    private static let line = "= 7f45 0 47220 1795302796102146723 1226 1795302796654146737\t/in/a.jpg\ta.jpg"

    /// A line with an invalid field is ignored, and all others are used.
    @Test func invalidLinesAreIgnored() throws {
        #expect(ManifestLine(Array(Self.line.utf8)[...]) != nil)
        var wrong = [
            "", ">", ">\t", ">\ta", ">\ta\tb\tc", "x\ta", "= \ta\tb", ">>\ta", "\t\t", String(Self.line.dropLast(6)),
        ]
        let fields = Self.line.split(whereSeparator: { " \t".contains($0) })
        for index in 0..<7 {
            for other in ["", "-1", "x", "0x1", "99999999999999999999", "1.5", "+1"] {
                var fields = fields.map(String.init)
                fields[index] = other
                wrong.append(fields[..<7].joined(separator: " ") + "\t" + fields[7...].joined(separator: "\t"))
            }
        }
        for line in wrong { #expect(ManifestLine(Array(line.utf8)[...]) == nil, "\(line)") }
        let lines = [ManifestLine.header, Self.line] + wrong.filter { $0 != "" } + [">\t/in/b.jpg\tb.jpg"]
        let contents = ManifestContents(Array(lines.joined(separator: "\n").utf8))
        #expect(contents.isManifest && !contents.endsWithLine)
        #expect(contents.done.count == 1 && contents.known.count == 2)
        #expect(contents.ignoredLineCount == wrong.count { $0 != "" })
    }

    /// If two inputs have had the same output, it belongs to the one whose result it is.
    @Test func outputsOfTwoInputs() throws {
        let path = try directory.add("out/a.jpg", "a result".utf8)
        let stamp = try #require(FileStamp(FilePath(path)))
        let former = Self.line.replacing("/in/a.jpg", with: "../in/a.png")
        let now = former.replacing("1226 1795302796654146737", with: "\(stamp.byteCount) \(stamp.nanoseconds)")
            .replacing("a.png", with: "a.jpg")
        for lines in [[now, former], [former, now]] {
            let text = ([ManifestLine.header] + lines).joined(separator: "\n") + "\n"
            try directory.add("out/\(BatchManifest.fileName)", text.utf8)
            for (input, isOwner) in [("in/a.jpg", true), ("in/a.png", false)] {
                #expect(try manifest().owns(FilePath(path), by: FilePath(directory(input))) == isOwner)
            }
        }
        try directory.add("out/a.jpg", "somebody's own".utf8)
        #expect(try !manifest().owns(FilePath(path), by: FilePath(directory("in/a.jpg"))))
    }

    /// Random damage is parsed without a crash, and every intact line is found.
    @Test func intactLinesOfDamagedManifestsAreFound() throws {
        var generator = SeededGenerator(seed: 71)
        let lines = (0..<40).map { Self.line.replacing("a.jpg", with: "\($0).jpg") }
        let whole = Array(([ManifestLine.header] + lines).joined(separator: "\n").utf8)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 17..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            let rest = Array(bytes.prefix(Int.random(in: 17...bytes.count, using: &generator)))
            let contents = ManifestContents(rest)
            #expect(contents.isManifest)
            let whole = Set(rest.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
            for (index, line) in lines.enumerated() where whole.contains(line) {
                #expect(contents.done[ManifestKey(input: "/in/\(index).jpg", number: 0)] != nil)
            }
        }
    }

    /// Inputs and results keep what is known of them when their common folder moves, and no name tells where it was.
    @Test func resultsAreKnownAfterFoldersMove() async throws {
        let items = try items(3)
        #expect(try await statuses(items, try manifest()) == [.written, .written, .written])
        let text = String(decoding: try directory.bytes("out/\(BatchManifest.fileName)"), as: UTF8.self)
        #expect(text.contains("\t../in/10.png\t10.png\n") && !text.contains(directory("")), "\(text)")

        for name in ["in", "out"] {
            try FileManager.default.createDirectory(atPath: directory("moved"), withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: directory(name), toPath: directory("moved/\(name)"))
        }
        let moved = items.map { item in
            InputItem(
                path: FilePath(directory("moved/in/\(item.relativePath)")), relativePath: item.relativePath)
        }
        let out = FilePath(directory("moved/out"))
        let batch = Batch(
            moved, to: .directory(out), recipes: [Recipe().resizing(width: 16)],
            manifest: try BatchManifest(in: out, isResuming: true), pool: pool)
        for await result in batch.results() { Issue.record("\(result.input) was done again") }
        #expect(batch.emptySummary.resumedCount == 3)
    }

    @Test func namesAsTheyAre() throws {
        for name in ["a b", "tab\tnew\nline\r", "100%", "%41", "%", "☃️ 🖼", "\u{7F}\u{1}"] {
            #expect(ManifestLine.path(of: ManifestLine.name(name)) == FilePath(name))
            #expect(!ManifestLine.name(name).utf8.contains { $0 < 0x20 })
            let line = ManifestLine.begun(input: ManifestLine.name(name), output: "out")
            #expect(ManifestLine(Array(line.text.utf8)[...]) == line)
        }
    }

    /// A manifest whose lines are mostly superseded is rewritten with the same contents.
    @Test func supersededLinesAreRewritten() throws {
        let lines = (0..<3000).map { Self.line.replacing("1226", with: "\($0)") } + [">\t/in/b.jpg\tb.jpg", "nonsense"]
        try directory.add(
            "out/\(BatchManifest.fileName)", ([ManifestLine.header] + lines).joined(separator: "\n").utf8)
        #expect(try manifest().ignoredLineCount == 1)
        let text = String(decoding: try directory.bytes("out/\(BatchManifest.fileName)"), as: UTF8.self)
        let last = Self.line.replacing("1226", with: "2999")
        #expect(text == [ManifestLine.header, last, ">\t/in/b.jpg\tb.jpg", ""].joined(separator: "\n"))
    }

    /// A line torn by a power failure or a full disk does not damage the next one.
    @Test func tornLinesDoNotDamageTheNextOne() async throws {
        let items = try items(3)
        _ = try await statuses([items[0]], manifest())
        let path = "out/\(BatchManifest.fileName)"
        try directory.add(path, try directory.bytes(path) + "= 7f45 0 472".utf8)
        #expect(try await statuses(items, manifest()) == [nil, .written, .written])
        #expect(try manifest().ignoredLineCount == 1)
        #expect(try await statuses(items, manifest()) == [nil, nil, nil])
    }
}

/// The decision between writing and stopping.
@Suite(.timeLimit(.minutes(30))) struct OutputCommitTests {
    private let image = EncodedImage(
        .memory([1]), size: PixelSize(width: 1, height: 1), format: .png, route: .buffered, isKept: false, warnings: [])

    @Test func outputGivenUpIsNotWritten() async {
        let commit = OutputCommit()
        let outcome = await commit.giveUp()
        #expect(outcome == nil)
        #expect(throws: TexelError.stopped(.cancelled)) {
            try commit.write {
                Issue.record("it was given up")
                return image
            }
        }
    }

    /// A write that has begun completes, even if the result is given up meanwhile.
    @Test func stoppedWhileWriting() async throws {
        let commit = OutputCommit()
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let image = image
        Thread.detachNewThread {
            _ = try? commit.write {
                begun.signal()
                mayEnd.wait()
                return image
            }
        }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                begun.wait()
                continuation.resume()
            }
        }
        async let outcome = commit.giveUp()
        mayEnd.signal()
        #expect(try await outcome?.get().bytes == [1])
    }

    @Test func failedBeforeItWasStopped() async throws {
        let commit = OutputCommit()
        let error = TexelError.cannotWrite("a", .noSpace)
        #expect(throws: error) { try commit.write { () throws(TexelError) in throw error } }
        let outcome = await commit.giveUp()
        #expect(throws: error) { try outcome?.get() }
    }
}
