import TexelPixels

/// Renders an image through a projective map: rotations by any angle, and turns in space.
final class WarpPass: StepPass {
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
