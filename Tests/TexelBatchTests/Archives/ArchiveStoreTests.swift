#if Archives
    import Foundation
    import SystemPackage
    import TestSupport
    import Testing
    import TexelCodecs
    import TexelCore
    import TexelFormats
    import TexelPNG
    import TexelPixels

    @testable import TexelArchives
    @testable import TexelBatch
    @testable import TexelPipeline

    /// Archives as stores of results.
    @Suite struct ArchiveStoreTests {
        private let directory: TemporaryDirectory

        init() throws { directory = try TemporaryDirectory() }

        private static let width = 4

        /// Images of different sizes, so that small ones are done before large ones that precede them.
        private func image(_ index: Int) throws -> [UInt8] {
            try PixelBuffer.random(width: index % 5 == 0 ? 900 : 20, height: 30, seed: UInt64(index)).encoded(
                as: .png(PNGOptions(effort: .fast)))
        }

        private func archive(count: Int = 30) throws -> TestArchive {
            var entries = [("a/", [UInt8]()), ("a/notes.txt", Array("notes".utf8))]
            for index in 0..<count { entries.append(("a/\(index).png", try image(index))) }
            return TestArchive(entries + [("z.txt", Array("the end".utf8)), (".hidden", [1])])
        }

        private func items(_ path: String) -> [InputItem] {
            var items: [InputItem] = []
            ArchiveTree(FilePath(path)).visit { if case .input(let item) = $0 { items.append(item) } }
            return items
        }

        /// - Returns: the results, and the errors of the store.
        private func run(
            _ items: [InputItem], to output: String, threads: Int = 2, stop: StopToken = StopToken(),
            _ change: (inout ProcessingOptions) -> Void = { _ in }
        ) async throws -> (results: [FileResult], errors: [TexelError]) {
            var options = ProcessingOptions()
            change(&options)
            let store = try #require(ArchiveStore(FilePath(directory(output))))
            let batch = Batch(
                items, to: store, recipe: Recipe().resizing(width: Self.width), options: options,
                pool: WorkerPool(width: threads, byteBudget: 1 << 30), stop: stop)
            var results: [FileResult] = []
            for await result in batch.results() { results.append(result) }
            return (results, batch.summary?.storeErrors ?? [])
        }

        /// The names and bytes of all entries, with what is no image.
        private func contents(_ name: String) throws -> [(name: String, bytes: [UInt8])] {
            let reader = try ArchiveReader(FilePath(directory(name)))
            var entries: [(String, [UInt8])] = []
            while let header = try reader.next() {
                let bytes =
                    header.kind == .file ? try reader.bytes(of: header, named: "", limit: 1 << 30) : InputBytes([])
                entries.append((String(decoding: header.name, as: UTF8.self), Array(bytes)))
            }
            return entries
        }

        // MARK: From archives

        @Test(arguments: ["out.zip", "out.tar", "out.tar.gz", "out.tar.zst"])
        func entriesKeepTheirOrderAndTheRestIsCopied(output: String) async throws {
            let archive = try archive()
            for (kind, bytes) in [("zip", archive.zip), ("tar", archive.tar)] {
                let (results, errors) = try await run(
                    items(try directory.add("in.\(kind)", bytes)), to: "\(kind)-\(output)")
                #expect(errors.isEmpty && results.count == 30)
                #expect(results.allSatisfy { $0.status == .written || $0.status == .kept })
                let entries = try contents("\(kind)-\(output)")
                #expect(entries.map(\.name) == archive.entries.map { String(decoding: $0.name, as: UTF8.self) })
                for (entry, original) in zip(entries, archive.entries) {
                    if entry.name.hasSuffix(".png") {
                        #expect(try CodecRegistry.shared.open(InputBytes(entry.bytes)).info.size.width == Self.width)
                    } else {
                        #expect(entry.bytes == original.bytes)
                    }
                }
            }
        }

        @Test func bytesDoNotDependOnThreads() async throws {
            let items = items(try directory.add("in.zip", try archive().zip))
            for threads in 1...5 {
                #expect(try await run(items, to: "\(threads).zip", threads: threads).errors.isEmpty)
                #expect(try directory.bytes("\(threads).zip") == directory.bytes("1.zip"))
            }
        }

        @Test func imagesWithoutAResultAreCopied() async throws {
            var archive = try archive(count: 6)
            let damaged = Array(try image(3).prefix(40))
            archive.entries[5].bytes = damaged
            let (results, errors) = try await run(items(try directory.add("in.zip", archive.zip)), to: "out.zip")
            #expect(errors.isEmpty && results.count(where: { $0.error != nil }) == 1)
            let entries = try contents("out.zip")
            #expect(
                entries.count == archive.entries.count && entries[5].name == "a/3.png" && entries[5].bytes == damaged)
        }

        @Test func severalArchivesAndFilesBecomeOne() async throws {
            try directory.add("one.zip", TestArchive([("p.png", try image(1)), ("n.txt", [1, 2])]).zip)
            try directory.add("two.tar", TestArchive([("q/r.png", try image(2)), ("n.txt", [3])]).tar)
            try directory.add("s.png", try image(3))
            let all =
                items(directory("one.zip")) + [InputItem(FilePath(directory("s.png")))] + items(directory("two.tar"))
            #expect(try await run(all, to: "out.cbz").errors.isEmpty)
            #expect(try contents("out.cbz").map(\.name) == ["p.png", "n.txt", "s.png", "q/r.png", "n-2.txt"])
        }

        @Test func timesAndPermissionsOfFilesAreKept() async throws {
            let path = try directory.add("a.png", try image(1))
            let date = Date(timeIntervalSince1970: 1_500_000_000)
            try FileManager.default.setAttributes(
                [.modificationDate: date, .posixPermissions: 0o600], ofItemAtPath: path)
            #expect(try await run([InputItem(FilePath(path))], to: "out.tar").errors.isEmpty)
            let header = try directory.bytes("out.tar").prefix(512)
            #expect(String(decoding: header[100..<107], as: UTF8.self).contains("600"))
            #expect(Int(String(decoding: header[136..<147], as: UTF8.self), radix: 8) == 1_500_000_000)
        }

        // MARK: What is not written

        @Test func existingArchivesAreReplacedOnlyOnRequest() async throws {
            let items = items(try directory.add("in.zip", try archive(count: 3).zip))
            try directory.add("out.zip", [1, 2, 3])
            let refused = try await run(items, to: "out.zip")
            #expect(refused.results.allSatisfy { $0.error?.kind == .alreadyExists })
            let skipped = try await run(items, to: "out.zip") { $0.skipsExisting = true }
            #expect(skipped.results.allSatisfy { $0.status == .skipped } && skipped.errors.isEmpty)
            #expect(try directory.bytes("out.zip") == [1, 2, 3])
            let planned = try await run(items, to: "new.zip") { $0.isDryRun = true }
            #expect(planned.results.allSatisfy { $0.status == .planned })
            #expect(try await run(items, to: "out.zip") { $0.overwrites = true }.errors.isEmpty)
            #expect(try contents("out.zip").count == 7)
            #expect(try directory.files() == ["in.zip", "out.zip"])
        }

        @Test func inputIsNeverReplaced() async throws {
            let bytes = try archive(count: 2).zip
            let items = items(try directory.add("in.zip", bytes))
            let results = try await run(items, to: "in.zip") { $0.overwrites = true }.results
            #expect(results.allSatisfy { $0.error?.kind == .isInput })
            #expect(try directory.bytes("in.zip") == bytes)
        }

        @Test func stoppedCallsLeaveNothing() async throws {
            let items = items(try directory.add("in.zip", try archive(count: 40).zip))
            let stop = StopToken()
            let store = try #require(ArchiveStore(FilePath(directory("out.zip"))))
            let begunCount = Monitor(0)
            var recipe = Recipe().resizing(width: 4)
            recipe.operations.append(
                .acting {
                    let isFifth = begunCount.update { count in
                        count += 1
                        return count == 5
                    }
                    if isFifth { stop.cancel() }
                })
            let batch = Batch(
                items, to: store, recipe: recipe, pool: WorkerPool(width: 2, byteBudget: 1 << 30), stop: stop)
            var cancelledCount = 0
            for await result in batch.results() { cancelledCount += result.isCancelled ? 1 : 0 }
            #expect(cancelledCount > 30)
            #expect(try directory.files() == ["in.zip"])
        }

        @Test func foldersThatCannotBeWrittenFailEachResultOnce() async throws {
            let items = items(try directory.add("in.zip", try archive(count: 3).zip))
            try directory.add("file", [1])
            let results = try await run(items, to: "file/out.zip").results
            #expect(results.count == 3 && results.allSatisfy { $0.error != nil })
        }

        @Test func onlyNamesOfArchivesAreStores() {
            for name in ["a.zip", "b.CBZ", "c.tar", "d.tar.gz", "e.tgz", "f.tar.zst"] {
                #expect(ArchiveStore(FilePath(name)) != nil)
            }
            for name in ["a", "zip", "a.zip.jpg", "b.rar", "c.tar.xz"] { #expect(ArchiveStore(FilePath(name)) == nil) }
        }
    }
#endif
