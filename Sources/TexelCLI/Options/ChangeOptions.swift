import ArgumentParser
import Texel

/// What changes pixels after an image has its size and its direction.
struct ChangeOptions: ParsableArguments {
    @OptionGroup(title: "Tone and colour") var tone: ToneOptions
    @OptionGroup(title: "Filters") var filters: FilterOptions

    var asksForSomething: Bool { tone.asksForSomething || filters.asksForSomething }

    /// The operations of the flags, in a fixed order: tone, filters.
    var operations: [PixelOperation] { tone.operations + filters.operations }
}
