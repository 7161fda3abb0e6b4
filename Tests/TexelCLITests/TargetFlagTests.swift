import Foundation
import TestSupport
import Testing
import Texel

/// `--target-score` and `--max-bytes`.
@Suite struct TargetFlagTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        let image = try PixelBuffer.make(width: 360, height: 270) { x, y in
            0xFF00_0000 | UInt32((x * x / 5 + y * 3) % 200) << 16 | UInt32((x / 9 * 31 + y) % 255) << 8 | UInt32(y)
        }
        try workspace.add("a.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
    }

    private struct Report: Decodable {
        var score: Double?
        var outputBytes: Int
    }

    @Test func scoreIsReachedAndTold() throws {
        let outcome = try workspace.texel(
            "compress", "a.png", "-o", "out.jpg", "--target-score", "70", "--json", "--explain")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output))
        let score = try workspace.image("out.jpg").ssimulacra2(against: workspace.image("a.png"))
        #expect(score >= 70 && report.score == score)
        #expect(outcome.errors.contains("search: quality "))
    }

    @Test func otherMetricsReachTheirTargets() throws {
        let outcome = try workspace.texel(
            "compress", "a.png", "-o", "out.jpg", "--target-score", "1.5", "--target-metric", "butteraugli", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let distance = try workspace.image("out.jpg").butteraugli(against: workspace.image("a.png")).norm3
        #expect(distance <= 1.5 && distance > 1.3)
        #expect(try JSONDecoder().decode(Report.self, from: Data(outcome.output)).score == distance)
        let results = try workspace.work(
            ["input": "a.png", "output": "b.jpg", "targetScore": 0.95, "targetMetric": "haarpsi"],
            ["input": "a.png", "output": "c.jpg", "targetScore": 2, "targetMetric": "haarpsi"])
        #expect(results[0].status == "written", "\(results[0])")
        let similarity = try workspace.image("b.jpg").haarPSI(against: workspace.image("a.png"))
        #expect(similarity >= 0.95 && similarity < 0.96)
        #expect(results[1].error?.contains("targetScore 2.0 is not between 0 and 1, the range of haarpsi") == true)
    }

    @Test func bytesAreNotExceeded() throws {
        let outcome = try workspace.texel("resize", "a.png", "--width", "100", "-o", "out.jpg", "--max-bytes", "3KB")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let count = try workspace.bytes("out.jpg").count
        #expect(count <= 3000 && count > 2500, "\(count)")
        #expect(try workspace.image("out.jpg").width == 100)
    }

    @Test func whatCannotBeMetIsNotWritten() throws {
        try workspace.expectFailure(
            "compress", "a.png", "-o", "out.jpg", "--max-bytes", "700", status: 69, naming: "a.png",
            saying: "--allow-smaller")
        try workspace.expectFailure(
            "compress", "a.png", "-o", "out.jpg", "--target-score", "99.9", status: 69, naming: "a.png",
            saying: "--best-effort")
        #expect(
            try workspace.texel("compress", "a.png", "-o", "effort.jpg", "--max-bytes", "700", "--best-effort").status
                == 0)
        #expect(try workspace.image("effort.jpg").width == 360)
        #expect(
            try workspace.texel("compress", "a.png", "-o", "small.jpg", "--max-bytes", "700", "--allow-smaller").status
                == 0)
        #expect(try workspace.image("small.jpg").width < 360)
        #expect(try workspace.bytes("small.jpg").count <= 700)
    }

    @Test func invalidTargetsAreRefused() throws {
        try workspace.expectUsageError("compress", "a.png", "--target-score", "101", saying: "--target-score 101")
        try workspace.expectUsageError("compress", "a.png", "--target-score", "nan", saying: "--target-score")
        try workspace.expectUsageError("compress", "a.png", "--target-score", "70", "-q", "80", saying: "--quality")
        try workspace.expectUsageError(
            "compress", "a.png", "--target-metric", "haarpsi", saying: "--target-metric requires --target-score")
        try workspace.expectUsageError(
            "compress", "a.png", "--target-score", "-1", "--target-metric", "butteraugli",
            saying: "--target-score -1.0 is not between 0 and 100")
        try workspace.expectUsageError("compress", "a.png", "--max-bytes", "0", saying: "--max-bytes")
        try workspace.expectUsageError("compress", "a.png", "--allow-smaller", saying: "--max-bytes")
        try workspace.expectUsageError("compress", "a.png", "--best-effort", saying: "--target-score or --max-bytes")
    }
}
