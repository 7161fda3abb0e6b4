import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelSheets

/// The layout of images on pages.
@Suite struct SheetLayoutTests {
    private func pages(
        _ count: Int, longestSide: Int = 1_000_000, pixelLimit: Int = .max,
        _ change: (inout SheetStyle) -> Void = { _ in }
    ) throws(TexelError) -> [SheetLayout] {
        var style = SheetStyle()
        style.cell = PixelSize(width: 40, height: 30)
        style.gap = 3
        style.margin = 5
        change(&style)
        return try SheetLayout.pages(
            style, count: count, lineHeight: 10, longestSide: longestSide, pixelLimit: pixelLimit)
    }

    /// For any style, boxes are disjoint and inside the page, and there is one for every image.
    @Test func boxesNeitherTouchNorLeaveThePage() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let count = Int.random(in: 1...60, using: &generator)
            let pages = try pages(count, longestSide: 700) { style in
                style.columns = .random(in: 1...9, using: &generator)
                style.gap = .random(in: 0...9, using: &generator)
                style.margin = .random(in: 0...9, using: &generator)
                style.caption = Bool.random(using: &generator) ? try? CaptionTemplate("{name}\n{bytes}") : nil
            }
            let slots = pages.reduce(0) { $0 + $1.slotCount }
            #expect(slots >= count && slots - count < (pages.last?.columns ?? 0))
            for page in pages {
                #expect(max(page.size.width, page.size.height) <= 700)
                var taken: Set<[Int]> = []
                for slot in 0..<page.slotCount {
                    let box = page.box(slot)
                    #expect(box.isInside(page.size))
                    for corner in [[box.x, box.y], [box.x + box.width - 1, box.y + box.height - 1]] {
                        #expect(taken.insert(corner).inserted)
                    }
                }
            }
        }
    }

    @Test func sizesAreThoseOfTheParts() throws {
        let page = try pages(5) { $0.columns = 2 }
        #expect(page.map(\.size) == [PixelSize(width: 5 + 40 + 3 + 40 + 5, height: 5 + 3 * 30 + 2 * 3 + 5)])
        #expect(page[0].box(3) == PixelRectangle(x: 48, y: 38, width: 40, height: 30))
        let captioned = try pages(1) { $0.caption = try? CaptionTemplate("a\nb") }
        #expect(captioned[0].size == PixelSize(width: 50, height: 5 + 30 + SheetLayout.captionGap + 20 + 5))
    }

    @Test func fewImagesMakeNarrowPages() throws {
        #expect(try pages(2).map(\.columns) == [2])
        #expect(try pages(100).map(\.columns) == [6])
    }

    @Test func whatDoesNotFitGoesToTheNextPage() throws {
        let limited = try pages(7, pixelLimit: 6000) { $0.columns = 2 }
        #expect(limited.map(\.rows) == [1, 1, 1, 1])
        #expect(try pages(7) { style in (style.columns, style.rows) = (2, 3) }.map(\.rows) == [3, 1])
    }

    @Test func impossiblePagesAreRefused() {
        #expect(throws: TexelError.pageTooLarge(PixelSize(width: 50, height: 40))) { try pages(1, longestSide: 49) }
        #expect(throws: TexelError.pageTooLarge(PixelSize(width: 50, height: 139))) {
            try pages(4, longestSide: 120) { style in (style.columns, style.rows) = (1, 4) }
        }
    }

    @Test func pagesAreNumberedFromTheSecond() {
        #expect(ContactSheet.path("a/sheet.png", page: 0) == "a/sheet.png")
        #expect(ContactSheet.path("a/sheet.png", page: 1) == "a/sheet-2.png")
        #expect(ContactSheet.path("sheet", page: 2) == "sheet-3")
    }
}
