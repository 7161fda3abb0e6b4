import ArgumentParser
import Texel

/// How damaged an input may be.
struct StrictnessOptions: ParsableArguments {
    @Option(help: "What a decoder may report before a file fails: none, truncated, error or warning.")
    var failOn = Strictness.truncated
}
