import Foundation
import TestSupport
import Testing
import Texel
import TexelMetrics

/// `texel duplicates`.
@Suite struct DuplicatesTests {
    private let workspace: Workspace

    /// One line of `--json`.
    private struct Line: Decodable {
        struct Image: Decodable {
            var input: String
            var inputBytes: Int
            var format: String
            var width: Int
            var height: Int
            var perceptualHash: String
            var distance: Int
        }

        var status: String
        var group: Int?
        var images: [Image]?
        var input: String?
        var error: String?
    }

    /// A blurred pattern of about 16×11 spots, which `seed` chooses.
    private static func image(_ seed: UInt64) throws -> PixelBuffer {
        try PixelBuffer.random(width: 16, height: 11, seed: seed).resized(to: PixelSize(width: 160, height: 110))
    }

    init() throws {
        workspace = try Workspace()
        let (first, second) = (try Self.image(1), try Self.image(2))
        let png = ImageEncoding.png(PNGOptions(effort: .fast))
        try workspace.add("in/a.png", try first.encoded(as: png))
        try workspace.add("in/b.png", try second.encoded(as: png))
        try workspace.add("in/deep/a.jpg", try first.encoded(as: .jpeg(JPEGOptions(quality: 60))))
        let half = try first.resized(to: PixelSize(width: 80, height: 55))
        let samples = half.pixels.flatMap { pixel in [16, 8, 0].map { UInt8(pixel >> $0 & 255) } }
        try workspace.add("in/deep/half.ppm", Array("P6 80 55 255\n".utf8) + samples)
        let crop = try second.cropped(to: PixelRectangle(x: 4, y: 0, width: 156, height: 108))
        try workspace.add("in/crop.png", try crop.encoded(as: png))
        try workspace.add("in/other.png", try Self.image(3).encoded(as: png))
        try workspace.add("in/notes.txt", Array("text".utf8))
    }

    private func lines(_ outcome: RunningProgram.Outcome) throws -> [Line] {
        try outcome.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test func groupsForPeople() throws {
        let outcome = try workspace.texel("duplicates", "in", "-r")
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        let lines = outcome.lines.map { "\($0)" }
        // Two spaces precede the indented names and follow all of them.
        let names = lines.dropLast().compactMap { line in line.components(separatedBy: "  ").first { !$0.isEmpty } }
        #expect(
            names == ["in/a.png", "in/deep/a.jpg", "in/deep/half.ppm", "in/b.png", "in/crop.png"], "\(lines)"
        )
        #expect(lines[0].hasPrefix("in/a.png  160×110  ") && lines[1].hasPrefix("  in/deep/a.jpg  160×110  "))
        #expect(lines.last?.hasPrefix("3 duplicates  2 groups  ") ?? false, "\(lines)")
        #expect(lines.last?.hasSuffix("1 file skipped (not an image)") ?? false)
    }

    @Test func jsonListsGroupsOfDuplicates() throws {
        let outcome = try workspace.texel("duplicates", "in", "-r", "--json", "--progress", "json")
        #expect(outcome.status == 0)
        let groups = try lines(outcome)
        #expect(groups.map(\.group) == [1, 2] && groups.allSatisfy { $0.status == "done" })
        let first = try #require(groups.first?.images)
        #expect(first.map(\.input) == ["in/a.png", "in/deep/a.jpg", "in/deep/half.ppm"])
        #expect(first.map(\.format) == ["png", "jpeg", "ppm"] && first.map(\.width) == [160, 160, 80])
        #expect(first[0].distance == 0 && first.allSatisfy { $0.distance <= 16 && $0.perceptualHash.count == 16 })
        #expect(outcome.errorLines.count == 6)
        #expect(outcome.errorLines.last?.contains(#""done":6"#) ?? false, "\(outcome.errors)")
    }

    @Test func resultDoesNotDependOnThreads() throws {
        let expected = try workspace.texel("duplicates", "in", "-r", "--json", "--jobs", "1")
        for jobs in ["2", "7"] {
            #expect(try workspace.texel("duplicates", "in", "-r", "--json", "--jobs", jobs).text == expected.text)
        }
    }

    @Test func damagedFilesAreNamed() throws {
        try workspace.add("in/bad.png", try Sample.png().prefix(60))
        let outcome = try workspace.texel("duplicates", "in", "gone.png", "-r")
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.count == 2 && outcome.errors.contains("in/bad.png: "), "\(outcome.errors)")
        #expect(outcome.text.contains("3 duplicates  2 groups"), "\(outcome.text)")
        let json = try lines(try workspace.texel("duplicates", "in", "gone.png", "-r", "--json"))
        #expect(json.compactMap(\.input) == ["gone.png", "in/bad.png"])
        #expect(json.filter { $0.status == "failed" }.allSatisfy { $0.error != nil })
    }

    @Test func invalidInputsOfDuplicatesAreRefused() throws {
        try workspace.expectFailure("duplicates", "gone.png", status: 66, naming: "gone.png", saying: "no such file")
        try workspace.expectFailure("duplicates", "in", status: 64, naming: "in", saying: "-r")
        try workspace.expectUsageError("duplicates", "in", "--distance", "25", saying: "--distance 25")
        try workspace.expectUsageError("duplicates", "-", saying: "duplicates reads files only")
    }

    @Test func nothingIsAlike() throws {
        let outcome = try workspace.texel("duplicates", "in/a.png", "in/b.png", "in/other.png")
        #expect(outcome.status == 0 && outcome.text.hasPrefix("0 duplicates  3 images"), "\(outcome.text)")
        let strict = try workspace.texel("duplicates", "in/a.png", "in/a.png", "./in/a.png", "--distance", "0")
        #expect(strict.text.hasPrefix("0 duplicates  1 image  "), "\(strict.text)")
    }

    // MARK: info --analyze

    /// The keys that `--analyze` fills.
    private struct Analysis: Decodable {
        struct Statistics: Decodable {
            struct Channel: Decodable {
                var mean: Double
                var minimum: Int
                var maximum: Int
            }

            var red: Channel?
            var alpha: Channel
            var lumaEntropy: Double
            var isOpaque: Bool
        }

        struct Color: Decodable {
            var color: String
            var share: Double
        }

        var statistics: Statistics?
        var dominantColors: [Color]?
        var blurHash: String?
        var thumbHash: String?
        var perceptualHash: String?
        var differenceHash: String?
    }

    @Test func infoAnalyzesLikeTheLibrary() throws {
        let outcome = try workspace.texel("info", "in/a.png", "--analyze", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let analysis = try JSONDecoder().decode(Analysis.self, from: Data(outcome.output))
        let image = try Self.image(1)
        let statistics = try image.statistics()
        #expect(analysis.statistics?.red?.mean == statistics.red?.mean)
        #expect(analysis.statistics?.lumaEntropy == statistics.lumaEntropy && analysis.statistics?.isOpaque == true)
        #expect(try analysis.dominantColors?.map(\.color) == image.dominantColors().map(\.color.description))
        #expect(try analysis.blurHash == BlurHash(of: image).text)
        #expect(try analysis.thumbHash == ThumbHash(of: image).description)
        #expect(try analysis.perceptualHash == PerceptualHash(of: image).description)
        #expect(try analysis.differenceHash == DifferenceHash(of: image).description)
        let text = try workspace.texel("info", "in/a.png", "--analyze").text
        #expect(text.contains("\n  blurHash \(analysis.blurHash ?? "")\n"), "\(text)")
    }

    /// Without the flag no pixel is decoded, and the keys are null.
    @Test func plainInformationHasNoAnalysis() throws {
        let outcome = try workspace.texel("info", "in/a.png", "--json")
        #expect(outcome.text.contains(#""blurHash":null"#) && outcome.text.contains(#""statistics":null"#))
        try workspace.add("cut.png", try workspace.bytes("in/a.png").prefix(2000))
        #expect(try workspace.texel("info", "cut.png").status == 0)
        #expect(try workspace.texel("info", "cut.png", "--analyze").status == 65)
        try workspace.expectUsageError("info", "-", "--analyze", saying: "--analyze reads an input twice")
    }
}
