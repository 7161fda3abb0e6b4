import Foundation
import TestSupport
import Testing
import Texel

/// What the program says while it works.
@Suite struct ReportTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("a.jpg", try Sample.jpeg())
    }

    private static let keys: Set = [
        "input", "output", "inputBytes", "outputBytes", "width", "height", "format", "route", "status", "error",
        "milliseconds", "score",
    ]

    private func objects(_ outcome: ChildProcess.Outcome) throws -> [[String: Any]] {
        try outcome.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test func jsonHasEveryKey() throws {
        try workspace.add("bad.jpg", "no picture".utf8)
        let outcome = try workspace.texel("resize", "a.jpg", "bad.jpg", "missing.jpg", "--width", "12", "--json")
        #expect(outcome.status == 1)
        let objects = try objects(outcome)
        #expect(objects.count == 3)
        for object in objects { #expect(Self.keys.isSubset(of: object.keys)) }

        let results = try ResultObject.all(in: outcome)
        let written = try #require(results.first { $0.input == "a.jpg" })
        #expect(written.output == "a-texel.jpg" && written.status == "written" && written.error == nil)
        #expect(written.width == 12 && written.height == 8 && written.format == "jpeg")
        #expect(written.route == "planar" && written.milliseconds > 0)
        #expect(written.inputBytes == (try workspace.bytes("a.jpg").count))
        #expect(written.outputBytes == (try workspace.bytes("a-texel.jpg").count))
        for failed in results where failed.input != "a.jpg" {
            #expect(failed.status == "failed" && failed.error != nil && failed.outputBytes == 0)
        }
    }

    @Test func kept() throws {
        try workspace.add("poor.jpg", try Sample.jpeg(quality: 10))
        let outcome = try workspace.texel("compress", "poor.jpg", "-q", "95", "--json")
        #expect(try ResultObject.all(in: outcome).first?.status == "kept")
        #expect(try workspace.bytes("poor-texel.jpg").count <= workspace.bytes("poor.jpg").count)
    }

    @Test func humanLines() throws {
        try workspace.add("b.png", try Sample.png())
        let outcome = try workspace.texel("compress", "a.jpg", "b.png", "-o", "out")
        #expect(outcome.errors == "")
        #expect(outcome.lines.count == 3)
        #expect(outcome.lines[0].hasPrefix("a.jpg  ") && outcome.lines[0].contains("48×32"))
        #expect(outcome.lines[2].hasPrefix("2 files  "))
        // One file needs no sum.
        #expect(try workspace.texel("compress", "a.jpg").lines.count == 1)
    }

    @Test func explain() throws {
        let outcome = try workspace.texel("resize", "a.jpg", "--width", "6", "--explain")
        #expect(outcome.text.contains("route: planar"), "\(outcome.text)")
        #expect(outcome.text.contains("DCT scale 1/4"))
        let quiet = try workspace.texel("rotate", "a.jpg", "--angle", "90", "-o", "b.jpg", "--explain", "--json")
        #expect(quiet.lines.count == 1)
        #expect(quiet.errors.contains("route: lossless-transform"))
    }

    @Test func progressAsJSON() throws {
        for name in ["b.jpg", "c.jpg"] { try workspace.add(name, try Sample.jpeg()) }
        let outcome = try workspace.texel("compress", "a.jpg", "b.jpg", "c.jpg", "-o", "out", "--progress", "json")
        let done = try outcome.errorLines.map { line -> Int in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["total"] as? Int == 3)
            return try #require(object?["done"] as? Int)
        }
        #expect(done == [1, 2, 3])
        #expect(outcome.lines.count == 4)
    }

    /// Results come in the order of the inputs, however many are done at once.
    @Test func order() throws {
        let names = (10..<30).map { "p\($0).jpg" }
        for (index, name) in names.enumerated() {
            try workspace.add(name, try Sample.jpeg(PixelSize(width: index % 5 == 0 ? 300 : 8, height: 60)))
        }
        let outcome = try workspace.run(["compress", "-j", "4", "-o", "out", "--json"] + names.reversed())
        #expect(try ResultObject.all(in: outcome).map(\.input) == names.reversed())
    }

    /// `texel … | head`: who reads the report may go; the work is done nevertheless.
    @Test func readerThatGoesAway() throws {
        let names = (10..<40).map { "p\($0).jpg" }
        for name in names { try workspace.add(name, try Sample.jpeg()) }
        let process = try ChildProcess(["compress", "-o", "out", "--json"] + names, in: workspace.directory.path)
        _ = try process.readLine()
        try process.stopReading()
        #expect(try process.wait(reading: false).status == 0)
        #expect(try workspace.files().count == 1 + 2 * names.count)
    }

    // MARK: Info

    @Test func info() throws {
        let metadata = WrittenMetadata(
            exif: Sample.exif(orientation: 6), comments: [TextComment(bytes: Array("hello".utf8), encoding: .unknown)],
            density: PixelDensity(jfifUnit: 1, x: 300, y: 300))
        let jpeg = try Sample.jpeg(isProgressive: true, metadata: metadata)
        try workspace.add("photo.jpg", jpeg)
        let photo = try workspace.report("photo.jpg")
        #expect(photo.input == "photo.jpg" && photo.format == "jpeg" && photo.bytes == jpeg.count)
        #expect(photo.size == "48x32" && photo.displayWidth == 32 && photo.displayHeight == 48)
        #expect(photo.orientation == 6 && photo.colorModel == "ycbcr" && photo.bitDepth == 8)
        #expect(!photo.hasAlpha && photo.progressive && photo.subsampling == "4:4:4" && photo.frames == 1)
        #expect(photo.density?.x == 300 && photo.density?.unit == "per inch")
        #expect(photo.exif?.make == "Texel Works" && photo.exif?.hasGPS == true)
        #expect(photo.comments == ["hello"] && !photo.hasXMP && photo.colorSpace == "sRGB")

        try workspace.add("shape.png", try Sample.translucentPNG())
        let shape = try workspace.report("shape.png")
        #expect(shape.format == "png" && shape.hasAlpha && shape.colorModel == "rgba" && shape.subsampling == nil)
        #expect(shape.exif == nil && shape.density == nil && shape.comments.isEmpty)
    }

    @Test func infoForPeople() throws {
        let outcome = try workspace.texel("info", "a.jpg")
        #expect(outcome.text.hasPrefix("a.jpg: JPEG, 48×32, 8-bit ycbcr, 4:4:4, baseline, sRGB"), "\(outcome.text)")
        #expect(outcome.errors == "")
    }
}
