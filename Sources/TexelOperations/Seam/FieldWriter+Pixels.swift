package import TexelPixels

extension FieldWriter {
    package mutating func append(_ rule: ResizeRule) {
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

    package mutating func append(_ rectangle: PixelRectangle) {
        append(rectangle.x)
        append(rectangle.y)
        append(rectangle.size)
    }

    package mutating func append(_ size: PixelSize) {
        append(size.width)
        append(size.height)
    }

    package mutating func append(_ attitude: Attitude) {
        append(attitude.yaw)
        append(attitude.pitch)
        append(attitude.roll)
    }

    package mutating func append(_ color: PixelColor) {
        append(fixed: [color.red, color.green, color.blue, color.alpha])
    }
}
