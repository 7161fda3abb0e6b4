import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG

/// Whether frames leave parts of a canvas transparent.
@Suite struct CanvasCoverageTests {
    private let canvas = PixelSize(width: 8, height: 6)

    private func frame(
        _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ disposal: AnimationFrame.Disposal = .none,
        _ blending: AnimationFrame.Blending = .over
    ) -> AnimationFrame {
        AnimationFrame(
            area: PixelRectangle(x: x, y: y, width: width, height: height), delay: FrameDelay(1, 10),
            disposal: disposal, blending: blending)
    }

    private func isComplete(_ frames: (frame: AnimationFrame, isOpaque: Bool)...) -> Bool {
        CanvasCoverage.isAlwaysComplete(canvas, frames)
    }

    @Test func opaqueFramesMustCoverTheCanvas() {
        let whole = frame(0, 0, 8, 6)
        let part = frame(2, 1, 3, 3)
        #expect(isComplete((whole, true), (part, true), (part, false)))
        #expect(!isComplete((whole, false)))
        #expect(!isComplete((part, true), (whole, true)))
        #expect(!isComplete((whole, true), (frame(2, 1, 3, 3, .none, .source), false)))
    }

    @Test func disposedAreasMustBeCoveredAgain() {
        let whole = frame(0, 0, 8, 6)
        let cleared = frame(2, 1, 3, 3, .background)
        // The last frame is not disposed of.
        #expect(isComplete((whole, true), (cleared, true)))
        #expect(!isComplete((whole, true), (cleared, true), (frame(0, 0, 1, 1), true)))
        #expect(!isComplete((whole, true), (cleared, true), (frame(2, 1, 4, 3), false)))
        #expect(isComplete((whole, true), (cleared, true), (frame(2, 1, 4, 3), true)))
        #expect(isComplete((frame(0, 0, 8, 6, .background), true), (whole, true)))
        // What was there before the first frame is transparent.
        #expect(!isComplete((frame(0, 0, 8, 6, .previous), true), (frame(0, 0, 1, 1), true)))
        #expect(isComplete((whole, true), (frame(1, 1, 1, 1, .previous), true), (frame(0, 0, 1, 1), true)))
    }

    /// An animated PNG without an alpha channel is not opaque if its canvas shows.
    @Test(arguments: [UInt8(0), 1]) func animatedPNGWithVisibleCanvasHasAlpha(disposal: UInt8) throws {
        let file = try PixelBuffer(width: 3, height: 7, filledWith: 0xFF10_2030, alphaMode: .opaque)
            .encoded(as: .png(PNGOptions(reducesLosslessly: false)))
        let big = HandmadePNG.bigEndian
        func control(_ number: UInt32, _ height: UInt32) -> [UInt8] {
            HandmadePNG.chunk(
                "fcTL", big(number) + big(3) + big(height) + big(0) + big(0) + [0, 1, 0, 10, disposal, 0])
        }
        let small = try PixelBuffer(width: 3, height: 2, filledWith: 0xFF50_6070, alphaMode: .opaque)
            .encoded(as: .png(PNGOptions(reducesLosslessly: false)))
        var bytes = HandmadePNG.inserting(HandmadePNG.chunk("acTL", big(2) + big(0)) + control(0, 7), into: file)
        let second =
            control(1, 2) + HandmadePNG.chunk("fdAT", big(2) + HandmadePNG.data(of: "IDAT", in: small))
        bytes.insert(contentsOf: second, at: bytes.count - 12)
        let source = try bytes.source()
        #expect(source.info.colorModel == .rgb)
        #expect(source.info.hasAlpha == (disposal == 1))
    }
}
