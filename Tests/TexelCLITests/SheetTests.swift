import Foundation
import TestSupport
import Testing
import Texel

/// `texel sheet` with an image as its output.
@Suite struct SheetTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("in/b.png", try Sample.png())
        try workspace.add("in/a.jpg", try Sample.jpeg())
        try workspace.add("in/deep/c.png", try Sample.translucentPNG())
    }

    private func sheet(_ arguments: String...) throws -> RunningProgram.Outcome {
        try workspace.run(["sheet", "--no-captions", "--cell", "32x24"] + arguments)
    }

    @Test func imagesStandInTheirOrder() throws {
        let outcome = try sheet("in", "-r", "-o", "sheet.png", "--gap", "2", "--margin", "3", "--columns", "2")
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(outcome.text.hasPrefix("sheet.png  3 images  72×56  "))
        let page = try workspace.image("sheet.png")
        #expect(page.size == PixelSize(width: 72, height: 56))
        // An image of 48×32 fits a cell of 32×24 as 32×21.
        let thumbnail = try workspace.image("in/b.png").resized(to: PixelSize(width: 32, height: 21))
        #expect(try page.cropped(to: PixelRectangle(x: 37, y: 4, width: 32, height: 21)).pixels == thumbnail.pixels)
        // The fourth cell is empty.
        let empty = try page.cropped(to: PixelRectangle(x: 37, y: 29, width: 32, height: 24))
        #expect(empty.pixels.allSatisfy { $0 == 0xFFFF_FFFF })
    }

    @Test func bytesDependOnNothingButTheImages() throws {
        for jobs in ["1", "2", "7"] {
            let outcome = try workspace.texel("sheet", "in", "-r", "-o", "\(jobs).png", "--jobs", jobs, "--cell", "40")
            // If no font is installed, there are no captions.
            if outcome.status == 66 { return #expect(outcome.errors.contains("--no-captions")) }
            #expect(outcome.status == 0)
        }
        let bytes = try workspace.bytes("1.png")
        #expect(try workspace.bytes("2.png") == bytes && workspace.bytes("7.png") == bytes)
    }

    /// Characters of captions that no font has are a warning of the page.
    @Test(.enabled(if: TextFlagTests.hasFont)) func missingCharactersAreWarnings() throws {
        let warning = "no installed font has U+F1234; boxes were drawn instead"
        let flags = ["sheet", "in", "-r", "-o", "s.png", "--overwrite", "--caption", "{name}\u{F1234}"]
        let outcome = try workspace.run(flags)
        #expect(outcome.status == 0 && outcome.errors == "texel: s.png: warning: \(warning)\n", "\(outcome.errors)")
        let report = try workspace.run(flags + ["--json"])
        #expect(report.errors.isEmpty && report.text.contains("\"warnings\":[\"\(warning)\"]"), "\(report.text)")
    }

    @Test func badImagesHaveAPlace() throws {
        try workspace.add("in/a-broken.png", try Sample.png().prefix(60))
        let outcome = try sheet("in", "-r", "-o", "sheet.jpg", "--gap", "0", "--margin", "0")
        #expect(outcome.status == 1 && outcome.errors.hasPrefix("texel: in/a-broken.png: "), "\(outcome.errors)")
        #expect(outcome.errorLines.count == 1)
        let page = try workspace.image("sheet.jpg")
        #expect(page.size == PixelSize(width: 4 * 32, height: 24))
        let place = try page.cropped(to: PixelRectangle(x: 0, y: 0, width: 32, height: 24)).pixels
        #expect(place.contains { $0 & 0xFF < 0xE8 })
    }

    @Test func aSingleBadImageGivesItsOwnCode() throws {
        try workspace.add("broken.png", try Sample.png().prefix(60))
        #expect(try sheet("broken.png", "-o", "one.png").status == 65)
        #expect(try workspace.files().contains("one.png"))
        #expect(try sheet("missing.png", "-o", "two.png").status == 66)
        #expect(try !workspace.files().contains("two.png"))
    }

    @Test func pagesAreWrittenOneByOne() throws {
        let outcome = try sheet("in", "-r", "-o", "s.png", "--columns", "1", "--rows", "2", "--json")
        #expect(outcome.status == 0 && outcome.lines.count == 2)
        #expect(outcome.lines.last?.contains(#""output":"s-2.png","outputBytes""#) == true, "\(outcome.text)")
        #expect(outcome.lines.last?.contains(#""pictures":1"#) == true)
        #expect(try workspace.files().contains("s-2.png"))
    }

    @Test func outputsAreNotLost() throws {
        #expect(try sheet("in", "-r", "-o", "sheet.png").status == 0)
        try workspace.expectFailure(
            "sheet", "in/b.png", "-o", "sheet.png", "--no-captions", status: 73, naming: "sheet.png",
            saying: "--overwrite")
        #expect(try sheet("in/b.png", "-o", "sheet.png", "--overwrite").status == 0)
        #expect(try sheet("in/b.png", "sheet.png", "-o", "sheet.png", "--overwrite").status == 73)
        #expect(try sheet("in/b.png", "-o", "in/b.png/sheet.png").status == 73)
    }

    @Test func machinesWithoutFontsAreTold() throws {
        try workspace.add("fonts.conf", "<?xml version=\"1.0\"?><fontconfig></fontconfig>".utf8)
        let environment = ["FONTCONFIG_FILE": workspace.directory("fonts.conf")]
        let outcome = try workspace.texel("sheet", "in", "-r", "-o", "s.png", environment: environment)
        #expect(outcome.status == 66 && outcome.errors.contains("no usable font is installed"), "\(outcome.errors)")
        let without = try workspace.texel(
            "sheet", "in", "-r", "-o", "s.png", "--no-captions", environment: environment)
        #expect(without.status == 0 && without.errors == "", "\(without.errors)")
    }

    @Test func limitsHoldForThePage() throws {
        let outcome = try sheet("in", "-r", "-o", "s.png", "--limit-side", "60", "--columns", "3")
        #expect(outcome.status == 69 && outcome.errors.contains("--columns"), "\(outcome.errors)")
    }

    @Test func wrongFlagsAreRefused() throws {
        try workspace.expectUsageError("sheet", "in/b.png", "-o", "a.tga", saying: "must end in .png, .jpg")
        try workspace.expectUsageError("sheet", "in/b.png", "-o", "a.png", "--cell", "0", saying: "--cell")
        try workspace.expectUsageError("sheet", "in/b.png", "-o", "a.png", "--frame", "1,mud", saying: "--frame")
        try workspace.expectUsageError("sheet", "in/b.png", "-o", "a.png", "--caption", "{x}", saying: "{x}")
        try workspace.expectUsageError("sheet", "in/b.png", "-o", "a.png", "--columns", "0", saying: "--columns 0")
        try workspace.expectUsageError("sheet", "-", "-o", "a.png", saying: "sheet reads files only")
    }
}
