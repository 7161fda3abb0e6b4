import TestSupport
import TexelCore
import TexelPixels
import Testing

/// Returns sizes from a seeded generator: small ones, photographs, strips, and sides up to 10⁹.
private func randomSizes(_ count: Int, seed: UInt64) -> [PixelSize] {
    var generator = SeededGenerator(seed: seed)
    func side() -> Int {
        let limit = [3, 20, 5000, 65_535, 1_000_000_000].randomElement(using: &generator) ?? 1
        return Int.random(in: 1...limit, using: &generator)
    }
    return (0..<count).map { _ in PixelSize(width: side(), height: side()) }
}

private func size(
    _ width: Int, _ height: Int, _ target: ResizeRule.Target, enlarges: Bool = false
) throws -> PixelSize {
    try ResizeRule(target, enlarges: enlarges).plan(for: PixelSize(width: width, height: height)).canvasSize
}

@Suite struct ResizeRuleTests {
    private let pairs = Array(zip(randomSizes(3000, seed: 1), randomSizes(3000, seed: 2)))

    private func plan(
        _ source: PixelSize, _ box: PixelSize, _ fit: Fit, enlarges: Bool
    ) throws -> ResizePlan {
        try ResizeRule(.box(width: box.width, height: box.height, fit: fit), enlarges: enlarges).plan(for: source)
    }

    // MARK: Tables

    @Test func minimumFollowsFlutterImageCompress() throws {
        #expect(try size(4032, 3024, .minimum(width: 1920, height: 1920)) == PixelSize(width: 2560, height: 1920))
        #expect(try size(4000, 2000, .minimum(width: 1920, height: 1080)) == PixelSize(width: 2160, height: 1080))
        #expect(try size(3024, 4032, .minimum(width: 1920, height: 1920)) == PixelSize(width: 1920, height: 2560))
        #expect(try size(1000, 4000, .minimum(width: 1920, height: 1080)) == PixelSize(width: 1000, height: 4000))
        // 1333 / (1000 / 500) is 666.5 and is truncated.
        #expect(try size(1333, 1000, .minimum(width: 500, height: 500)) == PixelSize(width: 666, height: 500))
        #expect(try size(1333, 1000, .minimum(width: nil, height: 500)) == PixelSize(width: 666, height: 500))
        #expect(try size(5000, 1, .minimum(width: 1000, height: nil)) == PixelSize(width: 1000, height: 1))
        let enlarged = try size(100, 50, .minimum(width: 200, height: 200), enlarges: true)
        #expect(enlarged == PixelSize(width: 400, height: 200))
    }

    @Test(arguments: [
        (Fit.inside, 40, 30), (.outside, 53, 40), (.cover, 40, 40), (.contain, 40, 40), (.fill, 40, 40),
    ])
    func everyFitOfALandscape(fit: Fit, width: Int, height: Int) throws {
        let result = try size(400, 300, .box(width: 40, height: 40, fit: fit))
        #expect(result == PixelSize(width: width, height: height))
    }

    @Test func coverCutsTheMiddle() throws {
        let plan = try plan(
            PixelSize(width: 400, height: 300), PixelSize(width: 40, height: 40), .cover, enlarges: false)
        #expect(plan.sampledRectangle == FractionalRectangle(x: 50, y: 0, width: 300, height: 300))
        #expect(plan.isCropped && !plan.isPadded && !plan.keepsScale)
    }

    /// If a box crops only one side, no pixel is resampled, whether the image may grow or not.
    @Test(arguments: [false, true]) func coverAtTheSameScaleIsACrop(enlarges: Bool) throws {
        let plan = try plan(
            PixelSize(width: 16, height: 4), PixelSize(width: 16, height: 1), .cover, enlarges: enlarges)
        #expect(plan.sampledRectangle == FractionalRectangle(x: 0, y: 1, width: 16, height: 1))
        #expect(plan.keepsScale)
    }

    /// The result of a smaller image has the box's aspect ratio, and no pixel is resampled.
    @Test(arguments: [
        ((101, 30), (50, 50), (35, 0, 30, 30)), ((320, 240), (300, 300), (40, 0, 240, 240)),
        ((240, 320), (300, 300), (0, 40, 240, 240)), ((100, 100), (1600, 900), (0, 22, 100, 56)),
        ((100, 40), (320, 160), (10, 0, 80, 40)), ((10, 10), (10, 20), (2, 0, 5, 10)),
        ((1, 1), (1000, 1), (0, 0, 1, 1)),
    ])
    func coverOfASmallerImageKeepsTheRatio(
        source: (Int, Int), box: (Int, Int), kept: (x: Int, y: Int, width: Int, height: Int)
    ) throws {
        let plan = try plan(
            PixelSize(width: source.0, height: source.1), PixelSize(width: box.0, height: box.1), .cover,
            enlarges: false)
        #expect(plan.canvasSize == PixelSize(width: kept.width, height: kept.height))
        #expect(
            plan.sampledRectangle
                == FractionalRectangle(
                    x: Double(kept.x), y: Double(kept.y), width: Double(kept.width), height: Double(kept.height)))
        #expect(plan.keepsScale)
    }

    @Test func containPadsEvenly() throws {
        let plan = try plan(
            PixelSize(width: 400, height: 300), PixelSize(width: 40, height: 41), .contain, enlarges: false)
        #expect(plan.imageRectangle == PixelRectangle(x: 0, y: 5, width: 40, height: 30))
        #expect(plan.isPadded && !plan.isCropped)
    }

    @Test func containOfASmallerImageKeepsItsSize() throws {
        let plan = try plan(
            PixelSize(width: 10, height: 20), PixelSize(width: 41, height: 40), .contain, enlarges: false)
        #expect(plan.imageRectangle == PixelRectangle(x: 15, y: 10, width: 10, height: 20))
        #expect(plan.keepsScale && !plan.isIdentity)
    }

    @Test func oneSideLeadsTheOther() throws {
        for fit in Fit.allCases {
            #expect(try size(400, 300, .box(width: 200, height: nil, fit: fit)) == PixelSize(width: 200, height: 150))
            #expect(try size(400, 300, .box(width: nil, height: 30, fit: fit)) == PixelSize(width: 40, height: 30))
            #expect(try size(400, 300, .box(width: 800, height: nil, fit: fit)) == PixelSize(width: 400, height: 300))
            #expect(try size(400, 300, .box(width: nil, height: nil, fit: fit)) == PixelSize(width: 400, height: 300))
            let enlarged = try size(400, 300, .box(width: nil, height: 600, fit: fit), enlarges: true)
            #expect(enlarged == PixelSize(width: 800, height: 600))
        }
    }

    @Test func scaleRoundsToNearest() throws {
        #expect(try size(1999, 99, .scale(numerator: 70, denominator: 100)) == PixelSize(width: 1399, height: 69))
        #expect(try size(3, 1, .scale(numerator: 1, denominator: 100)) == PixelSize(width: 1, height: 1))
        #expect(try size(3, 1, .scale(numerator: 2, denominator: 1)) == PixelSize(width: 3, height: 1))
        #expect(try size(3, 1, .scale(numerator: 5, denominator: 2), enlarges: true) == PixelSize(width: 8, height: 3))
    }

    // MARK: Properties

    @Test func insideNeverExceedsItsBox() throws {
        for (source, box) in pairs {
            for enlarges in [false, true] {
                let plan = try plan(source, box, .inside, enlarges: enlarges)
                let result = plan.canvasSize
                #expect(result.isPositive && result.width <= box.width && result.height <= box.height)
                if enlarges { #expect(result.width == box.width || result.height == box.height) }
                expectAspectKept(source, plan.imageSize)
            }
        }
    }

    @Test func outsideReachesItsBox() throws {
        for (source, box) in pairs {
            let result = try? plan(source, box, .outside, enlarges: true).canvasSize
            guard let result else { continue }
            #expect(result.width >= box.width && result.height >= box.height)
            #expect(result.width == box.width || result.height == box.height)
            expectAspectKept(source, result)
        }
    }

    @Test func coverContainAndFillMeetTheBox() throws {
        for (source, box) in pairs {
            for fit in [Fit.cover, .contain, .fill] {
                #expect(try plan(source, box, fit, enlarges: true).canvasSize == box)
            }
            #expect(try plan(source, box, .contain, enlarges: false).canvasSize == box)
        }
    }

    @Test func whatIsSampledLiesInTheImageAndHasTheTargetsAspect() throws {
        for (source, box) in pairs {
            for enlarges in [false, true] {
                let plan = try plan(source, box, .cover, enlarges: enlarges)
                let sampled = plan.sampledRectangle
                #expect(sampled.x >= 0 && sampled.y >= 0 && sampled.width > 0 && sampled.height > 0)
                #expect(sampled.x + sampled.width <= Double(source.width))
                #expect(sampled.y + sampled.height <= Double(source.height))
                let scaleX = Double(plan.imageSize.width) / sampled.width
                let scaleY = Double(plan.imageSize.height) / sampled.height
                #expect(abs(scaleX / scaleY - 1) < 1e-9)
            }
        }
    }

    @Test func nothingGrowsUnlessAsked() throws {
        for (source, box) in pairs {
            for fit in Fit.allCases {
                let plan = try plan(source, box, fit, enlarges: false)
                #expect(Double(plan.imageSize.width) <= plan.sampledRectangle.width)
                #expect(Double(plan.imageSize.height) <= plan.sampledRectangle.height)
            }
            let minimum = ResizeRule(.minimum(width: box.width, height: box.height))
            let result = try minimum.plan(for: source).canvasSize
            #expect(result.width <= source.width && result.height <= source.height)
        }
    }

    @Test func minimumReachesItsBoxOnBothSides() throws {
        for (source, box) in pairs where source.width >= box.width && source.height >= box.height {
            let rule = ResizeRule(.minimum(width: box.width, height: box.height))
            let result = try rule.plan(for: source).canvasSize
            #expect(result.width >= box.width && result.height >= box.height)
            #expect(result.width == box.width || result.height == box.height)
        }
    }

    @Test func lyingOnTheSideChangesNothing() throws {
        for (source, box) in pairs {
            for fit in Fit.allCases {
                let upright = try plan(source, box, fit, enlarges: false)
                let turned = try plan(source.transposed, box.transposed, fit, enlarges: false)
                #expect(turned.canvasSize == upright.canvasSize.transposed)
                #expect(turned.imageSize == upright.imageSize.transposed)
            }
        }
    }

    @Test func ownSizeIsTheIdentity() throws {
        for (source, _) in pairs {
            for fit in Fit.allCases {
                #expect(try plan(source, source, fit, enlarges: true).isIdentity)
            }
        }
    }

    /// Expects that one side is exact and the other within half a pixel, or a single pixel.
    private func expectAspectKept(_ source: PixelSize, _ result: PixelSize) {
        let height = Double(source.height) * Double(result.width) / Double(source.width)
        let width = Double(source.width) * Double(result.height) / Double(source.height)
        let isKept =
            abs(height - Double(result.height)) <= 0.5 + height * 1e-12
            || abs(width - Double(result.width)) <= 0.5 + width * 1e-12
            || (result.height == 1 && height < 1) || (result.width == 1 && width < 1)
        #expect(isKept, "\(source) became \(result)")
    }

    // MARK: Refusals

    @Test func impossibleSizesAreRefused() {
        let source = PixelSize(width: 10, height: 10)
        for rule in [
            ResizeRule(.box(width: 0, height: 5, fit: .inside)), ResizeRule(.box(width: -3, height: nil, fit: .fill)),
            ResizeRule(.minimum(width: nil, height: 0)), ResizeRule(.scale(numerator: 0, denominator: 100)),
            ResizeRule(.scale(numerator: 1, denominator: 0)), ResizeRule(.scale(numerator: -1, denominator: -2)),
        ] {
            #expect(throws: TexelError.self) { try rule.plan(for: source) }
        }
        #expect(throws: TexelError.invalidSize(PixelSize(width: 0, height: 1))) {
            try ResizeRule(.scale(numerator: 1, denominator: 2)).plan(for: PixelSize(width: 0, height: 1))
        }
    }

    @Test(arguments: Fit.allCases)
    func hugeNumbersNeverTrap(fit: Fit) {
        for rule in [
            ResizeRule(.box(width: .max, height: .max, fit: fit), enlarges: true),
            ResizeRule(.box(width: .max, height: nil, fit: fit), enlarges: true),
            ResizeRule(.scale(numerator: .max, denominator: 1), enlarges: true),
            ResizeRule(.minimum(width: .max, height: .max), enlarges: true),
        ] {
            #expect(throws: TexelError.resultTooLarge) {
                try rule.plan(for: PixelSize(width: 1_000_000_000, height: 999_999_999))
            }
        }
    }
}
