import Foundation
import TestSupport
import Testing
import Texel

/// `--page`, for files of several images.
@Suite struct DocumentPageTests {
    private let workspace: Workspace

    /// A page of two pixels, and one of one pixel.
    init() throws {
        workspace = try Workspace()
        try workspace.add("pages.pgm", Array("P5 2 1 255\n".utf8) + [1, 2] + Array("P5 1 1 255\n".utf8) + [5])
    }

    @Test func pagesCountFromOne() throws {
        for (page, pixels) in [("1", [0xFF01_0101, 0xFF02_0202]), ("2", [0xFF05_0505])] as [(String, [UInt32])] {
            let outcome = try workspace.texel(
                "compress", "pages.pgm", "--page", page, "--format", "png", "-o", "\(page).png")
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            #expect(try workspace.image("\(page).png").pixels == pixels)
        }
        let compared = try workspace.texel("compare", "pages.pgm", "2.png", "--page", "2", "--json")
        #expect(compared.text.contains("\"psnr\":null"), "\(compared.errors)")
    }

    @Test func infoReportsThePages() throws {
        #expect(try workspace.texel("info", "pages.pgm").text.contains(", 2 pages"))
        let second = try workspace.texel("info", "pages.pgm", "--page", "2", "--json").text
        #expect(second.contains("\"width\":1}") && second.contains("\"pages\":1"), "\(second)")
    }

    /// Pages are frames.
    @Test func pagesAreReadAsFrames() throws {
        let outcome = try workspace.texel("frames", "pages.pgm", "-o", "f/%d.png")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.image("f/1.png").pixels == [0xFF01_0101, 0xFF02_0202])
        #expect(try workspace.image("f/2.png").pixels == [0xFF05_0505])
        #expect(try workspace.files() == ["f/1.png", "f/2.png", "pages.pgm"])
    }

    /// Pages that the result does not hold would be lost: a file keeps its pages, or is not modified.
    @Test(arguments: [["compress", "--greyscale"], ["resize", "--crop", "1x1+0+0"], ["rotate", "--angle", "90"]])
    func inPlaceRefusesToLosePages(arguments: [String]) throws {
        let before = try workspace.bytes("pages.pgm")
        let outcome = try workspace.run(arguments + ["pages.pgm", "--in-place"])
        #expect(outcome.status == 65, "\(outcome.errors)")
        let sentence = "the result would hold only the first of the file's 2 pages; write another file with -o, or keep"
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
        #expect(try workspace.run(arguments + ["pages.pgm", "--in-place", "--dry-run"]).errors == outcome.errors)
        #expect(try workspace.bytes("pages.pgm") == before)
        #expect(try workspace.run(arguments + ["pages.pgm", "-o", "other.pgm"]).status == 0)

        let chosen = try workspace.run(arguments + ["pages.pgm", "--in-place", "--page", "1"])
        #expect(chosen.status == 0, "\(chosen.errors)")
        #expect(try workspace.info("pages.pgm").pageCount == 1)
    }

    @Test func inPlaceInJobs() throws {
        let before = try workspace.bytes("pages.pgm")
        let results = try workspace.work(["input": "pages.pgm", "inPlace": true, "greyscale": true])
        #expect(results[0].code == 65 && results[0].error?.contains("2 pages") == true, "\(results)")
        #expect(try workspace.bytes("pages.pgm") == before)
    }

    @Test func missingPagesAreRefused() throws {
        for command in [["compress", "-o", "x.png"], ["info"]] {
            let outcome = try workspace.run(command + ["pages.pgm", "--page", "3"])
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains("page 3 does not exist; the file has 2 pages"), "\(outcome.errors)")
        }
        for command in [["compress", "-o", "x.png"], ["info"], ["compare", "pages.pgm"]] {
            let outcome = try workspace.run(command + ["pages.pgm", "--page", "0"])
            #expect(outcome.status == 64 && outcome.errors.contains("0 is not at least 1"), "\(outcome.errors)")
        }
        let both = try workspace.run(["compress", "pages.pgm", "-o", "x.png", "--page", "1", "--frame", "0"])
        #expect(both.status == 64 && both.errors.contains("--page"), "\(both.errors)")
    }
}
