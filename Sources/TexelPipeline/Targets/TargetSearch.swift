import PlatformLibc
import TexelCodecs
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

    /// The maximum number of encodings per image size in a search for a score; a search for a file size measures
    /// faster and may have more.
    static let attemptLimit = 8
    static let byteAttemptLimit = 12
    /// The maximum number of image sizes that are tried.
    static let sizeLimit = 8
    /// A search ends at a score no more than this above the target, or at a file no smaller than this fraction of the
    /// limit.
    private static let scoreTolerance = 0.25
    /// If the score is further above the target than this, the remaining attempts are used to find a smaller file.
    private static let scoreSlack = 1.0
    private static let sizeTolerance = 0.98

    struct Found {
        var bytes: [UInt8]
        var size: PixelSize
        /// `nil` unless it was measured.
        var score: Double?
        /// What was chosen, in a few words.
        var summary: String
    }

    private struct Attempt {
        var step: EncodingLadder.Step
        var bytes: [UInt8]
        var score: Double?
    }

    /// The attempts at one image size. Only files that may still be chosen are kept.
    private struct Round {
        let image: PixelBuffer
        var encoder: any AttemptEncoder
        var reference: SSIMULACRA2Reference?
        var count = 0
        var limit = TargetSearch.byteAttemptLimit
        var smallest: Attempt?
        var best: Attempt?
        var chosen: Attempt?
    }

    /// The result of a search at one image size.
    private enum Outcome {
        case met(Attempt)
        /// The nearest attempt, and how many times fewer bytes a smaller image would need; `nil` if scaling down does
        /// not help.
        case missed(Attempt, TargetError, excess: Double?)
    }

    /// Encodes the image until the target is met.
    ///
    /// - Throws: `target` if it cannot be met; errors of encoding and measuring.
    func run(_ image: PixelBuffer) throws(PipelineError) -> Found {
        var round = Round(image: image, encoder: makeEncoder(image))
        var attempts = 0
        var sizes = 1
        while true {
            let outcome = try search(&round)
            attempts += round.count
            switch outcome {
            case .met(let attempt):
                return found(attempt, round.image.size, attempts)
            case .missed(let attempt, let error, let excess):
                if target.allowsSmaller, let excess, sizes < Self.sizeLimit,
                    let smaller = try shrunken(image, from: round.image.size, by: excess)
                {
                    round = Round(image: smaller, encoder: makeEncoder(smaller))
                    sizes += 1
                    continue
                }
                guard target.isBestEffort else { throw .target(error) }
                return found(attempt, round.image.size, attempts)
            }
        }
    }

    private func found(_ attempt: Attempt, _ size: PixelSize, _ attempts: Int) -> Found {
        let score = attempt.score.map { ", score \(rounded($0))" } ?? ""
        return Found(
            bytes: attempt.bytes, size: size, score: attempt.score,
            summary: "\(attempt.step.name)\(score), \(attempt.bytes.count) bytes; "
                + "\(attempts) \(attempts == 1 ? "encoding" : "encodings")")
    }

    /// Scales the image to about `excess` times fewer pixels than `size` has. Returns `nil` if `size` is a single
    /// pixel.
    private func shrunken(
        _ image: PixelBuffer, from size: PixelSize, by excess: Double
    ) throws(PipelineError) -> PixelBuffer? {
        guard size.width > 1 || size.height > 1 else { return nil }
        // Slightly fewer, because smaller images need more bits per pixel.
        let scale = min(0.95, 0.98 / max(excess, 1).squareRoot())
        let smaller = PixelSize(
            width: max(1, Int(Double(size.width) * scale)), height: max(1, Int(Double(size.height) * scale)))
        return try PipelineError.wrapping { () throws(PixelBufferError) in try image.resized(to: smaller) }
    }

    // MARK: One size

    private func search(_ round: inout Round) throws(PipelineError) -> Outcome {
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
    private func search(_ round: inout Round, score: Double) throws(PipelineError) -> Outcome {
        round.limit = Self.attemptLimit
        var climb = Climb(ladder.steps, score: score)
        try follow(&climb, &round)
        if let chosen = round.chosen, chosen.step == ladder.firstWithAllColors, climb.leavesRoom(above: chosen) {
            climb = Climb(ladder.stepsWithAllColors, score: score, last: chosen.score)
            try follow(&climb, &round)
        }
        // Scores do not rise strictly from step to step, so lower steps may reach the target too.
        climb.looksFurther = true
        try follow(&climb, &round)
        guard let chosen = round.chosen else {
            guard let best = round.best else { throw .codec(.cannotEncode("the format has no encodings")) }
            let error = TargetError.scoreTooHigh(score, best: best.score ?? 0)
            if let limit = target.byteLimit, best.bytes.count > limit { return try fit(&round, limit, error) }
            return .missed(best, error, excess: nil)
        }
        guard let limit = target.byteLimit, chosen.bytes.count > limit else { return .met(chosen) }
        let error = TargetError.byteLimitTooLowForScore(score, limit, needed: chosen.bytes.count)
        let excess = excess(chosen.bytes.count, over: limit)
        if target.allowsSmaller, round.image.width > 1 || round.image.height > 1 {
            return .missed(chosen, error, excess: excess)
        }
        return target.isBestEffort ? try fit(&round, limit, error) : .missed(chosen, error, excess: nil)
    }

    /// A search for a score on a sequence of steps.
    private struct Climb {
        let steps: [EncodingLadder.Step]
        let score: Double
        private var boundary: BoundarySearch
        /// Whether to try steps below the boundary once it is found.
        var looksFurther = false

        /// - Parameter last: the score of the last step, if known.
        init(_ steps: [EncodingLadder.Step], score: Double, last: Double? = nil) {
            self.steps = steps
            self.score = score
            boundary = BoundarySearch(expected: steps.map(\.score), level: score)
            if let last { boundary.add(steps.count - 1, last) }
        }

        /// Whether the score is so far above the target that a smaller file probably exists.
        func leavesRoom(above attempt: Attempt) -> Bool { (attempt.score ?? 100) > score + scoreSlack }

        /// Whether the score is close enough to end the search.
        func isNear(_ attempt: Attempt) -> Bool { (score...score + scoreTolerance).contains(attempt.score ?? 100) }

        /// The index of the next step to try; `nil` to end the search.
        func next(after chosen: Attempt?) -> Int? {
            guard looksFurther else { return chosen.map(isNear) == true ? nil : boundary.next }
            guard let chosen, leavesRoom(above: chosen) else { return nil }
            return boundary.nextBelow
        }

        mutating func add(_ index: Int, _ attempt: Attempt) { boundary.add(index, attempt.score ?? 100) }
    }

    /// Encodes the steps that `climb` chooses, and keeps the smallest file that reaches the score.
    private func follow(_ climb: inout Climb, _ round: inout Round) throws(PipelineError) {
        while round.count < round.limit, let index = climb.next(after: round.chosen) {
            let attempt = try attempt(climb.steps[index], &round, measures: true)
            climb.add(index, attempt)
            guard attempt.score ?? 100 >= climb.score, attempt.bytes.count <= round.chosen?.bytes.count ?? .max
            else { continue }
            round.chosen = attempt
        }
    }

    /// Finds the best file that fits, if the score cannot be reached.
    private func fit(_ round: inout Round, _ byteLimit: Int, _ error: TargetError) throws(PipelineError) -> Outcome {
        round.limit = round.count + Self.byteAttemptLimit
        switch try search(&round, byteLimit: byteLimit) {
        case .met(let attempt), .missed(let attempt, _, _): return .missed(attempt, error, excess: nil)
        }
    }

    /// Finds the largest file that fits.
    private func search(_ round: inout Round, byteLimit: Int) throws(PipelineError) -> Outcome {
        let first = target.allowsSmaller ? ladder.decentIndex : 0
        let steps = ladder.steps[first...].dropLast(ladder.losslessCount)
        var boundary = BoundarySearch(
            expected: steps.map { $0.size + Self.typicalLogarithm(round.image.size) },
            // A file of exactly the limit counts as below it.
            level: Self.logarithm(byteLimit) + 1e-12)
        var fitting: Attempt?
        while round.count < round.limit, let offset = boundary.next {
            let attempt = try attempt(ladder.steps[first + offset], &round, measures: false)
            boundary.add(offset, Self.logarithm(attempt.bytes.count))
            guard attempt.bytes.count <= byteLimit else { continue }
            if attempt.bytes.count >= fitting?.bytes.count ?? 0 { fitting = attempt }
            if Double(attempt.bytes.count) >= Self.sizeTolerance * Double(byteLimit) { break }
        }
        if fitting == nil, boundary.reached?.index != 0 {
            // The attempts ended before a fitting file was found; try the lowest step.
            let attempt = try attempt(ladder.steps[first], &round, measures: false)
            if attempt.bytes.count <= byteLimit { fitting = attempt }
        }
        if var fitting {
            if target.score != nil { fitting.score = try score(of: fitting.bytes, &round) }
            return .met(fitting)
        }
        return try missed(&round, byteLimit: byteLimit)
    }

    private func missed(_ round: inout Round, byteLimit: Int) throws(PipelineError) -> Outcome {
        guard var smallest = round.smallest else { throw .codec(.cannotEncode("the format has no encodings")) }
        if target.score != nil { smallest.score = try score(of: smallest.bytes, &round) }
        return .missed(
            smallest, .byteLimitTooLow(byteLimit, smallest: smallest.bytes.count),
            excess: excess(smallest.bytes.count, over: byteLimit))
    }

    private func attempt(
        _ step: EncodingLadder.Step, _ round: inout Round, measures: Bool
    ) throws(PipelineError) -> Attempt {
        if let reason = stop?.reason { throw .codec(.stopped(reason)) }
        var attempt = Attempt(step: step, bytes: try encoded(step.encoding, &round))
        round.count += 1
        if measures { attempt.score = try score(of: attempt.bytes, &round) }
        onAttempt()
        if attempt.bytes.count < round.smallest?.bytes.count ?? .max { round.smallest = attempt }
        if let score = attempt.score, score > round.best?.score ?? -.infinity { round.best = attempt }
        return attempt
    }

    private func encoded(_ encoding: ImageEncoding, _ round: inout Round) throws(PipelineError) -> [UInt8] {
        do throws(CodecError) { return try round.encoder.encode(encoding) } catch { throw .codec(error) }
    }

    private func score(of bytes: [UInt8], _ round: inout Round) throws(PipelineError) -> Double {
        let candidate = try PipelineError.wrapping { () throws(CodecError) in
            try ImageSource(InputBytes(bytes)).decodedAsStored().image
        }
        let (image, stop, threads) = (round.image, stop, threads)
        let reference: SSIMULACRA2Reference
        if let known = round.reference {
            reference = known
        } else {
            reference = try PipelineError.wrapping { () throws(PixelBufferError) in try SSIMULACRA2Reference(image) }
            round.reference = reference
        }
        let score = try PipelineError.wrapping { () throws(PixelBufferError) in
            try reference.score(of: candidate, threads: threads) { stop?.reason != nil }
        }
        guard let score else { throw .codec(.stopped(stop?.reason ?? .cancelled)) }
        return score
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
