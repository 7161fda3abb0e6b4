import Texel

/// How the colours of images change.
struct ToneOptions: OptionGroup {
    var temperature: Double?
    var exposure: Double?
    var normalize = false
    var levels: LevelsArgument?
    var clahe: Double?
    var brightness: Double?
    var contrast: Double?
    var gamma: Double?
    var curves: CurveArgument?
    var curvesRed: CurveArgument?
    var curvesGreen: CurveArgument?
    var curvesBlue: CurveArgument?
    var saturation: Double?
    var hue: Double?
    var colorMatrix: ColorMatrix?
    var lut: LUTArgument?
    var greyscale = false
    var sepia: Double?
    var tint: PixelColor?
    var negate = false
    var threshold: Double?

    static let options: [Option<Self>] = [
        .number(
            "temperature", \.temperature, .within(1667...25_000),
            help: "White balance in kelvin; 6500 is neutral."),
        .number(
            "exposure", \.exposure, .within(-20...20),
            help: "Exposure in stops."
        ).takingDashes,
        .flag(
            "normalize", \.normalize,
            help: "Stretch colours so that the darkest become black and the brightest white."),
        .argument(
            "levels", \.levels, "BLACK,WHITE[,GAMMA] from 0 to 255 such as \"10,245\" or \"10,245,1.2\"",
            help: "Stretch colours from BLACK,WHITE to 0 and 255, with a gamma if one is given: '10,245,1.2'."),
        .number(
            "clahe", \.clahe, .within(0...256),
            help: "Raise the contrast of each part of the image (CLAHE), at most by this factor."),
        .number(
            "brightness", \.brightness, .within(0...1000), help: "Brightness factor: 0 is black, 1 is unchanged."),
        .number(
            "contrast", \.contrast, .within(0...1000),
            help: "Contrast factor: 0 is flat grey, 1 is unchanged."),
        .number(
            "gamma", \.gamma, .within(0.01...100),
            help: "Raise colours to the power of 1 / gamma; more than 1 makes them lighter."),
        .argument(
            "curves", \.curves, "points such as \"0,0 128,150 255,255\"",
            help: "Change colours by a smooth curve through points such as '0,0 128,150 255,255'."),
        .argument(
            "curves-red", \.curvesRed, "points such as \"0,0 128,150 255,255\"",
            help: "The same for red only, before --curves."),
        .argument(
            "curves-green", \.curvesGreen, "points such as \"0,0 128,150 255,255\"", help: "The same for green only."),
        .argument(
            "curves-blue", \.curvesBlue, "points such as \"0,0 128,150 255,255\"", help: "The same for blue only."),
        .number(
            "saturation", \.saturation, .within(0...8),
            help: "Saturation factor: 0 is greyscale, 1 is unchanged."),
        .number("hue", \.hue, .finiteAngle, help: "Turn the hue by these degrees.").takingDashes,
        .argument(
            "color-matrix", \.colorMatrix, "12 numbers such as \"0,0,1,0 0,1,0,0 1,0,0,0\"",
            help: """
                Replace red, green and blue by weighted sums of them: for each the factors of red, green and blue and \
                an offset, in which 1 is white; 12 numbers.
                """
        ).takingDashes,
        .argument("lut", \.lut, "the path of a .cube file", help: "Replace colours through the table of a .cube file."),
        .flag("greyscale", \.greyscale, help: "Replace colours by greys of the same luma."),
        .number("sepia", \.sepia, .within(0...1), help: "Give colours the brown of old photographs: from 0 to 1."),
        .argument(
            "tint", \.tint, "a CSS colour such as \"sienna\" or \"#ff8800\"",
            help: "Replace colours by shades of this one."),
        .flag("negate", \.negate, help: "Invert colours."),
        .number(
            "threshold", \.threshold, .within(0...255),
            help: "Replace colours by black and white: white from this luma on, 0 to 255."),
    ]

    func checkMeaning() throws(OptionError) {
        if case .failure(let fault)? = lut?.table { throw OptionError("\(option: "lut"): \(fault.message)") }
    }

    var asksForSomething: Bool { lut != nil || !operations.isEmpty }

    /// The operations of the flags, in a fixed order: light first, colours next, then what replaces them.
    var operations: [PixelOperation] {
        var operations: [PixelOperation] = []
        if let temperature { operations.append(.temperature(kelvin: temperature)) }
        if let exposure { operations.append(.exposure(stops: exposure)) }
        if normalize { operations.append(.normalize()) }
        if let levels { operations += levels.operations }
        if let clahe { operations.append(.equalizeLocally(clipLimit: clahe)) }
        if let brightness { operations.append(.brightness(brightness)) }
        if let contrast { operations.append(.contrast(contrast)) }
        if let gamma { operations.append(.gamma(gamma)) }
        let channels = [curvesRed, curvesGreen, curvesBlue].map { $0?.points ?? [] }
        if curves != nil || !channels.allSatisfy(\.isEmpty) {
            operations.append(
                .curves(all: curves?.points ?? [], red: channels[0], green: channels[1], blue: channels[2]))
        }
        if let saturation { operations.append(.saturation(saturation)) }
        if let hue { operations.append(.hue(degrees: hue)) }
        if let colorMatrix { operations.append(.colorMatrix(colorMatrix)) }
        // A file that cannot be read is refused by the check of the options.
        if let table = try? lut?.table.get() { operations.append(.lut(table)) }
        if greyscale { operations.append(.greyscale()) }
        if let sepia { operations.append(.sepia(sepia)) }
        if let tint { operations.append(.tint(tint)) }
        if negate { operations.append(.negate) }
        if let threshold { operations.append(.threshold(threshold)) }
        return operations
    }
}
