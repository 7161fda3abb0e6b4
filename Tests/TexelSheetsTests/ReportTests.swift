import SystemPackage
import TestSupport
import Testing
import TexelBatch
import TexelPipeline
import TexelPixels

@testable import TexelSheets

/// The contents of a report.
@Suite struct ReportTests {
    // MARK: The detail

    @Test func theGreatestDifferenceIsFound() throws {
        let size = PixelSize(width: 150, height: 131)
        let original = try PixelBuffer.make(width: size.width, height: size.height) { _, _ in 0xFF80_8080 }
        for (x, y) in [(0, 0), (149, 130), (80, 3), (37, 99), (149, 0)] {
            var changed = original
            changed[x, y] = 0xFFFF_FFFF
            // Many small differences do not outweigh a large one.
            for column in 0..<150 { changed[column, 60] = 0xFF81_8080 }
            let place = DetailPlace.greatestDifference(original, changed, side: 48)
            #expect(place.isInside(size) && place.size == PixelSize(width: 48, height: 48))
            #expect((place.x..<place.x + 48).contains(x) && (place.y..<place.y + 48).contains(y), "\(place)")
        }
    }

    /// Block sums do not underflow and the place is inside the image, for any size.
    @Test func placesLieInTheImage() throws {
        var generator = SeededGenerator(seed: 4)
        for seed in 0..<40 as Range<UInt64> {
            let (width, height) = (Int.random(in: 1...90, using: &generator), Int.random(in: 1...90, using: &generator))
            let images = (
                try PixelBuffer.random(width: width, height: height, seed: seed),
                try PixelBuffer.random(width: width, height: height, seed: seed + 100)
            )
            let side = Int.random(in: 1...100, using: &generator)
            let place = DetailPlace.greatestDifference(images.0, images.1, side: side)
            #expect(place.isInside(images.0.size))
            #expect(place.size == PixelSize(width: min(side, width), height: min(side, height)))
        }
    }

    // MARK: The budget

    @Test func pagesStaySmall() {
        for count in [1, 10, 26, 27, 100, 500, 1000, 2400, 100_000] {
            guard let budget = EvidenceBudget.forImages(count) else {
                #expect(count > 2400)
                continue
            }
            #expect(budget.byteLimit * count <= EvidenceBudget.pageBytes)
        }
        #expect(EvidenceBudget.forImages(0)?.detailQuality == nil)
        #expect(EvidenceBudget.forImages(500)?.detailSide != nil)
    }

    // MARK: Evidence

    private let budget = EvidenceBudget(wholeSide: 64, detailSide: 32, detailQuality: nil, byteLimit: 100_000)

    @Test func smallImagesAreShownAsTheyAre() throws {
        let original = try PixelBuffer.random(width: 40, height: 30)
        let evidence = try ComparisonImages(original, original, knownScore: nil, budget: budget)
        #expect(evidence.score == 100 && !evidence.isShrunk && evidence.detail == nil)
        #expect(evidence.whole.size == original.size && evidence.whole.before == evidence.whole.after)
        #expect(evidence.whole.before == (try EmbeddedImage(original, quality: nil).address))
    }

    @Test func largeImagesAreShrunkAndHaveADetail() throws {
        let original = try PixelBuffer.make(width: 200, height: 100) { x, y in 0xFF00_0000 | UInt32(x + y) }
        var result = original
        for x in 150..<160 { result[x, 50] = 0xFFFF_FFFF }
        let evidence = try ComparisonImages(original, result, knownScore: nil, budget: budget)
        #expect(evidence.isShrunk && evidence.whole.size == PixelSize(width: 64, height: 32))
        #expect(evidence.score == (try result.ssimulacra2(against: original)))
        let place = try #require(evidence.place)
        #expect(evidence.detail?.after == (try EmbeddedImage(result.cropped(to: place), quality: nil).address))
        #expect(evidence.detail?.before == (try EmbeddedImage(original.cropped(to: place), quality: nil).address))
        #expect(try ComparisonImages(original, result, knownScore: 12.5, budget: budget).score == 12.5)
    }

    @Test func otherSizesAreMadeEqual() throws {
        let original = try PixelBuffer.random(width: 80, height: 60)
        let result = try original.resized(to: PixelSize(width: 40, height: 30))
        let evidence = try ComparisonImages(original, result, knownScore: nil, budget: budget)
        #expect(evidence.size == result.size && evidence.score == 100)
    }

    // MARK: The page

    private func result(_ name: String, _ before: Int, _ after: Int, _ status: FileResult.Status) -> FileResult {
        var result = FileResult(input: FilePath(name))
        (result.inputBytes, result.outputBytes, result.status) = (before, after, status)
        return result
    }

    @Test func everyFileHasARowAndACard() {
        var page = ReportPage(title: "<i>")
        var failed = result("<script>.jpg", 500, 0, .failed)
        failed.error = .missingFile("</p>")
        failed.warnings = ["<u>"]
        let results = [result("a\"b.jpg", 2000, 500, .written), failed, result("c.jpg", 0, 0, .skipped)]
        page.entries = results.enumerated().map { ReportPage.Entry(index: $0, result: $1) }
        let text = String(decoding: page.bytes(), as: UTF8.self)
        #expect(text.components(separatedBy: "<tr ").count == 4 && text.components(separatedBy: "<article ").count == 4)
        #expect(text.components(separatedBy: "<script").count == 2 && text.contains("data-name=\"a&quot;b.jpg\""))
        #expect(text.contains("2.0 KB → <b>500 B</b> −75 %") && text.contains("1 failed") && text.contains("1 skipped"))
        #expect(text.contains("no such file: &lt;/p&gt;") && text.contains("&lt;u&gt;") && !text.contains("<u>"))
        // One bar: only written files are shown.
        #expect(text.components(separatedBy: "<rect").count == 3)
    }

    @Test(arguments: [
        (["a/b/c.jpg", "a/b/d/e.jpg"], ["c.jpg", "d/e.jpg"]), (["a/bc.jpg", "a/bd.jpg"], ["bc.jpg", "bd.jpg"]),
        (["a/b.jpg"], ["b.jpg"]), (["/a.jpg", "b.jpg"], ["/a.jpg", "b.jpg"]),
    ]) func theSharedFolderIsNamedOnce(names: [String], shown: [String]) {
        var page = ReportPage(title: "")
        page.entries = names.enumerated().map { ReportPage.Entry(index: $0, result: result($1, 1, 1, .written)) }
        let text = String(decoding: page.bytes(), as: UTF8.self)
        let rows = text.matches(of: /<tr data-name="([^"]*)"/).map { String($0.1) }
        #expect(rows == shown)
    }

    @Test func manyImagesShareBars() {
        let entries = (0..<1000).map { index in
            ReportPage.Entry(index: index, result: result("\(index).jpg", 1000 + index, 100, .written))
        }
        let text = ReportChart(entries).text
        #expect(text.components(separatedBy: "<rect").count - 1 == 2 * 250)
        #expect(text.contains("<title>999.jpg and 3 more: 8.0 KB → 400 B (−95 %)</title>"))
        #expect(ReportChart([]).text == "")
    }
}
