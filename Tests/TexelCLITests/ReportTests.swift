import Foundation
import TestSupport
import Testing
import Texel

/// The program's reports.
@Suite struct ReportTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("a.jpg", try Sample.jpeg())
    }

    private static let keys: Set = [
        "input", "output", "inputBytes", "outputBytes", "width", "height", "format", "route", "status", "error",
        "milliseconds", "score", "warnings", "inputBase64", "outputBase64", "requestedWidth", "requestedHeight",
    ]

    private func objects(_ outcome: RunningProgram.Outcome) throws -> [[String: Any]] {
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
        for object in objects { #expect(Set(object.keys) == Self.keys) }

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

    /// Texts from a file cannot control the terminal.
    @Test func informationIsText() throws {
        // A TIFF block with one tag, the camera's maker.
        let maker = Array("\u{1B}]0;gone\u{7}\u{1B}[2J\0".utf8)
        let block: [UInt8] = [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x0F, 1, 2, 0, UInt8(maker.count), 0, 0, 0, 26, 0, 0, 0,
        ]
        let payload = Array("Exif\0\0".utf8) + block + [0, 0, 0, 0] + maker
        let segment: [UInt8] = [0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload
        let image = try workspace.bytes("a.jpg")
        try workspace.add("b.jpg", image.prefix(2) + segment + image.dropFirst(2))
        let outcome = try workspace.texel("info", "b.jpg")
        #expect(outcome.status == 0)
        #expect(outcome.lines.contains { $0.contains("]0;gone") })
        #expect(outcome.lines.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 })
        // Neither can a file's name in an error message.
        try workspace.add("c\u{1B}[2J.jpg", "no picture".utf8)
        let failed = try workspace.texel("info", "c\u{1B}[2J.jpg")
        #expect(failed.status == 65)
        #expect(failed.errors.contains("c\\u{1B}[2J.jpg") && !failed.errors.contains("\u{1B}"))
    }

    @Test func largerResultsKeepTheInput() throws {
        try workspace.add("poor.jpg", try Sample.jpeg(quality: 10))
        let outcome = try workspace.texel("compress", "poor.jpg", "-q", "95", "--json")
        #expect(try ResultObject.all(in: outcome).first?.status == "kept")
        #expect(try workspace.bytes("poor-texel.jpg").count <= workspace.bytes("poor.jpg").count)
    }

    @Test func textListsFilesAndTheirTotal() throws {
        try workspace.add("b.png", try Sample.png())
        let outcome = try workspace.texel("compress", "a.jpg", "b.png", "-o", "out")
        #expect(outcome.errors == "")
        #expect(outcome.lines.count == 3)
        #expect(outcome.lines[0].hasPrefix("a.jpg  ") && outcome.lines[0].contains("48×32"))
        #expect(outcome.lines[2].hasPrefix("2 files  "))
        // A single file has no total.
        #expect(try workspace.texel("compress", "a.jpg").lines.count == 1)
    }

    @Test func explainPrintsRouteAndScale() throws {
        let outcome = try workspace.texel("resize", "a.jpg", "--width", "6", "--explain")
        #expect(outcome.text.contains("route: planar"), "\(outcome.text)")
        #expect(outcome.text.contains("decode scale 1/4"))
        let quiet = try workspace.texel("rotate", "a.jpg", "--angle", "90", "-o", "b.jpg", "--explain", "--json")
        #expect(quiet.lines.count == 1)
        #expect(quiet.errors.contains("route: lossless-transform"))
    }

    /// One object per line for each event: all documented keys, and all events in order.
    @Test func progressAsJSON() throws {
        for name in ["b.jpg", "c.jpg"] { try workspace.add(name, try Sample.jpeg()) }
        try workspace.add("bad.jpg", "no picture".utf8)
        let inputs = ["a.jpg", "b.jpg", "bad.jpg", "missing.jpg", "c.jpg"]
        let outcome = try workspace.run(["compress"] + inputs + ["-o", "out", "--progress", "json", "--json"])
        #expect(outcome.status == 1 && outcome.lines.count == 5)
        let events = try outcome.errorLines.map { try EventObject($0) }
        #expect(events.allSatisfy { $0.total == 5 })
        #expect(events.first?.event == "queued" && events.last?.event == "ended")
        for input in inputs {
            let own = events.filter { $0.input == input }.map(\.event)
            switch input {
            case "bad.jpg", "missing.jpg": #expect(own == ["started", "failed"])
            default:
                // The number of progress events depends on the time.
                #expect(own.first == "started" && own.last == "finished")
                #expect(own.count > 2 && own.dropFirst().dropLast().allSatisfy { $0 == "progress" }, "\(own)")
            }
        }
        let endings = events.filter { $0.event == "finished" || $0.event == "failed" }
        #expect(endings.map(\.done) == [1, 2, 3, 4, 5])
        #expect(endings.allSatisfy { $0.event == "failed" ? $0.error != nil : $0.status != nil && $0.output != nil })
        let end = try #require(events.last)
        let results = try ResultObject.all(in: outcome)
        #expect(end.written == 3 && end.failed == 2 && end.skipped == 0 && end.cancelled == 0)
        #expect(end.inputBytes == results.filter { $0.error == nil }.reduce(0) { $0 + $1.inputBytes })
        #expect(end.outputBytes == results.reduce(0) { $0 + $1.outputBytes })
    }

    /// Results come in the order of the inputs, with any number of jobs.
    @Test func resultsFollowTheOrderOfInputs() throws {
        let names = (10..<30).map { "p\($0).jpg" }
        for (index, name) in names.enumerated() {
            try workspace.add(name, try Sample.jpeg(PixelSize(width: index % 5 == 0 ? 300 : 8, height: 60)))
        }
        let outcome = try workspace.run(["compress", "-j", "4", "-o", "out", "--json"] + names.reversed())
        #expect(try ResultObject.all(in: outcome).map(\.input) == names.reversed())
    }

    /// `texel … | head`: the reader may close the pipe; the work is completed.
    @Test func readerThatGoesAway() throws {
        let names = (10..<40).map { "p\($0).jpg" }
        for name in names { try workspace.add(name, try Sample.jpeg()) }
        let process = try RunningProgram(["compress", "-o", "out", "--json"] + names, in: workspace.directory.path)
        _ = try process.readLine()
        try process.stopReading()
        // All files are processed; the exit status reports the lost lines.
        let outcome = try process.wait(reading: false)
        #expect(outcome.status == 74 && outcome.errors == "", "\(outcome.errors)")
        #expect(try workspace.files().count == 1 + 2 * names.count)
    }

    // MARK: Info

    @Test func infoReportsTheHeader() throws {
        let metadata = WrittenMetadata(
            exif: Sample.exif(orientation: 6), comments: [TextComment(bytes: Array("hello".utf8), encoding: .unknown)],
            density: PixelDensity(jfifUnit: 1, x: 300, y: 300))
        let jpeg = try Sample.jpeg(isProgressive: true, metadata: metadata)
        try workspace.add("photo.jpg", jpeg)
        let photo = try workspace.report("photo.jpg")
        #expect(photo.input == "photo.jpg" && photo.format == "jpeg" && photo.inputBytes == jpeg.count)
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

    /// Every key is there for every file; what both commands tell has the same name.
    @Test func infoHasEveryKey() throws {
        try workspace.add("bad.jpg", "no image".utf8)
        try workspace.add("b.png", try Sample.png())
        let outcome = try workspace.texel("info", "a.jpg", "bad.jpg", "missing.jpg", "b.png", "--json")
        let objects = try objects(outcome)
        #expect(outcome.status == 1 && objects.count == 4)
        #expect(Set(objects.map { Set($0.keys) }).count == 1)
        let shared = ["input", "inputBase64", "inputBytes", "width", "height", "format", "status", "error"]
        #expect(Set(shared).isSubset(of: try #require(objects.first).keys))
        for object in objects {
            let isRead = ["a.jpg", "b.png"].contains(object["input"] as? String)
            #expect(object["status"] as? String == (isRead ? "done" : "failed"))
            #expect((object["error"] is NSNull) == isRead && (object["width"] is NSNull) != isRead)
            #expect(object["inputBase64"] is NSNull)
        }
    }

    @Test func smallerResultsTellTheRequestedSize() throws {
        let outcome = try workspace.texel("resize", "a.jpg", "--width", "96", "--json", "-o", "b.jpg")
        let object = try #require(try objects(outcome).first)
        #expect(object["width"] as? Int == 48 && object["requestedWidth"] as? Int == 96)
        #expect(object["requestedHeight"] as? Int == 64)
        let smaller = try objects(try workspace.texel("resize", "a.jpg", "--width", "8", "--json", "-o", "c.jpg"))
        #expect(smaller.first?["requestedWidth"] is NSNull && smaller.first?["requestedHeight"] is NSNull)
    }

    @Test func infoForPeople() throws {
        let outcome = try workspace.texel("info", "a.jpg")
        #expect(outcome.text.hasPrefix("a.jpg: JPEG, 48×32, 8-bit ycbcr, 4:4:4, baseline, sRGB"), "\(outcome.text)")
        #expect(outcome.errors == "")
    }
}
