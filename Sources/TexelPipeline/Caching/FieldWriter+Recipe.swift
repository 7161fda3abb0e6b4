import TexelCodecs
package import TexelOperations
import TexelPixels

// The canonical bytes of a recipe: equal recipes have equal bytes, different ones have different bytes, on every
// machine and in every process. Enumeration cases are written by name, because their order may change.

extension FieldWriter {
    package mutating func append(_ recipe: Recipe) {
        append(recipe.operations.count)
        for operation in recipe.operations { append(operation) }
        append(recipe.output)
        append(recipe.appliesOrientation)
        append(recipe.frame) { $0.append($1) }
        // As for the colour space.
        if recipe.dithers { append("dithers") }
        if recipe.keepsAllParts { append("keepsAllParts") }
    }

    mutating func append(_ options: OutputOptions) {
        append(options.format) { $0.append($1) }
        append(options.quality) { $0.append($1) }
        append(options.subsampling)
        append(options.palette) { $0.append($1) }
        append(options.isProgressive) { $0.append($1) }
        append(options.effort)
        append(options.metadata)
        append(options.background) { $0.append($1) }
        append(options.compresses)
        append(options.keepsSmallerOriginal)
        append(options.isLossless)
        append(options.nearLossless) { $0.append($1) }
        append(options.alphaQuality) { $0.append($1) }
        append(options.trimsPartialBlocks)
        append(options.minimumGain)
        append(options.target)
        // These only if they are set, so that other recipes keep their keys. A recipe continues with a Boolean, which
        // is never the first byte of a text of such a length.
        if let colorSpace = options.colorSpace { append(colorSpace) }
        if let density = options.density {
            append("density")
            append(density)
        }
    }

    mutating func append(_ colorSpace: ColorSpace) {
        switch colorSpace {
        case .sRGB: append("sRGB")
        case .calibrated(let calibration):
            append("calibrated")
            append(calibration.gamma.map(Int.init)) { $0.append($1) }
            append(calibration.chromaticities?.coordinates.map(Int.init)) { writer, coordinates in
                for coordinate in coordinates { writer.append(coordinate) }
            }
        case .codePoints(let points):
            append("codePoints")
            append(points.primaries)
            append(points.transfer)
            append(points.isFullRange)
        case .iccProfile(let profile):
            append("iccProfile")
            append(profile.bytes)
        }
    }

    mutating func append(_ density: PixelDensity) {
        for value in [density.horizontal, density.vertical] {
            append(Int(value.numerator))
            append(Int(value.denominator))
        }
        switch density.unit {
        case .perInch: append("inch")
        case .perCentimetre: append("centimetre")
        case .perMetre: append("metre")
        case .aspectRatio: append("ratio")
        }
    }

    mutating func append(_ target: EncodingTarget) {
        append(target.score) { $0.append($1) }
        append(target.metric)
        append(target.byteLimit) { $0.append($1) }
        append(target.allowsSmaller)
        append(target.isBestEffort)
    }

    mutating func append(_ options: PaletteOptions) {
        append(options.colors)
        append(options.quality) { $0.append($1) }
        append(options.allowsLowerQuality)
    }
}
