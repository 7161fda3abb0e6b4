import ArgumentParser
import Texel

/// How the colours of images change.
struct ToneOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "Multiply light by 2 to this power, as a camera's exposure does.")
    var exposure: Double?

    @Option(help: "Multiply colours: 0 is black, 1 changes nothing.")
    var brightness: Double?

    @Option(help: "Multiply the distance to middle grey: 0 is grey, 1 changes nothing.")
    var contrast: Double?

    @Option(help: "Raise colours to the power of 1 / gamma; more than 1 makes them lighter.")
    var gamma: Double?

    @Option(help: "Multiply the distance to grey: 0 is greyscale, 1 changes nothing.")
    var saturation: Double?

    @Option(parsing: .unconditional, help: "Turn the hue by these degrees.")
    var hue: Double?

    @Flag(help: "Replace colours by greys of the same luma.")
    var greyscale = false

    @Option(help: "Give colours the brown of old photographs: from 0 to 1.")
    var sepia: Double?

    @Flag(help: "Invert colours.")
    var negate = false

    @Option(help: "Replace colours by black and white: white from this luma on, 0 to 255.")
    var threshold: Double?

    var asksForSomething: Bool { !operations.isEmpty }

    /// The operations of the flags, in a fixed order: light first, colours next, then what replaces them.
    var operations: [PixelOperation] {
        var operations: [PixelOperation] = []
        if let exposure { operations.append(.exposure(stops: exposure)) }
        if let brightness { operations.append(.brightness(brightness)) }
        if let contrast { operations.append(.contrast(contrast)) }
        if let gamma { operations.append(.gamma(gamma)) }
        if let saturation { operations.append(.saturation(saturation)) }
        if let hue { operations.append(.hue(degrees: hue)) }
        if greyscale { operations.append(.greyscale()) }
        if let sepia { operations.append(.sepia(sepia)) }
        if negate { operations.append(.negate) }
        if let threshold { operations.append(.threshold(threshold)) }
        return operations
    }
}
