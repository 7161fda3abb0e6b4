#if Archives
    import Foundation
    import TestSupport
    import Testing
    import Texel

    /// Archives as inputs and outputs of the program.
    @Suite struct ArchiveTests {
        private let workspace: Workspace

        init() throws {
            workspace = try Workspace()
            let archive = TestArchive([
                ("one.jpg", try Sample.jpeg()), ("pages/two.png", try Sample.png()), ("notes.txt", Array("notes".utf8)),
            ])
            try workspace.add("photos.zip", archive.zip)
            try workspace.add("photos.tar", archive.tar)
        }

        @Test(arguments: ["photos.zip", "photos.tar"])
        func imagesAreResizedIntoAFolder(archive: String) throws {
            let outcome = try workspace.texel("resize", archive, "--width", "12", "-o", "out", "--json")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let results = try ResultObject.all(in: outcome)
            #expect(results.map(\.input) == ["\(archive)/one.jpg", "\(archive)/pages/two.png"])
            #expect(results.map(\.output) == ["out/one.jpg", "out/pages/two.png"])
            // The same as from files.
            try workspace.add("files/one.jpg", try Sample.jpeg())
            try workspace.add("files/pages/two.png", try Sample.png())
            try workspace.texel("resize", "files", "-r", "--width", "12", "-o", "other")
            for name in ["one.jpg", "pages/two.png"] {
                #expect(try workspace.bytes("out/\(name)") == workspace.bytes("other/\(name)"))
            }
        }

        @Test func entriesAreListed() throws {
            let outcome = try workspace.texel("info", "photos.zip")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.contains("photos.zip/one.jpg") && outcome.text.contains("photos.zip/pages/two.png"))
            #expect(!outcome.text.contains("notes.txt"))
            #expect(outcome.errors.contains("1 file skipped"))
        }

        @Test func imagesOfSeveralArchivesKeepDifferentNames() throws {
            let outcome = try workspace.texel("compress", "photos.zip", "photos.tar", "-o", "out", "--json")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let outputs = try ResultObject.all(in: outcome).compactMap(\.output)
            #expect(outputs.count == 4 && Set(outputs).count == 4)
        }

        @Test func duplicatesAreFoundInAnArchive() throws {
            try workspace.add("one.jpg", try Sample.jpeg())
            let outcome = try workspace.texel("duplicates", "one.jpg", "photos.zip")
            #expect(outcome.text.contains("photos.zip/one.jpg"), "\(outcome.errors)")
        }

        @Test func sheetsShowImagesOfAnArchive() throws {
            let outcome = try workspace.texel("sheet", "photos.zip", "-o", "sheet.png")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try workspace.image("sheet.png").size.width > 100)
        }

        @Test(arguments: [[], ["--in-place"]])
        func resultsNeedAFolder(arguments: [String]) throws {
            let outcome = try workspace.run(["compress", "photos.zip"] + arguments)
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("--output"), "\(outcome.errors)")
        }

        @Test func faultsOfEntriesAreReportedAndTheRestGoesOn() throws {
            var archive = TestArchive([
                ("../out.jpg", try Sample.jpeg()), ("a.jpg", try Sample.jpeg()), ("b.jpg", try Sample.jpeg()),
                ("c.jpg", try Sample.jpeg()),
            ])
            archive.entries[1].flags |= 1
            archive.entries[2].checksumError = 1
            try workspace.add("bad.zip", archive.zip)
            let before = try workspace.files()
            let outcome = try workspace.texel("compress", "bad.zip", "-o", "out", "-q", "50")
            #expect(outcome.status == 1)
            #expect(outcome.errorLines.count == 3, "\(outcome.errors)")
            for words in [
                "leads out of it: ../out.jpg", "bad.zip/a.jpg: an encrypted entry",
                "bad.zip/b.jpg: the entry is damaged",
            ] {
                #expect(outcome.errors.contains(words), "\(outcome.errors)")
            }
            #expect(try workspace.files().filter { !before.contains($0) && !$0.hasPrefix("out/.") } == ["out/c.jpg"])
        }

        @Test func resultsAreWrittenIntoAnArchive() throws {
            let outcome = try workspace.texel("resize", "photos.tar", "--width", "12", "-o", "small.cbz", "--json")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(
                try ResultObject.all(in: outcome).map(\.output) == ["small.cbz/one.jpg", "small.cbz/pages/two.png"])
            try workspace.texel("resize", "photos.tar", "--width", "12", "-o", "files")
            try workspace.texel("compress", "small.cbz", "--lossless", "-o", "again")
            for name in ["one.jpg", "pages/two.png"] {
                #expect(try workspace.image("again/\(name)") == workspace.image("files/\(name)"))
            }
            #expect(try workspace.texel("info", "small.cbz").errors.contains("1 file skipped"))
        }

        @Test func foldersBecomeAnArchive() throws {
            try workspace.add("in/a.jpg", try Sample.jpeg())
            try workspace.add("in/b/c.png", try Sample.png())
            let outcome = try workspace.texel("compress", "in", "-r", "-o", "out.tar.gz")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(
                try workspace.files().sorted() == ["in/a.jpg", "in/b/c.png", "out.tar.gz", "photos.tar", "photos.zip"])
            let listed = try workspace.texel("info", "out.tar.gz").text
            #expect(listed.contains("out.tar.gz/a.jpg") && listed.contains("out.tar.gz/b/c.png"))
        }

        @Test(arguments: [
            (["--report", "r.html"], "--report"), (["--resume"], "--resume"), (["--keep-times"], "--keep-times"),
        ])
        func optionsOfFoldersAreRefused(arguments: [String], words: String) throws {
            let outcome = try workspace.run(["compress", "photos.zip", "-o", "out.zip"] + arguments)
            #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
            #expect(try workspace.files() == ["photos.tar", "photos.zip"])
        }

        @Test func existingArchivesStay() throws {
            let before = try workspace.bytes("photos.tar")
            let outcome = try workspace.texel("compress", "photos.zip", "-o", "photos.tar")
            #expect(outcome.status != 0 && outcome.errors.contains("already exists"))
            #expect(try workspace.bytes("photos.tar") == before)
        }

        @Test func whatIsNoArchiveIsAnError() throws {
            try workspace.add("text.zip", "not an archive".utf8)
            try workspace.expectFailure("info", "text.zip", status: 1, naming: "text.zip", saying: "archive")
        }
    }
#endif
