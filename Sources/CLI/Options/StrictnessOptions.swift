import Texel

/// How damaged an input may be.
struct StrictnessOptions: OptionGroup {
    var failOn: Strictness?

    static let options: [Option<Self>] = [
        .argument("fail-on", \.failOn, help: "Decoder messages that fail a file: none, truncated, error or warning.")
            .defaulting(to: "truncated")
    ]

    var level: Strictness { failOn ?? .truncated }
}

extension Strictness: NamedArgument {}
