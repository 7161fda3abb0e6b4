import TexelCodecs
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
        append(options.trimsPartialBlocks)
        append(options.minimumGain)
        append(options.target)
    }

    mutating func append(_ target: EncodingTarget) {
        append(target.score) { $0.append($1) }
        append(target.byteLimit) { $0.append($1) }
        append(target.allowsSmaller)
        append(target.isBestEffort)
    }

    mutating func append(_ options: PaletteOptions) {
        append(options.colors)
        append(options.quality) { $0.append($1) }
        append(options.allowsLowerQuality)
    }

    mutating func append(_ operation: PixelOperation) {
        switch operation {
        case .crop(let rectangle):
            append("crop")
            append(rectangle)
        case .resize(let options):
            append("resize")
            append(options)
        case .flip(let axis):
            append("flip")
            append(axis)
        case .rotate(let degrees, let filter):
            append("rotate")
            append(degrees)
            append(filter)
        case .turn(let attitude, let filter):
            append("turn")
            append(attitude)
            append(filter)
        case .flatten(let color):
            append("flatten")
            append(color)
        }
    }

    mutating func append(_ options: ResizeOptions) {
        append(options.rule)
        append(options.filter)
        append(options.usesLinearLight)
    }

    mutating func append(_ rule: ResizeRule) {
        switch rule.target {
        case .box(let width, let height, let fit):
            append("box")
            append(width) { $0.append($1) }
            append(height) { $0.append($1) }
            append(fit)
        case .scale(let numerator, let denominator):
            append("scale")
            append(numerator)
            append(denominator)
        case .minimum(let width, let height):
            append("minimum")
            append(width) { $0.append($1) }
            append(height) { $0.append($1) }
        }
        append(rule.enlarges)
    }

    mutating func append(_ rectangle: PixelRectangle) {
        append(rectangle.x)
        append(rectangle.y)
        append(rectangle.size)
    }

    mutating func append(_ size: PixelSize) {
        append(size.width)
        append(size.height)
    }

    mutating func append(_ attitude: Attitude) {
        append(attitude.yaw)
        append(attitude.pitch)
        append(attitude.roll)
    }

    mutating func append(_ color: PixelColor) { append(fixed: [color.red, color.green, color.blue, color.alpha]) }
}
