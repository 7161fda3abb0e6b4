import Foundation
import TestSupport
import Testing
import Texel

/// `texel compare`.
@Suite struct CompareTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.add("a.png", try Sample.png())
        try workspace.add("good.jpg", try Sample.jpeg(quality: 95))
        try workspace.add("bad.jpg", try Sample.jpeg(quality: 5))
    }

    /// The output of `--json`.
    private struct Report: Decodable {
        var original: String
        var candidate: String
        var width: Int
        var height: Int
        var psnr: Double?
        var ssim: Double
        var haarpsi: Double
        var ssimulacra2: Double
        var butteraugli: Double
        var butteraugli3Norm: Double
    }

    private func report(_ original: String, _ candidate: String) throws -> Report {
        let outcome = try workspace.texel("compare", original, candidate, "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output))
    }

    @Test func numbersAreThoseOfTheLibrary() throws {
        let report = try report("a.png", "good.jpg")
        let (original, candidate) = (try workspace.image("a.png"), try workspace.image("good.jpg"))
        #expect(report.original == "a.png" && report.candidate == "good.jpg")
        #expect(PixelSize(width: report.width, height: report.height) == Sample.size)
        #expect(report.psnr == (try candidate.psnr(against: original)))
        #expect(report.ssim == (try candidate.structuralSimilarity(to: original)))
        #expect(report.haarpsi == (try candidate.haarPSI(against: original)))
        #expect(report.ssimulacra2 == (try candidate.ssimulacra2(against: original)))
        let distance = try candidate.butteraugli(against: original)
        #expect(report.butteraugli == distance.maximum && report.butteraugli3Norm == distance.norm3)
        #expect(report.ssimulacra2 > (try self.report("a.png", "bad.jpg").ssimulacra2))
    }

    @Test func equalImagesHaveNoNoise() throws {
        let report = try report("a.png", "a.png")
        #expect(report.psnr == nil && report.ssim == 1 && report.ssimulacra2 == 100)
        #expect(report.haarpsi == 1 && report.butteraugli == 0 && report.butteraugli3Norm == 0)
        let text = try workspace.texel("compare", "a.png", "a.png").text
        #expect(text.contains("∞") && text.contains("SSIMULACRA2 100.0"))
    }

    @Test func theSecondMayComeFromStandardInput() throws {
        let outcome = try workspace.texel("compare", "a.png", "-", "--json", input: try workspace.bytes("good.jpg"))
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func imagesAreTurnedUpright() throws {
        let turned = try PixelBuffer.smooth(Sample.size).oriented(.rotated90)
        let metadata = WrittenMetadata(exif: Sample.exif(orientation: 8))
        try workspace.add("turned.png", try turned.encoded(as: .png(PNGOptions(effort: .fast)), metadata: metadata))
        #expect(try report("a.png", "turned.png").ssimulacra2 == 100)
    }

    @Test func sizesMustAgree() throws {
        try workspace.add("small.png", try Sample.png(PixelSize(width: 20, height: 20)))
        try workspace.expectFailure(
            "compare", "a.png", "small.png", status: 65, naming: "small.png", saying: "48×32 and 20×20 pixels")
    }

    @Test func faultsNameTheirFile() throws {
        try workspace.add("text.png", "no picture".utf8)
        try workspace.expectFailure(
            "compare", "missing.png", "a.png", status: 66, naming: "missing.png", saying: "no such file")
        try workspace.expectFailure(
            "compare", "a.png", "missing.png", status: 66, naming: "missing.png", saying: "no such file")
        let outcome = try workspace.texel("compare", "a.png", "text.png")
        #expect(outcome.status == 65 && outcome.errors.hasPrefix("texel: text.png: "))
        let inJSON = try workspace.texel("compare", "a.png", "missing.png", "--json")
        #expect(inJSON.status == 66 && inJSON.text.contains("missing.png: no such file"))
    }

    @Test func invalidCallsOfCompareAreRefused() throws {
        try workspace.expectUsageError("compare", "a.png", saying: "candidate")
        try workspace.expectUsageError("compare", "-", "-", saying: "standard input")
        try workspace.expectUsageError("compare", "a.png", "good.jpg", "--heatmap", "map.tga", saying: "map.tga")
    }

    // MARK: Heatmap

    @Test(arguments: ["ssimulacra2", "butteraugli"]) func heatmapIsBrightWhereImagesDiffer(metric: String) throws {
        var changed = try PixelBuffer.smooth(Sample.size)
        for y in 4..<14 { for x in 4..<14 { changed[x, y] ^= (x + y) % 2 == 0 ? 0x0060_6060 : 0 } }
        try workspace.add("changed.png", try changed.encoded(as: .png(PNGOptions(effort: .fast))))
        let outcome = try workspace.texel(
            "compare", "a.png", "changed.png", "--heatmap", "map.png", "--heatmap-metric", metric)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let map = try workspace.image("map.png")
        #expect(map.size == Sample.size)
        func light(_ pixel: UInt32) -> UInt32 { (pixel >> 16 & 255) + (pixel >> 8 & 255) }
        #expect(light(map[9, 9]) > light(map[44, 28]) + 100, "\(map[9, 9]) \(map[44, 28])")

        let equal = try workspace.texel(
            "compare", "a.png", "a.png", "--heatmap", "equal.png", "--heatmap-metric", metric)
        #expect(equal.status == 0, "\(equal.errors)")
        #expect(try Set(workspace.image("equal.png").pixels).count == 1)
    }

    @Test func heatmapDoesNotReplaceFiles() throws {
        try workspace.add("map.png", "precious".utf8)
        try workspace.expectFailure(
            "compare", "a.png", "good.jpg", "--heatmap", "map.png", status: 73, naming: "map.png", saying: "--overwrite"
        )
        #expect(
            try workspace.texel("compare", "a.png", "good.jpg", "--heatmap", "map.png", "--overwrite").status == 0)
        #expect(try workspace.image("map.png").size == Sample.size)
        try workspace.expectFailure(
            "compare", "a.png", "good.jpg", "--heatmap", "a.png", "--overwrite", status: 73, naming: "a.png",
            saying: "is also an input")
    }
}
