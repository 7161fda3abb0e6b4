import Foundation
import TestSupport
import Testing
import Texel

/// Inputs that cannot be processed: the exit code, the message, and no lost files.
@Suite struct BadInputTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    @Test func missingFilesAreReportedByName() throws {
        try workspace.expectFailure("compress", "no.jpg", status: 66, naming: "no.jpg", saying: "no such file")
        try workspace.expectFailure("info", "no.jpg", status: 66, naming: "no.jpg", saying: "no such file")
        try workspace.expectFailure("compress", "no*.jpg", status: 66, naming: "no*.jpg", saying: "no such file")
    }

    @Test func directoryWithoutRecursion() throws {
        try workspace.add("photos/a.jpg", try Sample.jpeg())
        try workspace.expectFailure("compress", "photos", status: 64, naming: "photos", saying: "add -r")
        try workspace.expectFailure("info", "photos", status: 64, naming: "photos", saying: "add -r")
    }

    @Test(arguments: ["compress", "info"]) func emptyFilesAreRefused(command: String) throws {
        try workspace.add("empty.jpg", [])
        try workspace.expectFailure(command, "empty.jpg", status: 65, naming: "empty.jpg", saying: "empty")
    }

    @Test func emptyStandardInput() throws {
        try workspace.expectFailure("compress", "-", "-o", "a.jpg", status: 65, naming: "-", saying: "empty")
    }

    @Test(arguments: ["compress", "info"]) func textCalledImage(command: String) throws {
        try workspace.add("text.jpg", "Dear reader, this is no picture.".utf8)
        try workspace.expectFailure(
            command, "text.jpg", status: 65, naming: "text.jpg", saying: "the file is not a PNG")
    }

    @Test(arguments: [ImageFormat.jpeg, .png], [0.4, 0.9]) func truncatedFilesFailWithTheNumberOfRows(
        format: ImageFormat, part: Double
    ) throws {
        let size = PixelSize(width: 160, height: 120)
        let noise = try PixelBuffer.noise(size, alphaMode: .opaque)
        let whole = try noise.encoded(
            as: format == .jpeg ? .jpeg(JPEGOptions(isProgressive: false)) : .png(PNGOptions(effort: .fast)))
        let name = "cut.\(format.fileExtension)"
        try workspace.add(name, whole.prefix(Int(Double(whole.count) * part)))
        try workspace.expectFailure(
            "resize", name, "--width", "20", "-o", "small.png", status: 65, naming: name, saying: "truncated")
        try workspace.expectFailure("compress", name, status: 65, naming: name, saying: "truncated")

        // Both tell the same number of rows of the file, whatever the scale, and how to accept them.
        let failures = try ["resize", "compress", "show", "compare"].map { command in
            let arguments = command == "compare" ? [name] : command == "resize" ? ["--width", "20"] : []
            let line = try #require(try workspace.run([command, name] + arguments).errorLines.last)
            return line
        }
        #expect(Set(failures).count == 1, "\(failures)")
        #expect(failures[0].contains(" of its 120 rows are complete; accept incomplete images with --fail-on none"))
        #expect(try workspace.texel("compare", name, name, "--fail-on", "none").status == 0)
        #expect(try workspace.texel("show", name, "--fail-on", "none").status == 0)

        let outcome = try workspace.texel("compress", name, "--fail-on", "none", "-o", "whole.png")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.image("whole.png").size == size)
    }

    /// A truncated file is detected even if no pixel is decoded.
    @Test(arguments: [ImageFormat.jpeg, .png]) func truncatedAndPassedThrough(format: ImageFormat) throws {
        let noise = try PixelBuffer.noise(PixelSize(width: 160, height: 120), alphaMode: .opaque)
        let whole = try noise.encoded(as: format == .jpeg ? .jpeg(JPEGOptions()) : .png(PNGOptions(effort: .fast)))
        let name = "cut.\(format.fileExtension)"
        try workspace.add(name, whole.prefix(whole.count / 2))
        try workspace.expectFailure(
            "rotate", name, "--angle", "0", status: 65, naming: name, saying: "truncated")
        #expect(try workspace.texel("rotate", name, "--angle", "0", "--fail-on", "none", "-o", "b.png").status == 0)
        #expect(try workspace.image("b.png").size == noise.size)
        let same = "same.\(format.fileExtension)"
        #expect(try workspace.texel("rotate", name, "--angle", "0", "--fail-on", "none", "-o", same).status == 0)
        #expect(try workspace.image(same).size == noise.size)
    }

    @Test func cropOutsideTheImage() throws {
        try workspace.add("a.png", try Sample.png())
        try workspace.expectFailure(
            "resize", "a.png", "--crop", "48x32+1+0", status: 64, naming: "a.png", saying: "48×32")
    }

    @Test func oneBadAmongGood() throws {
        try workspace.add("a.jpg", try Sample.jpeg())
        try workspace.add("b.jpg", "no picture".utf8)
        try workspace.add("c.png", try Sample.png())
        let outcome = try workspace.texel("compress", "a.jpg", "b.jpg", "missing.png", "c.png", "-o", "out")
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.count == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("texel: b.jpg: ") && outcome.errors.contains("texel: missing.png: "))
        #expect(outcome.lines.last?.contains("2 failed") ?? false)
        let files = ["a.jpg", "b.jpg", "c.png", "out/.texel-manifest", "out/a.jpg", "out/c.png"]
        #expect(try workspace.files() == files)

        let info = try workspace.texel("info", "a.jpg", "b.jpg", "--json")
        #expect(info.status == 1)
        #expect(info.lines.count == 2)
    }

    // MARK: Limits

    @Test(arguments: [
        ("--limit-pixels", "1000"), ("--limit-side", "40"), ("--limit-input", "200"), ("--limit-metadata", "64"),
        ("--limit-chunks", "1"),
    ])
    func exceededLimitsNameTheirFlag(flag: String, value: String) throws {
        let metadata = WrittenMetadata(exif: Sample.exif(orientation: 1))
        try workspace.add("a.jpg", try Sample.jpeg(metadata: metadata))
        try workspace.expectFailure("compress", "a.jpg", flag, value, status: 69, naming: "a.jpg", saying: flag)
        try workspace.expectFailure("info", "a.jpg", flag, value, status: 69, naming: "a.jpg", saying: flag)
    }

    @Test func limitOfTheMemory() throws {
        try workspace.add("a.jpg", try Sample.jpeg())
        try workspace.expectFailure(
            "resize", "a.jpg", "--width", "20", "--limit-planned", "9", status: 69, naming: "a.jpg",
            saying: "--limit-planned")
        #expect(try workspace.texel("info", "a.jpg", "--limit-planned", "9").status == 0)
    }

    @Test func limitOfTheResult() throws {
        try workspace.add("a.png", try Sample.png())
        try workspace.expectFailure(
            "resize", "a.png", "--width", "4800", "--enlarge", "--limit-pixels", "2000000", status: 69,
            naming: "a.png", saying: "--limit-pixels")
        try workspace.expectFailure(
            "resize", "a.png", "--width", "1000000", "--enlarge", status: 69, naming: "a.png", saying: "--limit-side")
    }

    /// A JPEG whose header declares a large image.
    private func largeJPEG(width: UInt16, height: UInt16) throws -> [UInt8] {
        var bytes = try Sample.jpeg()
        // The frame header: marker, length, precision, height, width.
        let frame = try #require(bytes.indices.dropLast(9).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        let sides = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        bytes.replaceSubrange((frame + 5)..<(frame + 9), with: sides)
        return bytes
    }

    /// A rotated canvas is limited by --limit-pixels only, which can be raised.
    @Test func limitOfATurnedCanvas() throws {
        try workspace.add("large.jpg", try largeJPEG(width: 16_000, height: 16_000))
        #expect(try workspace.report("large.jpg").size == "16000x16000")
        for turn in [["--angle", "10"], ["--yaw", "30"]] {
            let refused = try workspace.run(["rotate", "large.jpg", "--dry-run"] + turn)
            #expect(refused.status == 69)
            #expect(
                refused.errors.contains(" pixels exceeds the limit of 268402689; raise it with --limit-pixels"),
                "\(refused.errors)")
            let allowed = try workspace.run(
                ["rotate", "large.jpg", "--dry-run", "--limit-pixels", "400000000"] + turn)
            #expect(allowed.status == 0, "\(allowed.errors)")
        }
    }

    @Test func untrustedLimitsAllowRowsButNotWholeImages() throws {
        // 200 megapixels, as phones write them: a resize needs some rows of it, a rotation by 7 degrees all of them.
        try workspace.add("a.jpg", try largeJPEG(width: 16_320, height: 12_240))
        let outcome = try workspace.texel("resize", "a.jpg", "--width", "1280", "--untrusted", "--dry-run")
        #expect(outcome.status == 0, "\(outcome.errors)")
        try workspace.expectFailure(
            "rotate", "a.jpg", "--angle", "7", "--untrusted", "--dry-run", status: 69, naming: "a.jpg",
            saying: "--limit-planned")
    }

    @Test func limitOfScans() throws {
        try workspace.add("a.jpg", try Sample.jpeg(isProgressive: true))
        try workspace.expectFailure(
            "compress", "a.jpg", "--limit-scans", "2", status: 69, naming: "a.jpg", saying: "--limit-scans")
        #expect(try workspace.texel("compress", "a.jpg", "--limit-scans", "20").status == 0)
    }

    @Test func slowImagesFailWithTheTimeout() throws {
        let large = try PixelBuffer(width: 3000, height: 2000, filledWith: 0xFF33_6699)
        try workspace.add("a.jpg", try large.encoded(as: .jpeg(JPEGOptions(effort: .fast))))
        try workspace.expectFailure(
            "compress", "a.jpg", "--timeout", "1ms", status: 69, naming: "a.jpg", saying: "--timeout")
    }
}
