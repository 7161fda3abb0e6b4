import PlatformLibc
import TexelCodecs
import TexelCore
import TexelFormats
import TexelPixels

/// Encodes an image repeatedly until it meets a target.
struct TargetSearch {
    let target: EncodingTarget
    let ladder: EncodingLadder
    /// How many threads measure scores.
    let threads: Int
    let stop: StopToken?
    let makeEncoder: (PixelBuffer) -> any AttemptEncoder
    /// Called after each encoding.
    let onAttempt: () -> Void

    /// The maximum number of encodings per image size and variant of the ladder in a search for a score; a search for a
    /// file size measures faster and may have more.
    static let attemptLimit = 8
    static let byteAttemptLimit = 12
    /// The maximum number of image sizes that are tried.
    static let sizeLimit = 8
    /// A search ends at a file no smaller than this fraction of the limit.
    private static let sizeTolerance = 0.98

    struct Found {
        var bytes: [UInt8]
        var size: PixelSize
        /// By the target's metric; `nil` unless it was measured.
        var score: Double?
        /// The choice, in a few words.
        var summary: String
    }

    /// One encoding.
    struct Attempt {
        var step: EncodingLadder.Step
        var bytes: [UInt8]
        var value: TargetMeasure.Value?

        /// The measured level; that of a lossless file if it was not measured.
        var level: Double { value?.level ?? 100 }
    }

    /// The attempts at one image size. Only files that may still be chosen are kept.
    private struct Round {
        let image: PixelBuffer
        var encoder: any AttemptEncoder
        var measure: TargetMeasure
        /// The attempts at this variant of the ladder, and how many it may have.
        var count = 0
        var limit = TargetSearch.byteAttemptLimit
        /// The attempts at former variants.
        var formerCount = 0
        var smallest: Attempt?
        var best: Attempt?

        mutating func beginVariant(limit: Int) {
            formerCount += count
            (count, self.limit) = (0, limit)
        }
    }

    /// The result of a search at one image size.
    private enum Outcome {
        case met(Attempt)
        /// The nearest attempt, and how many times fewer bytes a smaller image would need; `nil` if scaling down does
        /// not help.
        case missed(Attempt, TexelError, excess: Double?)
    }

    /// Encodes the image until the target is met.
    ///
    /// - Throws: an error of the target if it cannot be met; errors of encoding and measuring.
    func run(_ image: PixelBuffer) throws(TexelError) -> Found {
        var round = round(image)
        var attempts = 0
        var sizes = 1
        while true {
            let outcome = try search(&round)
            attempts += round.formerCount + round.count
            switch outcome {
            case .met(let attempt):
                return found(attempt, round.image.size, attempts)
            case .missed(let attempt, let error, let excess):
                if target.allowsSmaller, let excess, sizes < Self.sizeLimit,
                    let smaller = try shrunken(image, from: round.image.size, by: excess)
                {
                    round = self.round(smaller)
                    sizes += 1
                    continue
                }
                guard target.isBestEffort else { throw error }
                return found(attempt, round.image.size, attempts)
            }
        }
    }

    private func round(_ image: PixelBuffer) -> Round {
        Round(
            image: image, encoder: makeEncoder(image),
            measure: TargetMeasure(image, target, threads: threads, stop: stop))
    }

    private func found(_ attempt: Attempt, _ size: PixelSize, _ attempts: Int) -> Found {
        let score = attempt.value.map { ", \(target.metric.named(target.metric.rounded($0.score)))" } ?? ""
        return Found(
            bytes: attempt.bytes, size: size, score: attempt.value?.score,
            summary: "\(attempt.step.name)\(score), \(attempt.bytes.count) bytes; "
                + "\(attempts) \(attempts == 1 ? "encoding" : "encodings")")
    }

    /// Scales the image to about `excess` times fewer pixels than `size` has. Returns `nil` if `size` is a single
    /// pixel.
    private func shrunken(
        _ image: PixelBuffer, from size: PixelSize, by excess: Double
    ) throws(TexelError) -> PixelBuffer? {
        guard size.width > 1 || size.height > 1 else { return nil }
        // Slightly fewer, because smaller images need more bits per pixel.
        let scale = min(0.95, 0.98 / max(excess, 1).squareRoot())
        let smaller = PixelSize(
            width: max(1, Int(Double(size.width) * scale)), height: max(1, Int(Double(size.height) * scale)))
        return try image.resized(to: smaller)
    }

    // MARK: One size

    private func search(_ round: inout Round) throws(TexelError) -> Outcome {
        let byteLimit = target.byteLimit ?? .max
        if let score = target.score { return try search(&round, score: score) }
        for step in ladder.steps.suffix(ladder.losslessCount).reversed() {
            let attempt = try attempt(step, &round, measures: false)
            if attempt.bytes.count <= byteLimit { return .met(attempt) }
            // Twice what more effort typically saves: if the file cannot fit even then, skip the other lossless
            // steps.
            let saving = 2 * (step.size - ladder.steps[ladder.steps.count - ladder.losslessCount].size)
            if Self.logarithm(attempt.bytes.count) - saving > Self.logarithm(byteLimit) { break }
        }
        return try search(&round, byteLimit: byteLimit)
    }

    /// Finds the smallest file that reaches the score, then checks its size.
    private func search(_ round: inout Round, score: Double) throws(TexelError) -> Outcome {
        guard let chosen = try smallest(&round, level: round.measure.level ?? score) else {
            guard let best = round.best else { throw .cannotEncode("the format has no encodings") }
            let error = TexelError.scoreTooHigh(score, target.metric, best: best.value?.score ?? 0)
            if let limit = target.byteLimit, best.bytes.count > limit { return try fit(&round, limit, error) }
            return .missed(best, error, excess: nil)
        }
        guard let limit = target.byteLimit, chosen.bytes.count > limit else { return .met(chosen) }
        let error = TexelError.byteLimitTooLowForScore(score, target.metric, limit, needed: chosen.bytes.count)
        let excess = excess(chosen.bytes.count, over: limit)
        if target.allowsSmaller, round.image.width > 1 || round.image.height > 1 {
            return .missed(chosen, error, excess: excess)
        }
        return target.isBestEffort ? try fit(&round, limit, error) : .missed(chosen, error, excess: nil)
    }

    /// Finds the smallest file of all variants that reaches a level; `nil` if there is none.
    private func smallest(_ round: inout Round, level: Double) throws(TexelError) -> Attempt? {
        var chosen: Attempt?
        var offset = 0.0
        for steps in ladder.variants {
            round.beginVariant(limit: Self.attemptLimit)
            var climb = LadderClimb(steps, level: level, offset: offset)
            // Levels do not rise strictly from step to step, so steps below the boundary may reach the target too.
            for looksFurther in [false, true] {
                climb.looksFurther = looksFurther
                while round.count < round.limit, let index = climb.next {
                    let attempt = try attempt(steps[index], &round, measures: true)
                    climb.add(index, attempt)
                    if let chosen, climb.cannotWin(against: chosen, after: attempt, at: index) {
                        round.limit = round.count
                    }
                }
            }
            // Other variants change the level of an image similarly.
            if let reached = climb.reached { offset = climb.offset(of: reached) }
            if let reached = climb.reached, reached.bytes.count < chosen?.bytes.count ?? .max { chosen = reached }
        }
        return chosen
    }

    /// Finds the best file that fits, if the score cannot be reached.
    private func fit(_ round: inout Round, _ byteLimit: Int, _ error: TexelError) throws(TexelError) -> Outcome {
        switch try search(&round, byteLimit: byteLimit) {
        case .met(let attempt), .missed(let attempt, _, _): return .missed(attempt, error, excess: nil)
        }
    }

    /// Finds the best of the largest files that fit, one of each variant.
    private func search(_ round: inout Round, byteLimit: Int) throws(TexelError) -> Outcome {
        var fitting: [Attempt] = []
        for (index, steps) in ladder.variants.enumerated() {
            if let attempt = try largest(&round, steps.dropLast(index == 0 ? ladder.losslessCount : 0), byteLimit) {
                fitting.append(attempt)
            }
        }
        if target.score != nil || fitting.count > 1 {
            for index in fitting.indices {
                fitting[index].value = try round.measure.value(of: fitting[index].bytes, guarded: false)
            }
        }
        guard var best = fitting.max(by: { $0.level < $1.level }) else { return try missed(&round, byteLimit) }
        // No score was requested.
        if target.score == nil { best.value = nil }
        return .met(best)
    }

    /// Finds the largest file of a variant that fits; `nil` if none does.
    private func largest(
        _ round: inout Round, _ allSteps: ArraySlice<EncodingLadder.Step>, _ byteLimit: Int
    ) throws(TexelError) -> Attempt? {
        round.beginVariant(limit: Self.byteAttemptLimit)
        let first = target.allowsSmaller ? EncodingLadder.decentIndex(of: Array(allSteps)) : 0
        let steps = allSteps.dropFirst(first)
        guard let lowest = steps.first else { return nil }
        var boundary = BoundarySearch(
            expected: steps.map { $0.size + Self.typicalLogarithm(round.image.size) },
            // A file of exactly the limit counts as below it.
            level: Self.logarithm(byteLimit) + 1e-12)
        var fitting: Attempt?
        while round.count < round.limit, let offset = boundary.next {
            let attempt = try attempt(steps[steps.startIndex + offset], &round, measures: false)
            boundary.add(offset, Self.logarithm(attempt.bytes.count))
            guard attempt.bytes.count <= byteLimit else { continue }
            if attempt.bytes.count >= fitting?.bytes.count ?? 0 { fitting = attempt }
            if Double(attempt.bytes.count) >= Self.sizeTolerance * Double(byteLimit) { break }
        }
        if fitting == nil, boundary.reached?.index != 0 {
            // The attempts ended before a fitting file was found; try the lowest step.
            let attempt = try attempt(lowest, &round, measures: false)
            if attempt.bytes.count <= byteLimit { fitting = attempt }
        }
        return fitting
    }

    private func missed(_ round: inout Round, _ byteLimit: Int) throws(TexelError) -> Outcome {
        guard var smallest = round.smallest else { throw .cannotEncode("the format has no encodings") }
        if target.score != nil { smallest.value = try round.measure.value(of: smallest.bytes, guarded: false) }
        return .missed(
            smallest, .byteLimitTooLow(byteLimit, smallest: smallest.bytes.count),
            excess: excess(smallest.bytes.count, over: byteLimit))
    }

    private func attempt(
        _ step: EncodingLadder.Step, _ round: inout Round, measures: Bool
    ) throws(TexelError) -> Attempt {
        if let reason = stop?.reason { throw .stopped(reason) }
        var attempt = Attempt(step: step, bytes: try encoded(step.encoding, &round))
        round.count += 1
        if measures { attempt.value = try round.measure.value(of: attempt.bytes, guarded: true) }
        onAttempt()
        if attempt.bytes.count < round.smallest?.bytes.count ?? .max { round.smallest = attempt }
        if attempt.value != nil, attempt.level > round.best?.level ?? -.infinity { round.best = attempt }
        return attempt
    }

    private func encoded(_ encoding: ImageEncoding, _ round: inout Round) throws(TexelError) -> [UInt8] {
        return try round.encoder.encode(encoding)
    }

    // MARK: Sizes

    /// The factor by which the bytes that depend on the image exceed the limit.
    private func excess(_ count: Int, over limit: Int) -> Double {
        let (count, limit) = (Double(count), Double(limit))
        let fixed = Double(ladder.fixedBytes)
        // At most 64, which is an eighth of both sides: the estimate is unreliable beyond that.
        return min(64, max(count / limit, (count - fixed) / max(limit - fixed, fixed / 16)))
    }

    private static func logarithm(_ count: Int) -> Double { log(Double(max(count, 1))) }

    /// The natural logarithm of a photograph's typical bytes at quality 80: a quarter of a byte per pixel, and 600
    /// for tables.
    private static func typicalLogarithm(_ size: PixelSize) -> Double {
        log(Double(size.width) * Double(size.height) / 4 + 600)
    }
}
