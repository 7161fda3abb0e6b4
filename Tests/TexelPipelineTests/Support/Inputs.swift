import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelOperations
import TexelPNG
import TexelPixels
@testable import TexelPipeline

/// Makes inputs for tests, and examines results.
enum Input {
    /// A file whose stored pixels are `image`.
    static func source(
        _ image: PixelBuffer, _ format: ImageFormat = .png, orientation: Orientation = .identity
    ) throws -> any ImageFile {
        let encoding: ImageEncoding = format == .png ? .png(PNGOptions(effort: .fast)) : .jpeg(JPEGOptions())
        let metadata = WrittenMetadata(
            exif: TestEXIF.block(orientation: orientation), density: PixelDensity(jfifUnit: 1, x: 300, y: 200))
        return try CodecRegistry.shared.open(InputBytes(try image.encoded(as: encoding, metadata: metadata)))
    }

    /// The header of a JPEG without pixels, which is enough for the planner.
    ///
    /// - Parameters:
    ///   - process: the marker of the frame header.
    ///   - sampling: the factors of luma; those of chroma are 1.
    static func jpegHeader(_ size: PixelSize, process: UInt8 = 0xC0, sampling: UInt8 = 0x22) throws -> ImageInfo {
        func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
        let frame: [UInt8] = [3, 1, sampling, 0, 2, 0x11, 1, 3, 0x11, 1]
        let bytes =
            [0xFF, 0xD8, 0xFF, process, 0, 17, 8] + word(size.height) + word(size.width) + frame + [0xFF, 0xDA]
        return try CodecRegistry.shared.open(InputBytes(bytes)).info
    }
}

extension ImageFile {
    func plan(_ recipe: Recipe) throws -> Plan {
        try Planner.plan(recipe, for: info, to: .file(recipe.output.format ?? info.format))
    }

    func processed(_ recipe: Recipe) throws -> EncodedImage {
        try plan(recipe).file(RouteContext(self))
    }
}

extension EncodedImage {
    var source: any ImageFile {
        get throws { try CodecRegistry.shared.open(InputBytes(bytes)) }
    }

    /// The pixels as stored.
    var image: PixelBuffer {
        get throws { try source.decodedAsStored().image }
    }
}

extension PixelOperation {
    /// The reference result of the operation, which the planner must match.
    func applied(to image: PixelBuffer, background: PixelColor) throws -> PixelBuffer {
        switch value {
        case let crop as CropOperation: return try image.cropped(to: crop.rectangle)
        case let flip as FlipOperation:
            return try image.oriented(flip.axis == .horizontal ? .flippedHorizontally : .flippedVertically)
        case let rotation as RotateOperation:
            return try image.rotated(by: rotation.degrees, filter: rotation.filter, background: background)
        case let turn as TurnOperation:
            return try image.inPerspective(turn.rotation, filter: turn.filter, background: background)
        case let flattening as FlattenOperation: return try image.flattened(on: flattening.color)
        case let options as ResizeOptions:
            let plan = try options.rule.plan(for: image.size)
            if plan.isIdentity { return image }
            let resized = try image.resized(
                from: plan.sampledRectangle, to: plan.imageSize, filter: options.filter,
                linearLight: options.usesLinearLight)
            guard plan.isPadded else { return resized }
            return try resized.padded(to: plan.canvasSize, at: plan.imageRectangle, background: background)
        default: throw TexelError.invalidTransform("no reference for \(value)")
        }
    }
}
