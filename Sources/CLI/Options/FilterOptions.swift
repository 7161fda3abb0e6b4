import Texel

/// How images are blurred, sharpened and cleaned of noise.
struct FilterOptions: OptionGroup {
    var median: Int?
    var blur: Double?
    var boxBlur: Int?
    var sharpen: SharpenArgument?

    static let options: [Option<Self>] = [
        .integer(
            "median", \.median, .medianSize,
            help: "Replace each pixel by the median of N x N pixels, which removes specks: 3, 5, 7 or 9."),
        .number("blur", \.blur, .within(0...1000), help: "Blur with a Gaussian of this standard deviation, in pixels."),
        .integer(
            "box-blur", \.boxBlur, .within(0...1000),
            help: "Replace each pixel by the mean of the pixels up to this distance."),
        .argument(
            "sharpen", \.sharpen, "AMOUNT[,RADIUS[,THRESHOLD]] such as \"0.8\" or \"0.8,1.5,2\"",
            help: "Sharpen with an unsharp mask: AMOUNT[,RADIUS[,THRESHOLD]], such as 0.8 or 0.8,1.5,2."),
    ]

    var asksForSomething: Bool { median != nil || blur != nil || boxBlur != nil || sharpen != nil }

    /// The operations of the flags, in a fixed order: what removes noise and details first.
    ///
    /// - Parameter usesLinearLight: whether a Gaussian blurs light instead of stored values.
    func operations(usesLinearLight: Bool) -> [PixelOperation] {
        var operations: [PixelOperation] = []
        if let median { operations.append(.median(size: median)) }
        if let blur { operations.append(.blur(sigma: blur, usesLinearLight: usesLinearLight)) }
        if let boxBlur { operations.append(.boxBlur(radius: boxBlur)) }
        if let sharpen {
            operations.append(
                .sharpen(amount: sharpen.amount, radius: sharpen.radius, threshold: sharpen.threshold))
        }
        return operations
    }
}
