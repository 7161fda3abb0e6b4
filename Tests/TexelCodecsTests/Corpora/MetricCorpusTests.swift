import Foundation
import TestSupport
import Testing
import TexelMetrics
import TexelPixels

@testable import TexelCodecs

@Suite(.enabled(if: Corpora.isThere, "TEXEL_CORPORA names no folder"))
struct MetricCorpusTests {
    /// Compares with the scores of the reference implementation.
    @Test func ssimulacra2IsThatOfTheReferenceImplementation() throws {
        let root = try #require(TestFolders.corpora)
        let table = root.appendingPathComponent("quality/ssimulacra2.tsv")
        guard FileManager.default.fileExists(atPath: table.path) else { return }
        let lines = try String(contentsOf: table, encoding: .utf8).split(separator: "\n").filter { $0.first != "#" }
        var references: [String: SSIMULACRA2Reference] = [:]
        var worst = 0.0
        for line in lines {
            let fields = line.split(separator: "\t").map(String.init)
            let expected = try #require(Double(fields[2]))
            let reference =
                try references[fields[0]]
                ?? SSIMULACRA2Reference(Corpora.bytes(root.appendingPathComponent(fields[0])).decoded())
            references[fields[0]] = reference
            let candidate = try Corpora.bytes(root.appendingPathComponent("quality/\(fields[1])")).decoded()
            let score = try reference.score(of: candidate, threads: 2)
            #expect(abs(score - expected) < 0.1, "\(fields[1]): \(score), expected \(expected)")
            worst = max(worst, abs(score - expected))
        }
        #expect(lines.count >= 36)
        print("SSIMULACRA2: \(lines.count) pairs, the worst \(worst) off")
    }
}
