import TexelPixels

extension PixelBuffer {
    /// The picture after one step of a plan.
    func applying(_ step: Plan.Step) throws(PixelBufferError) -> PixelBuffer {
        switch step {
        case .convertToSRGB: try convertedToSRGB()
        case .orient(let orientation): try oriented(orientation)
        case .crop(let rectangle): try cropped(to: rectangle)
        case .resize(let resampling):
            try resized(
                from: resampling.sampled, to: resampling.target, filter: resampling.filter,
                linearLight: resampling.usesLinearLight)
        case .pad(let size, let rectangle, let color): try padded(to: size, at: rectangle, background: color)
        case .rotate(let degrees, let filter, let background):
            try rotated(by: degrees, filter: filter, background: background)
        case .turn(let attitude, let filter, let background):
            try inPerspective(attitude, filter: filter, background: background)
        case .flatten(let color): alphaMode == .opaque ? self : try flattened(on: color)
        }
    }
}
