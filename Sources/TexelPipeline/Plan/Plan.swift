public import TexelCodecs
public import TexelPixels

/// The way that a plan takes through the program.
public enum Route: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only metadata changes; no pixel is touched.
    case passthrough
    /// The samples of a PNG are compressed again, at their own bit depth and with all frames of an animation; the
    /// coefficients of a JPEG are coded again.
    case recompress
    /// The coefficients of a JPEG are moved; nothing is quantised again.
    case losslessTransform = "lossless-transform"
    /// A JPEG's planes flow from the decoder through the filter to the encoder, without becoming pixels.
    case planar
    /// Rows flow from the decoder through the filter; the whole picture is never in memory.
    case streaming
    /// The whole picture is decoded into one pixel buffer.
    case buffered
}

/// What the planner chose for one picture and one recipe.
public struct Plan: Sendable {
    public let route: Route
    /// The format of the result.
    public let format: ImageFormat
    /// The size of the result.
    public let outputSize: PixelSize
    /// The size of the result if no partial blocks were cut off.
    let untrimmedSize: PixelSize
    /// The largest size that an operation leaves on the way.
    package let largestSize: PixelSize
    /// By how much the JPEG decoder divides both sides: 1, 2, 4 or 8.
    public let shrink: Int
    /// Which frame of an animation is decoded, from 0; `nil` for the default image.
    let frame: Int?
    /// Bytes in memory while the plan runs, beside the input's own.
    public let estimatedBytes: Int
    /// How the pixels that are written lie: identity once the orientation is applied.
    public let writtenOrientation: Orientation
    /// Whether the geometry, the colours or the format change, so that the input's pixels cannot be kept.
    public let changesPixels: Bool
    /// Whether only the colours change, because their profile is left out.
    let changesOnlyColors: Bool

    /// The exact moves of pixels that follow the load: the orientation, flips and quarter turns. On the planar route
    /// they are no step.
    let moves: Orientation
    package let load: Load
    package let steps: [Step]
    /// How the result is written: as the recipe says, with less effort where the picture is very large.
    let output: OutputOptions
    /// The input's own quantisation, if its pixels are moved and encoded again without a quality.
    let quantization: JPEGQuantization?
    /// What becomes of the colours.
    let palette: PaletteOptions?
    /// Whether moving coefficients comes to the same.
    let losslessTransform: LosslessTransform
    /// Whether rows have become columns in the result.
    let turnsSides: Bool

    var jpegOptions: JPEGOptions {
        var options = output.jpegOptions
        options.quantization = quantization
        return options
    }

    var encoding: ImageEncoding { format == .jpeg ? .jpeg(jpegOptions) : output.encoding(format) }

    /// Bytes of the pixels that the load leaves.
    var pictureBytes: Int {
        let size =
            switch load {
            case .decode(let rectangle): rectangle.size
            case .resample(let resampling): resampling.target
            }
        return (size.pixelCount ?? 0) * PixelBuffer.bytesPerPixel
    }

    /// What happens while rows come from the decoder. All coordinates are the stored picture's, before shrinking.
    package enum Load: Sendable, Hashable {
        /// The whole picture, then this rectangle of it.
        case decode(PixelRectangle)
        /// Rows of this rectangle go through the filter.
        case resample(Resampling)
    }

    package struct Resampling: Sendable, Hashable {
        /// The pixels that the filter may see.
        package var bounds: PixelRectangle
        /// The part of them that is seen, relative to their origin.
        package var sampled: FractionalRectangle
        package var target: PixelSize
        package var filter: ResamplingFilter
        package var usesLinearLight: Bool
        /// Of the passes, in the stored picture.
        package var order: PassOrder
    }

    /// What happens to the pixel buffer afterwards.
    package enum Step: Sendable, Hashable {
        case convertToSRGB
        /// Leaves out a profile whose colours are those of sRGB.
        case labelAsSRGB
        case orient(Orientation)
        case crop(PixelRectangle)
        case resize(Resampling)
        /// Puts the picture on a canvas of this size at this place.
        case pad(PixelSize, PixelRectangle, PixelColor)
        case rotate(degrees: Double, filter: ResamplingFilter, background: PixelColor)
        case turn(Attitude, filter: ResamplingFilter, background: PixelColor)
        case flatten(PixelColor)

        /// Whether the result lies somewhere else than what it is made of.
        var copiesPixels: Bool {
            switch self {
            case .flatten, .labelAsSRGB: false
            case .convertToSRGB, .orient, .crop, .resize, .pad, .rotate, .turn: true
            }
        }

        /// Whether pixels of the result are means of several others.
        var mixesPixels: Bool {
            switch self {
            case .resize, .rotate, .turn: true
            case .convertToSRGB, .labelAsSRGB, .orient, .crop, .pad, .flatten: false
            }
        }
    }
}

extension Plan: CustomStringConvertible {
    /// A few lines for `--explain`.
    public var description: String {
        var lines = ["route: \(route.rawValue) (\(reason))"]
        if case .impossible(let obstacle) = losslessTransform, route != .passthrough {
            lines.append("not \(Route.losslessTransform.rawValue): \(obstacle)")
        }
        if let frame { lines.append("frame: \(frame)") }
        switch load {
        case .decode where route == .losslessTransform: lines.append("load: every coefficient")
        case .decode where route == .recompress:
            lines.append(format == .jpeg ? "load: every coefficient" : "load: every sample, at its own depth")
        case .decode: lines.append("load: every pixel")
        case .resample(let resampling):
            lines.append("load: DCT scale 1/\(shrink)")
            lines.append("resize: \(resampling.bounds) → \(resampling.target), \(resampling.summary(shrink: shrink))")
        }
        if route == .planar, moves != .identity { lines.append("then: move samples (\(moves))") }
        for step in steps { lines.append("then: \(step.summary)") }
        if let palette {
            let condition = palette.quality.map { ", if they are enough for quality \($0)" } ?? ""
            lines.append("palette: at most \(palette.colors) colours\(condition)")
        }
        lines.append("result: \(outputSize) \(format.rawValue)\(ownQuality)")
        lines.append("memory: about \(estimatedBytes / 1_000_000) MB")
        return lines.joined(separator: "\n")
    }

    private var ownQuality: String {
        quantization.map { ", with the input's own quantisation (quality about \($0.nearestQuality))" } ?? ""
    }

    private var reason: String {
        switch route {
        case .passthrough: "nothing asks for new pixels"
        case .recompress where format == .jpeg: "every coefficient stays as it is"
        case .recompress: "no sample changes, and 8 bits or one frame would not hold them all"
        case .losslessTransform: "pixels are only moved, by whole blocks"
        case .planar: "a JPEG becomes a JPEG, and nothing asks for its colours"
        case .streaming: "the resize reads rows from top to bottom"
        case .buffered: "no resize comes first that would make the picture smaller while it is read"
        }
    }
}

extension Plan.Resampling {
    /// The filter, and how many pixels it sees across and down.
    fileprivate func summary(shrink: Int) -> String {
        func taps(_ source: Double, _ target: Int) -> Int {
            let scale = source / Double(shrink) / Double(target)
            return scale == 1 || filter == .nearest ? 1 : Int((2 * filter.support * max(1, scale)).rounded(.up))
        }
        let size = "\(taps(sampled.width, target.width))×\(taps(sampled.height, target.height)) taps"
        return "\(filter.rawValue), \(size)" + (usesLinearLight ? ", linear light" : "")
    }
}

extension Plan.Step {
    fileprivate var summary: String {
        switch self {
        case .convertToSRGB: "convert to sRGB"
        case .labelAsSRGB: "leave out the profile, which is sRGB's"
        case .orient(let orientation): "move pixels (\(orientation))"
        case .crop(let rectangle): "crop \(rectangle)"
        case .resize(let resampling): "resize to \(resampling.target), \(resampling.filter.rawValue)"
        case .pad(let size, _, _): "pad to \(size)"
        case .rotate(let degrees, _, _): "rotate by \(degrees)°"
        case .turn: "perspective"
        case .flatten: "flatten"
        }
    }
}
