import ArgumentParser
import Texel

/// How damaged an input may be.
struct StrictnessOptions: ParsableArguments {
    @Option(help: "Decoder messages that fail a file: none, truncated, error or warning (default: truncated).")
    var failOn: Strictness?

    var level: Strictness { failOn ?? .truncated }
}

extension Strictness: NamedArgument {}
