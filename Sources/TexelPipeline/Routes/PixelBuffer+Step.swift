import TexelPixels

extension PixelBuffer {
    /// Applies one step of a plan.
    mutating func apply(_ step: Plan.Step) throws(PixelBufferError) {
        switch step {
        case .convertToSRGB: self = try convertedToSRGB()
        case .labelAsSRGB: colorSpace = .sRGB
        case .orient(let orientation): self = try oriented(orientation)
        case .crop(let rectangle): self = try cropped(to: rectangle)
        case .resize(let resampling):
            self = try resized(
                from: resampling.sampled, to: resampling.target, filter: resampling.filter,
                linearLight: resampling.usesLinearLight)
        case .pad(let size, let rectangle, let color): self = try padded(to: size, at: rectangle, background: color)
        case .rotate(let degrees, let filter, let background):
            self = try rotated(by: degrees, filter: filter, background: background)
        case .turn(let attitude, let filter, let background):
            self = try inPerspective(attitude, filter: filter, background: background)
        case .flatten(let color): flatten(on: color)
        }
    }
}
