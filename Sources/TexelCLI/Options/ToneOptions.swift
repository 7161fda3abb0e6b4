import ArgumentParser
import Texel

/// How the colours of images change.
struct ToneOptions: ParsableArguments {
    @Option(help: "Show the image in light of this colour temperature, in kelvin; 6500 changes nothing.")
    var temperature: Double?

    @Option(parsing: .unconditional, help: "Multiply light by 2 to this power, as a camera's exposure does.")
    var exposure: Double?

    @Flag(help: "Stretch colours so that the darkest become black and the brightest white.")
    var normalize = false

    @Option(
        help: "Stretch colours from BLACK,WHITE to 0 and 255, with a gamma if one is given: '10,245,1.2'.")
    var levels: LevelsArgument?

    @Option(help: "Raise the contrast of each part of the image (CLAHE), at most by this factor.")
    var clahe: Double?

    @Option(help: "Multiply colours: 0 is black, 1 changes nothing.")
    var brightness: Double?

    @Option(help: "Multiply the distance to middle grey: 0 is grey, 1 changes nothing.")
    var contrast: Double?

    @Option(help: "Raise colours to the power of 1 / gamma; more than 1 makes them lighter.")
    var gamma: Double?

    @Option(help: "Change colours by a smooth curve through points such as '0,0 128,150 255,255'.")
    var curves: CurveArgument?

    @Option(help: "The same for red only, before --curves.")
    var curvesRed: CurveArgument?

    @Option(help: "The same for green only.")
    var curvesGreen: CurveArgument?

    @Option(help: "The same for blue only.")
    var curvesBlue: CurveArgument?

    @Option(help: "Multiply the distance to grey: 0 is greyscale, 1 changes nothing.")
    var saturation: Double?

    @Option(parsing: .unconditional, help: "Turn the hue by these degrees.")
    var hue: Double?

    @Option(
        parsing: .unconditional,
        help: """
            Replace red, green and blue by weighted sums of them: for each the factors of red, green and blue and an \
            offset, in which 1 is white; 12 numbers.
            """)
    var colorMatrix: ColorMatrix?

    @Option(help: "Replace colours through the table of a .cube file.")
    var lut: LUTArgument?

    @Flag(help: "Replace colours by greys of the same luma.")
    var greyscale = false

    @Option(help: "Give colours the brown of old photographs: from 0 to 1.")
    var sepia: Double?

    @Option(help: "Replace colours by shades of this one.")
    var tint: PixelColor?

    @Flag(help: "Invert colours.")
    var negate = false

    @Option(help: "Replace colours by black and white: white from this luma on, 0 to 255.")
    var threshold: Double?

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
