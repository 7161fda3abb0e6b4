import Foundation
import TestSupport
import Testing
import Texel

/// `texel sheet -o gallery.html` and `--report`; `make test-pages` opens them in a browser.
@Suite struct PageTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("in/a.jpg", try Sample.jpeg())
        try workspace.add("in/b \"<c>\".png", try Sample.translucentPNG())
    }

    private func page(_ name: String) throws -> String { String(decoding: try workspace.bytes(name), as: UTF8.self) }

    // MARK: Gallery

    @Test func galleriesHoldTheirThumbnails() throws {
        let outcome = try workspace.texel("sheet", "in", "-r", "-o", "out.html", "--json")
        #expect(outcome.status == 0 && outcome.text.contains(#""pictures":2"#), "\(outcome.errors)")
        let text = try page("out.html")
        #expect(text.contains("<title>out</title>") && text.contains("href=\"in/b%20%22%3Cc%3E%22.png\""))
        #expect(text.contains("src=\"data:image/jpeg;") && text.contains("src=\"data:image/png;"))
        #expect(text.contains("48×32 · ") && !text.contains("b \"<c>"))
        #expect(try workspace.texel("sheet", "in", "-r", "-o", "again.html").status == 0)
        #expect(try page("again.html").replacing("again", with: "out") == text)
    }

    @Test func thumbnailsMayLieBeside() throws {
        try workspace.add("in/c.png", try Sample.png().prefix(50))
        let outcome = try workspace.texel("sheet", "in", "-r", "-o", "g.html", "--thumbnails", "beside")
        #expect(outcome.status == 1 && outcome.errors.hasPrefix("texel: in/c.png: "), "\(outcome.errors)")
        let files = try workspace.files().filter { $0.hasPrefix("g-thumbnails/") }
        #expect(files == ["g-thumbnails/00001.jpg", "g-thumbnails/00002.png"])
        let text = try page("g.html")
        #expect(files.allSatisfy { text.contains("src=\"\($0)\"") } && text.contains("cannot be read"))
        #expect(try workspace.image(files[0]).size == Sample.size)
    }

    @Test func galleriesAreNotLost() throws {
        try workspace.add("g.html", "mine".utf8)
        try workspace.expectFailure(
            "sheet", "in/a.jpg", "-o", "g.html", status: 73, naming: "g.html", saying: "already exists")
        #expect(try workspace.texel("sheet", "in/a.jpg", "-o", "g.html", "--overwrite").status == 0)
    }

    // MARK: Report

    @Test(arguments: [["compress"], ["resize", "--width", "20"], ["rotate", "--angle", "90"]])
    func reportsTellOfEachFile(command: [String]) throws {
        try workspace.add("in/broken.png", try Sample.png().prefix(50))
        let outcome = try workspace.run(command + ["in", "-r", "-o", "out/", "--report", "report.html"])
        #expect(outcome.status == 1, "\(outcome.errors)")
        let text = try page("report.html")
        #expect(text.components(separatedBy: "<tr ").count == 4)
        // Both processed files are shown before and after.
        #expect(text.components(separatedBy: "<div class=\"pair\"").count == 3, "\(text)")
        #expect(text.contains("SSIMULACRA2 ") && text.contains("1 failed") && text.contains("href=\"out/a.jpg\""))
    }

    @Test func scoresAreThoseOfCompare() throws {
        #expect(
            try workspace.texel("compress", "in/a.jpg", "-q", "30", "-o", "b.jpg", "--report", "r.html").status == 0)
        let compared = try workspace.texel("compare", "in/a.jpg", "b.jpg", "--json").text
        let score = try #require(compared.firstMatch(of: /"ssimulacra2":([0-9.]+)/)?.1)
        #expect(try page("r.html").contains("data-value=\"\(score)\""))
    }

    @Test func numbersStandAloneWhereTheOriginalIsGone() throws {
        let outcome = try workspace.texel("compress", "in/a.jpg", "--in-place", "--report", "r.html")
        #expect(outcome.status == 0)
        let text = try page("r.html")
        #expect(text.components(separatedBy: "<tr ").count == 2 && !text.contains("class=\"pair\""))
    }

    @Test func interruptedBatchesGetAReport() throws {
        let noise = try PixelBuffer.noise(PixelSize(width: 400, height: 300), alphaMode: .opaque)
        let bytes = try noise.encoded(as: .jpeg(JPEGOptions(quality: 95)))
        for index in 0..<100 { try workspace.add("many/\(index).jpg", bytes) }
        let batch = try RunningProgram(
            ["compress", "many", "-r", "-o", "out", "--json", "--report", "r.html"], in: workspace.directory.path)
        #expect(try batch.readLine().contains("written"))
        batch.send(SIGINT)
        let outcome = try batch.wait()
        #expect(outcome.status == 130, "\(outcome.errors)")
        let written = try workspace.files().count { $0.hasPrefix("out/") && $0.hasSuffix(".jpg") }
        let text = try page("r.html")
        #expect(written < 100 && text.contains("\(100 - written) cancelled"), "\(written) written")
    }

    @Test func reportsAreRefusedBeforeTheWork() throws {
        try workspace.add("r.html", "mine".utf8)
        try workspace.expectFailure(
            "compress", "in/a.jpg", "-o", "b.jpg", "--report", "r.html", status: 73, naming: "r.html",
            saying: "already exists")
        try workspace.expectUsageError(
            "compress", "in/a.jpg", "-o", "b.jpg", "--report", "r.txt", saying: "must end in .html")
        let outcome = try workspace.texel("compress", "in/a.jpg", "-o", "b.jpg", "--report", "in/a.jpg/r.html")
        #expect(outcome.status == 73 && outcome.errors.hasPrefix("texel: in/a.jpg/r.html: "))
        #expect(try !workspace.files().contains("b.jpg"))
    }
}
