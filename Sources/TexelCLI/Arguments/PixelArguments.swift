import ArgumentParser
import Texel

/// A rectangle in the form WIDTHxHEIGHT+X+Y, as in X11.
struct CropArgument: ExpressibleByArgument {
    let rectangle: PixelRectangle

    init?(argument: String) {
        let numbers = argument.split(omittingEmptySubsequences: false) { "x+".contains($0) }.map { Int($0) }
        guard numbers.count == 4 || numbers.count == 2, !numbers.contains(nil) else { return nil }
        let values = numbers.compactMap { $0 }
        guard values[0] > 0, values[1] > 0, argument.count(where: { $0 == "x" }) == 1 else { return nil }
        let (x, y) = values.count == 4 ? (values[2], values[3]) : (0, 0)
        guard x >= 0, y >= 0 else { return nil }
        rectangle = PixelRectangle(x: x, y: y, width: values[0], height: values[1])
    }
}

/// An unsharp mask in the form AMOUNT[,RADIUS[,THRESHOLD]].
struct SharpenArgument: ExpressibleByArgument {
    let amount: Double
    let radius: Double
    let threshold: Int

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= 3, let amount = Double(parts[0]), (0...10).contains(amount) else { return nil }
        let radius = parts.count > 1 ? Double(parts[1]) : 1
        let threshold = parts.count > 2 ? Int(parts[2]) : 0
        guard let radius, (0...1000).contains(radius), let threshold, (0...255).contains(threshold) else { return nil }
        self.amount = amount
        self.radius = radius
        self.threshold = threshold
    }
}

/// A size in the form WIDTHxHEIGHT.
struct SizeArgument: ExpressibleByArgument {
    let size: PixelSize

    init?(argument: String) {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else { return nil }
        size = PixelSize(width: width, height: height)
    }
}
