import Synchronization
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Searches on images with different contents.
@Suite struct TargetSearchTests {
    enum Content: String, CaseIterable, Sendable {
        case smooth, noise, flat, pixel, narrow

        func image() throws -> PixelBuffer {
            switch self {
            case .smooth:
                try .make(width: 150, height: 110) { x, y in
                    let wave = UInt32((x * x / 5 + y * 3) % 200)
                    return 0xFF00_0000 | wave << 16 | UInt32(x + y) << 8 | UInt32(y * 2)
                }
            case .noise: try .random(width: 96, height: 72)
            case .flat: try PixelBuffer(width: 64, height: 64, filledWith: 0xFF33_99CC, alphaMode: .opaque)
            case .pixel: try PixelBuffer(width: 1, height: 1, filledWith: 0xFF33_99CC, alphaMode: .opaque)
            case .narrow: try .random(width: 3, height: 300, seed: 9)
            }
        }
    }

    private func ladder(_ format: ImageFormat = .jpeg, palette: PaletteOptions? = nil) throws -> EncodingLadder {
        var output = OutputOptions()
        output.effort = .fast
        output.palette = palette
        return try ladder(format, output)
    }

    private func ladder(_ format: ImageFormat, _ output: OutputOptions) throws -> EncodingLadder {
        try #require(format.codec as? any SearchableCodec).ladder(output.settings)
    }

    /// The encoder of JPEGs also encodes those of other formats, one by one.
    private func encoder(_ image: PixelBuffer) -> any AttemptEncoder {
        JPEGCodec().attempts(at: image, EncodingContext())
    }

    /// Runs a search and counts its encodings.
    private func search(
        _ image: PixelBuffer, _ target: EncodingTarget, _ format: ImageFormat = .jpeg, palette: PaletteOptions? = nil
    ) throws -> (found: TargetSearch.Found, attempts: Int) {
        let attempts = Mutex(0)
        let search = TargetSearch(
            target: target, ladder: try ladder(format, palette: palette), threads: 1, stop: nil,
            makeEncoder: encoder, onAttempt: { attempts.withLock { $0 += 1 } })
        return (try search.run(image), attempts.withLock { $0 })
    }

    private func sizes(_ image: PixelBuffer, _ format: ImageFormat = .jpeg) throws -> [Int] {
        try ladder(format).variants.joined().map { try image.encoded(as: $0.encoding).count }
    }

    // MARK: Bytes

    @Test(arguments: Content.allCases) func neverMoreBytesThanAllowed(content: Content) throws {
        let image = try content.image()
        let sizes = try sizes(image)
        let (smallest, largest) = (try #require(sizes.min()), try #require(sizes.max()))
        for part in stride(from: 0.0, through: 1.1, by: 0.07) {
            let limit = smallest + Int(Double(largest - smallest) * part)
            let (found, attempts) = try search(image, EncodingTarget(byteLimit: limit))
            #expect(found.bytes.count <= limit && found.size == image.size)
            // No size of the same variant between the result and the limit was missed.
            let isFirst = try ladder().variants[0].contains { found.summary.hasPrefix($0.name) }
            let own = isFirst ? sizes.prefix(sizes.count / 2) : sizes.suffix(sizes.count / 2)
            let fitting = own.filter { $0 <= limit }.max() ?? 0
            #expect(found.bytes.count * 100 >= min(fitting, limit * 98 / 100) * 99, "\(content), \(limit): \(sizes)")
            #expect(attempts <= 2 * (TargetSearch.byteAttemptLimit + 1))
        }
    }

    /// Fewer colours take fewer bytes, and the score is measured.
    @Test func palettesHaveFewerColoursForFewerBytes() throws {
        let (image, palette) = (try Content.smooth.image(), PaletteOptions(colors: 100))
        let sizes = try ladder(.png, palette: palette).steps.map { try image.encoded(as: $0.encoding).count }
        let (smallest, largest) = (try #require(sizes.min()), try #require(sizes.max()))
        for part in [0.1, 0.5, 0.9] {
            let limit = smallest + Int(Double(largest - smallest) * part)
            let found = try search(image, EncodingTarget(byteLimit: limit), .png, palette: palette).found
            #expect(found.bytes.count <= limit && sizes.contains(found.bytes.count), "\(part)")
        }
        let score = try search(image, EncodingTarget(score: 0), .png, palette: palette).found.score
        #expect(try #require(score) >= 0 && #require(score) < 100)
    }

    @Test(arguments: Content.allCases) func tooFewBytesAreAnError(content: Content) throws {
        let image = try content.image()
        let smallest = try #require(try sizes(image).min())
        let target = EncodingTarget(byteLimit: smallest - 1)
        #expect(throws: TexelError.byteLimitTooLow(smallest - 1, smallest: smallest)) {
            try search(image, target)
        }
        let effort = EncodingTarget(byteLimit: smallest - 1, isBestEffort: true)
        #expect(try search(image, effort).found.bytes.count == smallest)
    }

    @Test(arguments: [Content.smooth, .noise], [0.5, 0.2, 0.05]) func smallerImagesFit(
        content: Content, part: Double
    ) throws {
        let image = try content.image()
        let steps = try ladder().steps
        let decent = try image.encoded(as: steps[EncodingLadder.decentIndex(of: steps)].encoding).count
        let limit = max(Int(Double(decent) * part), 700)
        let (found, _) = try search(image, EncodingTarget(byteLimit: limit, allowsSmaller: true))
        #expect(found.bytes.count <= limit)
        #expect(found.size.width < image.width && found.size.height < image.height)
        #expect(try CodecRegistry.shared.open(InputBytes(found.bytes)).info.size == found.size)
        // The image is scaled down in preference to a low quality.
        #expect(found.bytes.count * 2 >= limit, "\(found.bytes.count) of \(limit), \(found.size)")
    }

    /// Not even a single pixel fits into ten bytes, with any effort.
    @Test(arguments: [ImageFormat.jpeg, .png]) func someLimitsCannotBeMet(format: ImageFormat) throws {
        let image = try Content.smooth.image()
        #expect(throws: TexelError.self) {
            try search(image, EncodingTarget(byteLimit: 10, allowsSmaller: true), format)
        }
        let target = EncodingTarget(byteLimit: 10, allowsSmaller: true, isBestEffort: true)
        let (found, attempts) = try search(image, target, format)
        #expect(found.size.pixelCount ?? 0 < 100)
        #expect(attempts <= 2 * TargetSearch.sizeLimit * (TargetSearch.byteAttemptLimit + 1))
    }

    /// If lossless files do not fit, palettes with fewer and fewer colours are tried; then the image is scaled down.
    @Test func palettesFollowWhereLosslessFilesDoNotFit() throws {
        let image = try PixelBuffer.random(width: 48, height: 36)
        let (ladder, sizes) = (try ladder(.png), try sizes(image, .png))
        let exact = sizes.suffix(ladder.losslessCount)
        let (least, most) = (try #require(exact.min()), try #require(exact.max()))
        for limit in [least, most] {
            let found = try search(image, EncodingTarget(byteLimit: limit), .png).found
            #expect(found.bytes.count <= limit)
            #expect(
                try CodecRegistry.shared.open(InputBytes(found.bytes)).decodedAsStored().image.pixels == image.pixels)
        }
        let palettes = sizes.dropLast(ladder.losslessCount)
        let possible = palettes.filter { $0 < least }.sorted()
        try #require(!possible.isEmpty)
        for index in [0, possible.count / 2, possible.count - 1] {
            let size = possible[index]
            let found = try search(image, EncodingTarget(byteLimit: size), .png).found
            #expect(found.bytes.count <= size && palettes.contains(found.bytes.count) && found.size == image.size)
        }
        let fewest = try #require(palettes.min())
        #expect(fewest < least)
        #expect(throws: TexelError.self) { try search(image, EncodingTarget(byteLimit: fewest - 1), .png) }
        let target = EncodingTarget(byteLimit: fewest - 1, allowsSmaller: true)
        let smaller = try search(image, target, .png).found
        #expect(smaller.bytes.count < fewest && smaller.size.width < image.width)
    }

    /// Palettes reach a high score with fewer bytes than a lossless file, if possible.
    @Test func scoresOfPNGsAreReachedByPalettes() throws {
        var generator = SeededGenerator(seed: 14)
        let image = try PixelBuffer.make(width: 64, height: 48) { x, y in
            let (red, green) = (
                UInt32.random(in: 0...30, using: &generator), UInt32.random(in: 0...30, using: &generator)
            )
            let blue = UInt32.random(in: 0...30, using: &generator)
            return 0xFF00_0000 | (UInt32(x * 2) + red) << 16 | (UInt32(y * 3) + green) << 8 | (90 + blue)
        }
        let ladder = try ladder(.png)
        let exact = ladder.losslessCount
        let richest = try #require(ladder.steps.dropLast(exact).last)
        let bytes = try image.encoded(as: richest.encoding)
        let score = try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored().image.ssimulacra2(against: image)
        #expect(score < 100)
        let found = try search(image, EncodingTarget(score: score - 0.01), .png).found
        #expect(try #require(found.score) >= score - 0.01)
        #expect(try found.bytes.count < #require(sizes(image, .png).suffix(exact).min()))
    }

    // MARK: Scores

    @Test(arguments: [Content.smooth, .noise, .narrow]) func theScoreIsReachedAndHardlyMore(content: Content) throws {
        let image = try content.image()
        let ladder = try ladder()
        let scores = try ladder.steps.map { step in
            try CodecRegistry.shared.open(InputBytes(try image.encoded(as: step.encoding))).decodedAsStored().image
                .ssimulacra2(against: image)
        }
        for score in [20.0, 45, 60, 70, 80, 88] where score < (scores.max() ?? 0) {
            let (found, attempts) = try search(image, EncodingTarget(score: score))
            let reached = try #require(found.score)
            #expect(reached >= score && attempts <= 2 * TargetSearch.attemptLimit)
            #expect(
                try abs(
                    reached
                        - CodecRegistry.shared.open(InputBytes(found.bytes)).decodedAsStored().image.ssimulacra2(
                            against: image))
                    < 1e-9)
            let distance = try CodecRegistry.shared.open(InputBytes(found.bytes)).decodedAsStored().image.butteraugli(
                against: image)
            // What the guard leaves of the score.
            let level = max(min(reached, TargetScale.worstDistances.level(distance.norm3)), reached - 5)
            // If the ladder's steps are fine enough, the result is within 1.5.
            let next = scores.filter { $0 >= score }.min() ?? 100
            // Subsampling removes the colours of noise: its scores jump by tens there, and eight encodings may miss
            // the best step.
            #expect(
                content == .noise || (score < 40 ? reached : level) <= max(next, score) + 1.5,
                "\(content), \(score): \(reached), there is \(next)")
        }
    }

    /// The smallest file whose distance is at most the target's, or whose similarity is at least it.
    @Test(arguments: [(TargetMetric.butteraugli, [3.0, 1.5, 0.8]), (.haarpsi, [0.8, 0.9, 0.97])])
    func otherMetricsAreReached(metric: TargetMetric, scores: [Double]) throws {
        let image = try Content.smooth.image()
        var sizes: [Int] = []
        for score in scores {
            let (found, attempts) = try search(image, EncodingTarget(score: score, metric: metric))
            let result = try CodecRegistry.shared.open(InputBytes(found.bytes)).decodedAsStored().image
            let (reached, slack): (Double, Double)
            switch metric {
            case .butteraugli:
                reached = try result.butteraugli(against: image).norm3
                slack = score - reached
            case .haarpsi, .ssimulacra2:
                reached = try result.haarPSI(against: image)
                slack = reached - score
            }
            #expect(found.score == reached && attempts <= 2 * TargetSearch.attemptLimit)
            #expect(slack >= 0 && slack < (metric == .haarpsi ? 0.03 : 0.2), "\(score): \(reached)")
            sizes.append(found.bytes.count)
        }
        #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
        let flat = try search(Content.flat.image(), EncodingTarget(score: metric.best, metric: metric), .png).found
        #expect(flat.score == metric.best)
    }

    @Test func scalesAreMonotonous() throws {
        for scale in try [#require(TargetScale(.butteraugli)), .worstDistances] {
            let levels = stride(from: 0, through: 20, by: 0.01).map { scale.level($0) }
            #expect(
                zip(levels, levels.dropFirst()).allSatisfy { $0 >= $1 } && levels.first == 100 && levels.last == -100)
        }
        let scale = try #require(TargetScale(.haarpsi))
        let levels = stride(from: 0, through: 1, by: 0.001).map { scale.level($0) }
        #expect(
            zip(levels, levels.dropFirst()).allSatisfy { $0 <= $1 } && levels.first == -100 && scale.level(1) == 100)
        #expect(abs(scale.level(0.982) - 80) < 1e-9 && TargetScale(.ssimulacra2) == nil)
    }

    /// Saturated letters lose their colours with shared chroma samples, and smooth colours do not.
    @Test func bothSamplingsAreTried() throws {
        let letters = try PixelBuffer.make(width: 160, height: 96) { x, y in
            (x / 2 + y / 3) % 3 == 0 ? 0xFFFF_0000 : (x + y) % 5 == 0 ? 0xFF00_00FF : 0xFFFF_FFFF
        }
        var generator = SeededGenerator(seed: 20)
        let smooth = try PixelBuffer.make(width: 160, height: 96) { x, y in
            let light = UInt32.random(in: 60...120, using: &generator)
            return 0xFF00_0000 | (light + UInt32(x / 4)) << 16 | light << 8 | (light + UInt32(y / 3))
        }
        for (image, score) in [(letters, 70.0), (smooth, 70)] {
            let found = try search(image, EncodingTarget(score: score)).found
            let ladder = try ladder()
            #expect(ladder.variants.count == 2)
            for steps in ladder.variants {
                let only = EncodingLadder(steps, fixedBytes: ladder.fixedBytes)
                let search = TargetSearch(
                    target: EncodingTarget(score: score, isBestEffort: true), ladder: only, threads: 1, stop: nil,
                    makeEncoder: encoder, onAttempt: {})
                let alone = try search.run(image)
                if alone.score ?? 0 >= score {
                    #expect(found.bytes.count <= alone.bytes.count, "\(found.summary); \(alone.summary)")
                }
            }
            #expect(found.summary.contains(image == letters ? "444" : "420"), "\(found.summary)")
        }
    }

    /// A file is not accepted that Butteraugli finds worse than any photograph of libjpeg-turbo with the score.
    @Test func distancesGuardScores() throws {
        var generator = SeededGenerator(seed: 21)
        // Sparse specks: few pixels are wrong, but they are obviously wrong.
        let image = try PixelBuffer.make(width: 192, height: 144) { x, y in
            Int.random(in: 0..<900, using: &generator) == 0
                ? 0xFF20_C040 : 0xFF00_0000 | UInt32(90 + x / 4 + y / 8) * 0x1_0101
        }
        for score in [50.0, 70, 85] {
            let found = try search(image, EncodingTarget(score: score)).found
            let result = try CodecRegistry.shared.open(InputBytes(found.bytes)).decodedAsStored().image
            let distance = try result.butteraugli(against: image).norm3
            let reached = try #require(found.score)
            #expect(
                TargetScale.worstDistances.level(distance) >= score || reached >= score + TargetScale.largestGuard,
                "\(found.summary): \(distance)")
        }
    }

    @Test func tooHighScoresAreAnError() throws {
        let image = try Content.noise.image()
        let target = EncodingTarget(score: 99.9)
        let error = #expect(throws: TexelError.self) { try search(image, target) }
        guard let error, error.kind == .scoreTooHigh else {
            Issue.record("\(String(describing: error))")
            return
        }
        let effort = EncodingTarget(score: 99.9, isBestEffort: true)
        let (found, attempts) = try search(image, effort)
        #expect(error == .scoreTooHigh(99.9, .ssimulacra2, best: try #require(found.score)))
        #expect(attempts <= 2 * TargetSearch.attemptLimit)
    }

    @Test func losslessFormatsReachEveryScoreAtOnce() throws {
        let (found, attempts) = try search(try Content.smooth.image(), EncodingTarget(score: 100), .png)
        #expect(found.score == 100 && attempts == 1)
    }

    // MARK: Both

    @Test func bytesBoundTheScore() throws {
        let image = try Content.smooth.image()
        let good = try search(image, EncodingTarget(score: 80)).found
        let both = EncodingTarget(score: 80, byteLimit: good.bytes.count)
        #expect(try search(image, both).found.bytes == good.bytes)

        let limit = good.bytes.count * 2 / 3
        let error = #expect(throws: TexelError.self) {
            try search(image, EncodingTarget(score: 80, byteLimit: limit))
        }
        guard error?.kind == .byteLimitTooLowForScore else {
            Issue.record("\(String(describing: error))")
            return
        }
        let nearest = try search(image, EncodingTarget(score: 80, byteLimit: limit, isBestEffort: true)).found
        #expect(nearest.bytes.count <= limit && nearest.score ?? 100 < 80 && nearest.size == image.size)

        let smaller = try search(image, EncodingTarget(score: 80, byteLimit: limit, allowsSmaller: true)).found
        #expect(smaller.bytes.count <= limit && smaller.score ?? 0 >= 80 && smaller.size.width < image.width)
    }

    @Test func stopsWhenAsked() throws {
        let search = TargetSearch(
            target: EncodingTarget(score: 70), ladder: try ladder(), threads: 1,
            stop: StopToken { .cancelled },
            makeEncoder: encoder, onAttempt: { Issue.record("encoded after the stop") })
        #expect(throws: TexelError.stopped(.cancelled)) { try search.run(Content.smooth.image()) }
    }

    // MARK: The ladder

    /// Texel's own encoder has steps fine enough for a size within a twentieth, and a score within 1.5.
    @Test func fineStepsComeNear() throws {
        let image = try PixelBuffer.make(width: 200, height: 160) { x, y in
            let wave = UInt32((x * x / 5 + y * 3) % 200)
            return 0xFF00_0000 | wave << 16 | UInt32((x / 9 * 31 + y) % 255) << 8 | UInt32(y)
        }
        let output = OutputOptions()
        func search(_ target: EncodingTarget) throws -> TargetSearch.Found {
            try TargetSearch(
                target: target, ladder: try ladder(.jpeg, output), threads: 2, stop: nil,
                makeEncoder: encoder, onAttempt: {}
            ).run(image)
        }
        for limit in [3000, 5000, 8000, 12000] {
            let count = try search(EncodingTarget(byteLimit: limit)).bytes.count
            #expect(count <= limit && count * 100 >= limit * 95, "\(limit): \(count)")
        }
        for score in [20.0, 70] {
            let reached = try search(EncodingTarget(score: score)).score ?? 0
            #expect(reached >= score && reached <= score + 1.5, "\(score): \(reached)")
        }
    }

    @Test func expectationsGrow() throws {
        for (subsampling, effort) in zip(
            ChromaSubsampling.allCases + ChromaSubsampling.allCases, (0..<8).map { $0 < 4 ? Effort.fast : .balanced })
        {
            var output = OutputOptions()
            output.effort = effort
            output.subsampling = subsampling
            let steps = try ladder(.jpeg, output).steps
            #expect(steps.map(\.score) == steps.map(\.score).sorted())
            #expect(steps.map(\.size) == steps.map(\.size).sorted())
            #expect(Set(steps.map(\.name)).count == steps.count)
            output.quality = 60
            #expect(try ladder(.jpeg, output).steps.last?.name.hasPrefix("quality 60,") == true)
        }
    }
}
