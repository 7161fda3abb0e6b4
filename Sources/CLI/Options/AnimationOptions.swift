import Texel

/// Which frames of an animation are written, and how they are played.
struct AnimationOptions: OptionGroup {
    var frame: FramesArgument?
    var every: Int?
    var maxRate: RateArgument?
    var speed: Double?
    var reverse = false
    var boomerang = false
    var plays: Int?

    static let options: [Option<Self>] = [
        .argument(
            "frame", \.frame, FramesArgument.expectation,
            help: """
                Frame of an animation to write as an image, from 0; or several as an animation: 10-30,45 or 20-. \
                Without it, all frames are kept or the file is refused.
                """),
        .integer("every", \.every, .from(1), help: "Keep the first of every N frames of an animation, for their time."),
        .argument(
            "max-rate", \.maxRate, RateArgument.expectation,
            help: "Maximum number of frames per second of an animation; those between are left out."),
        .number("speed", \.speed, .within(Playback.speeds), help: "Play an animation so many times faster."),
        .flag("reverse", \.reverse, help: "Play an animation backwards."),
        .flag("boomerang", \.boomerang, help: "Play an animation forwards and then backwards."),
        .integer("plays", \.plays, .from(0), help: "How often an animation is played, 0 for endless.").defaulting(
            to: "as often as the input"),
    ]

    /// The options of which the result is an animation.
    static let playing = options.map(\.name).filter { $0 != "frame" }

    func checkMeaning() throws(OptionError) {
        guard case .one = frame, let name = Self.playing.first(where: given.contains)
        else { return }
        throw OptionError("\(option: name) has no effect on the one frame of \(option: "frame")")
    }

    func apply(to recipe: inout Recipe) {
        switch frame {
        case .one(let frame): recipe.frame = frame
        case .ranges(let ranges): recipe.playback.ranges = ranges
        case nil: break
        }
        if let every { recipe.playback.step = every }
        recipe.playback.maximumRate = maxRate?.rate
        if let speed { recipe.playback.speed = speed }
        recipe.playback.isReversed = reverse
        recipe.playback.playsBackAndForth = boomerang
        recipe.playback.playCount = plays
    }
}
