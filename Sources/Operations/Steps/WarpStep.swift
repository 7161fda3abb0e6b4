import TexelCore
import TexelPixels

/// Renders an image of one size through a projective map: rotations by any angle, and turns in space.
struct WarpStep: RowStep {
    private let warp: Warp
    let summary: String

    init(_ warp: Warp, summary: String) {
        self.warp = warp
        self.summary = summary
    }

    var mixesPixels: Bool { true }

    func outputSize(of source: PixelSize) -> PixelSize { warp.canvasSize }

    func alphaMode(of source: AlphaMode) -> AlphaMode { warp.alphaMode(of: source) }

    func pass(for source: RasterShape) throws(TexelError) -> any StepPass { Pass(warp) }

    private final class Pass: StepPass {
        private let warp: Warp
        private let workspace: Warp.Workspace

        init(_ warp: Warp) {
            self.warp = warp
            workspace = Warp.Workspace(warp)
        }

        func run(rows: Range<Int>, from source: Raster, to destination: Raster) {
            warp.render(rows: rows, of: source, into: destination, workspace: workspace)
        }
    }
}
