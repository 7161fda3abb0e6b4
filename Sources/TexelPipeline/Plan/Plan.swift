public import TexelCodecs
import TexelFormats
public import TexelPixels

/// The way an image is processed.
public enum Route: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only metadata changes; no pixel is touched.
    case passthrough
    /// The samples are compressed again, at their own bit depth and with all frames of an animation; or the coefficients
    /// are coded again.
    case recompress
    /// Coefficients are moved; nothing is quantised again.
    case losslessTransform = "lossless-transform"
    /// Luma and chroma planes flow from the decoder through the filter to the encoder, without becoming pixels.
    case planar
    /// Rows flow from the decoder through the filter; the source image is never in memory as a whole.
    case streaming
    /// The whole image is decoded into one pixel buffer.
    case buffered
}

/// How one recipe is carried out for one image.
public struct Plan: Sendable {
    /// The way the image is processed.
    public let route: Route
    /// What the plan makes.
    package let result: PlanResult
    /// The format of the result; `nil` for pixels.
    public var format: ImageFormat? { result.format }
    /// The size of the result.
    public let outputSize: PixelSize
    /// The size of the result without cutting off partial blocks.
    let untrimmedSize: PixelSize
    /// The largest size that any operation produces, including intermediate ones.
    package let largestSize: PixelSize
    /// The factor by which the decoder divides both sides.
    public let shrink: Int
    /// The frame of an animation to decode, from 0; `nil` for the default image.
    let frame: Int?
    /// Bytes in memory while the plan runs, without the input itself.
    public let estimatedBytes: Int
    /// The EXIF orientation of the written pixels: identity once it has been applied.
    public let writtenOrientation: Orientation
    /// Whether the geometry, colours or format change, so that the input's pixel data cannot be kept.
    public let changesPixels: Bool
    /// Whether only the colours change, because the profile is not written.
    let changesOnlyColors: Bool

    /// The lossless moves after the load: orientation, flips and quarter turns. On the planar route they are not
    /// among ``steps``.
    let moves: Orientation
    /// What is read, and the resize that is done while reading.
    package let load: Load
    /// What is done with the pixels after the load, in order.
    package let steps: [Step]
    /// How the result is encoded: as in the recipe, with less effort for very large images.
    let output: OutputOptions
    /// The input's own quantisation, if its pixels are moved and encoded again and no quality is given.
    let quantization: DCTQuantization?
    /// The encoder's options; `nil` for pixels.
    let encoding: ImageEncoding?
    /// How colours are reduced; `nil` if they are not.
    let palette: PaletteOptions?
    /// Whether moving the coefficients gives the result.
    let losslessTransform: LosslessTransform
    /// Whether rows of the stored image are columns of the result.
    let turnsSides: Bool

    /// The bytes of the pixels after the load.
    var imageBytes: Int {
        let size =
            switch load {
            case .decode(let rectangle): rectangle.size
            case .resample(let resampling): resampling.target
            }
        return (size.pixelCount ?? 0) * PixelBuffer.bytesPerPixel
    }

    /// What is done while rows are decoded. Coordinates are the stored image's, before shrinking.
    package enum Load: Sendable, Hashable {
        /// Decodes the image and keeps this rectangle.
        case decode(PixelRectangle)
        /// Passes the rows of a rectangle through the filter.
        case resample(Resampling)
    }

    /// A resize of a part of an image.
    package struct Resampling: Sendable, Hashable {
        /// The pixels that the filter may read.
        package var bounds: PixelRectangle
        /// The part of them that is sampled, relative to the origin of `bounds`.
        package var sampled: FractionalRectangle
        /// The size of the result in pixels.
        package var target: PixelSize
        package var filter: ResamplingFilter
        package var usesLinearLight: Bool
        /// The order of the two passes, in the stored image.
        package var order: PassOrder
    }

    /// An operation on the pixel buffer after the load.
    package enum Step: Sendable, Hashable {
        case convertToSRGB
        /// Omits a profile that is equivalent to sRGB.
        case labelAsSRGB
        case orient(Orientation)
        case crop(PixelRectangle)
        case resize(Resampling)
        /// Puts the image into this rectangle of a canvas of this size.
        case pad(PixelSize, PixelRectangle, PixelColor)
        case rotate(degrees: Double, filter: ResamplingFilter, background: PixelColor)
        case turn(Attitude, filter: ResamplingFilter, background: PixelColor)
        case flatten(PixelColor)

        /// Whether the result is written to a new buffer.
        var copiesPixels: Bool {
            switch self {
            case .flatten, .labelAsSRGB: false
            case .convertToSRGB, .orient, .crop, .resize, .pad, .rotate, .turn: true
            }
        }

        /// Whether the result's pixels are weighted means of several pixels.
        var mixesPixels: Bool {
            switch self {
            case .resize, .rotate, .turn: true
            case .convertToSRGB, .labelAsSRGB, .orient, .crop, .pad, .flatten: false
            }
        }
    }
}

extension Plan: CustomStringConvertible {
    /// Describes the plan in a few lines, for `--explain`.
    public var description: String {
        var lines = ["route: \(route.rawValue) (\(reason))"]
        if case .impossible(let obstacle) = losslessTransform, route != .passthrough {
            lines.append("not \(Route.losslessTransform.rawValue): \(obstacle)")
        }
        if let frame { lines.append("frame: \(frame)") }
        switch load {
        case .decode where route == .losslessTransform: lines.append("load: all coefficients")
        case .decode where route == .recompress:
            lines.append("load: \(recompressing?.recompressedData ?? "")")
        case .decode: lines.append("load: all pixels")
        case .resample(let resampling):
            lines.append("load: decode scale 1/\(shrink)")
            lines.append("resize: \(resampling.bounds) → \(resampling.target), \(resampling.summary(shrink: shrink))")
        }
        if route == .planar, moves != .identity { lines.append("then: move samples (\(moves))") }
        for step in steps { lines.append("then: \(step.summary)") }
        if let palette {
            let condition = palette.quality.map { " if that reaches quality \($0)" } ?? ""
            lines.append("palette: at most \(palette.colors) colours\(condition)")
        }
        lines.append("result: \(outputSize) \(format?.rawValue ?? "pixels")\(ownQuality)")
        lines.append("memory: about \(estimatedBytes / 1_000_000) MB")
        return lines.joined(separator: "\n")
    }

    private var recompressing: (any RecompressingCodec)? { format?.codec as? any RecompressingCodec }

    private var ownQuality: String {
        quantization.map { ", with the input's own quantisation (quality about \($0.nearestQuality))" } ?? ""
    }

    private var reason: String {
        switch route {
        case .passthrough: "no pixel changes"
        case .recompress: recompressing?.recompressionReason ?? ""
        case .losslessTransform: "whole blocks are moved"
        case .planar: "planes are kept without colour conversion"
        case .streaming: "the resize reads rows from top to bottom"
        case .buffered: "all pixels are decoded before the next step"
        }
    }
}

extension Plan.Resampling {
    /// The filter, and how many source pixels it reads horizontally and vertically.
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
        case .labelAsSRGB: "omit the profile, which is equivalent to sRGB"
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
