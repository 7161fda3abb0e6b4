#if Archives
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

    /// Archives as trees of inputs.
    @Suite struct ArchiveTreeTests {
        private let directory: TemporaryDirectory
        private let image: [UInt8]

        init() throws {
            directory = try TemporaryDirectory()
            image = try PixelBuffer.random(width: 9, height: 7).encoded(as: .png(PNGOptions(effort: .fast)))
        }

        private func visited(
            _ bytes: [UInt8], _ name: String = "a.zip"
        ) throws -> (items: [InputItem], failures: [TexelError], otherCount: Int) {
            let path = FilePath(try directory.add(name, bytes))
            var (items, failures, otherCount): ([InputItem], [TexelError], Int) = ([], [], 0)
            ArchiveTree(path).visit { entry in
                switch entry {
                case .input(let item): items.append(item)
                case .failure(let error): failures.append(error)
                case .other: otherCount += 1
                }
            }
            return (items, failures, otherCount)
        }

        private func bytes(_ item: InputItem, limit: Int = 1 << 30) async throws -> [UInt8] {
            var limits = Limits()
            limits.inputBytes = limit
            let opened = try await item.source(within: nil).open(limits: limits)
            guard case .read(let read) = opened.content else { return [] }
            return Array(try read().bytes)
        }

        private static let names = ["b.png", "a/10.png", "a/9.png", "a/über.png", "z/c"]

        private func archive(_ names: [String] = names) throws -> TestArchive {
            TestArchive(
                try names.enumerated().map { index, name in
                    (
                        name,
                        try PixelBuffer.random(width: 5, height: 4, seed: UInt64(index)).encoded(as: .png(PNGOptions()))
                    )
                })
        }

        private func gzipped(_ bytes: [UInt8]) throws -> [UInt8] {
            let isDone = try ReferenceProgram("gzip").succeeds(["-kf", try directory.add("plain.tar", bytes)])
            try #require(isDone)
            return try directory.bytes("plain.tar.gz")
        }

        // MARK: Contents

        @Test(arguments: ["zip", "tar", "tar.gz"])
        func imagesComeInTheOrderOfTheArchive(kind: String) async throws {
            let archive = try archive()
            var bytes = kind == "zip" ? archive.zip : archive.tar
            if kind == "tar.gz" { bytes = try gzipped(bytes) }
            let found = try visited(bytes, "x.\(kind)")
            #expect(found.failures.isEmpty && found.otherCount == 0)
            #expect(found.items.map(\.relativePath.string) == Self.names)
            #expect(found.items.map(\.name) == Self.names.map { "\(directory("x.\(kind)"))/\($0)" })
            for (item, entry) in zip(found.items, archive.entries) {
                #expect(try await self.bytes(item) == entry.bytes)
            }
        }

        @Test func imagesCanBeReadInAnyOrderAndAgain() async throws {
            let archive = try archive((0..<40).map { "\($0).png" })
            for bytes in [archive.zip, archive.tar] {
                let items = try visited(bytes).items
                var generator = SeededGenerator(seed: 3)
                let order = (0..<40).shuffled(using: &generator) + [39, 0, 17]
                let read = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
                    for index in order { group.addTask { (index, try await self.bytes(items[index])) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(read.count == 43 && read.allSatisfy { $0.1 == archive.entries[$0.0].bytes })
            }
        }

        @Test func hiddenEntriesAndFoldersAreLeftOut() throws {
            var archive = TestArchive([
                (".hidden.png", image), ("a/.b/c.png", image), ("__MACOSX/._d.png", image), ("./e.png", image),
                ("notes.txt", Array("notes".utf8)), ("empty/", []),
            ])
            let found = try visited(archive.zip)
            #expect(found.items.map(\.relativePath.string) == ["e.png"])
            #expect(found.otherCount == 1 && found.failures.isEmpty)
            archive.entries = archive.entries.filter {
                $0.name.first == UInt8(ascii: ".") && $0.name[1] != UInt8(ascii: "/")
            }
            let none = try visited(archive.zip)
            #expect(none.items.isEmpty && none.failures.map(\.kind) == [.noImagesFound])
        }

        @Test func linksAreNotFollowed() throws {
            var archive = TestArchive([("a.png", image), ("hard.png", image), ("soft.png", image)])
            (archive.entries[1].type, archive.entries[2].type) = (UInt8(ascii: "1"), UInt8(ascii: "2"))
            let found = try visited(archive.tar, "a.tar")
            #expect(found.items.map(\.relativePath.string) == ["a.png"] && found.otherCount == 2)
        }

        @Test func namesOfOldZipsAreReadInTheirCodePage() throws {
            var archive = TestArchive([("?.png", image), ("?.png", image)])
            archive.entries[0].name[0] = 0x81
            archive.entries[0].flags = 0
            archive.entries[1].name.replaceSubrange(0..<1, with: Array("ü日".utf8))
            archive.entries[1].flags = 0
            #expect(try visited(archive.zip).items.map(\.relativePath.string) == ["ü.png", "ü日.png"])
        }

        // MARK: Faults

        @Test(arguments: ["../a.png", "/a.png", "a/../../b.png", "C:/a.png", "a/.."])
        func namesThatLeadOutOfTheArchiveAreFailures(name: String) throws {
            let archive = TestArchive([(name, image), ("b.png", image)])
            for bytes in [archive.zip, archive.tar] {
                let found = try visited(bytes)
                #expect(found.items.map(\.relativePath.string) == ["b.png"])
                #expect(found.failures.map(\.kind) == [.outsideFolder])
                #expect("\(found.failures[0])".hasSuffix(name))
            }
        }

        @Test func encryptedEntriesAreFailuresThatNameThem() throws {
            var archive = TestArchive([("a.png", image), ("b.png", image)])
            archive.entries[0].flags |= 1
            let found = try visited(archive.zip)
            #expect(found.items.map(\.relativePath.string) == ["b.png"])
            #expect(found.failures.map(\.kind) == [.unsupported])
            #expect(found.failures.first?.place.input == "\(directory("a.zip"))/a.png")
        }

        @Test func damagedEntriesAreErrorsOfTheirOwn() async throws {
            var archive = try archive()
            archive.entries[1].checksumError = 1
            let items = try visited(archive.zip).items
            try #require(items.count == 5)
            await #expect { try await bytes(items[1]) } throws: { error in
                (error as? TexelError)?.kind == .damaged && (error as? TexelError)?.place.input == items[1].name
            }
            for index in [0, 2, 3, 4] { #expect(try await bytes(items[index]) == archive.entries[index].bytes) }
        }

        @Test(arguments: [200, 700, 1500])
        func whatPrecedesTheEndOfACutArchiveIsRead(missing: Int) async throws {
            let archive = TestArchive((0..<6).map { ("\($0).png", image + [UInt8](repeating: 0, count: 700)) })
            for whole in [archive.zip, archive.tar] {
                let found = try visited(Array(whole.dropLast(1024 + missing)))
                #expect(found.items.count >= 3 && found.items.count <= 6)
                for item in found.items.prefix(3) { #expect(try await bytes(item) == archive.entries[0].bytes) }
            }
        }

        @Test func entriesBeyondTheLimitAreRefused() async throws {
            var archive = try archive()
            let limit = archive.entries[0].bytes.count - 1
            let item = try visited(archive.zip).items[0]
            await #expect { try await bytes(item, limit: limit) } throws: { error in
                (error as? TexelError)?.kind == .limitExceeded(.inputBytes)
            }
            // A size that lies is not believed.
            archive.entries[0].claimedSize = UInt32(limit + 6)
            let lying = try visited(archive.zip).items[0]
            await #expect { try await bytes(lying) } throws: { ($0 as? TexelError)?.kind == .damaged }
        }

        @Test func archiveThatWasReplacedIsAnError() async throws {
            let items = try visited(try archive().zip).items
            try directory.add("a.zip", TestArchive([("other.png", image), ("a/10.png", image)]).zip)
            await #expect { try await bytes(items[0]) } throws: { ($0 as? TexelError)?.kind == .changed }
            await #expect { try await bytes(items[4]) } throws: { ($0 as? TexelError)?.kind == .changed }
        }

        @Test func randomDamageNeverTraps() async throws {
            let archive = try archive()
            var generator = SeededGenerator(seed: 11)
            for whole in [archive.zip, archive.tar, try gzipped(archive.tar)] {
                for _ in 0..<150 {
                    var bytes = whole
                    for _ in 0..<Int.random(in: 1...8, using: &generator) {
                        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
                            in: 0...255, using: &generator)
                    }
                    if Bool.random(using: &generator) {
                        bytes.removeLast(.random(in: 1..<bytes.count, using: &generator))
                    }
                    for item in try visited(bytes).items {
                        #expect(!item.relativePath.isAbsolute && !item.relativePath.components.contains(".."))
                        let read = try? await self.bytes(item, limit: 1 << 20)
                        #expect((read?.count ?? 0) <= 1 << 20)
                    }
                }
            }
        }

        @Test func archivesAreRecognizedByNameOrContents() throws {
            let archive = try archive()
            let files: [(String, [UInt8], Bool)] = [
                ("a.cbz", [], true), ("a.TAR.GZ", [], true), ("plain", archive.zip, true), ("other", archive.tar, true),
                ("photo.png", archive.zip, false), ("text", Array("text".utf8), false),
            ]
            for (name, bytes, expected) in files {
                #expect(ArchiveTree.isArchive(FilePath(try directory.add(name, bytes))) == expected, "\(name)")
            }
            #expect(!ArchiveTree.isArchive(FilePath(directory("missing.zip"))))
        }
    }
#endif
