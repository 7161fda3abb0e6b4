import TestSupport
import Testing

import TexelCore
@testable import TexelFlutter

/// Retries when memory is short.
@Suite(.timeLimit(.minutes(30))) struct RetryTests {
    private func compression(retries: Int, inSampleSize: Int = 1, minWidth: Int = 1920) -> Compression {
        Compression(
            minWidth: minWidth, minHeight: 1080, inSampleSize: inSampleSize, quality: 95, rotate: 0,
            autoCorrectionAngle: true, format: .jpeg, keepExif: false, numberOfRetries: retries, limits: Limits())
    }

    /// Runs a compression whose first `count` attempts fail with `error`.
    private func run(
        _ compression: Compression, failing count: Int, with error: TexelError = .outOfMemory
    ) async -> (result: Result<Sampled<Recipe>, TexelError>, recipes: [Recipe], headers: Int) {
        let (recipes, headers) = (Record<Recipe>(), Record<Void>())
        let result: Result<Sampled<Recipe>, TexelError>
        do throws(TexelError) {
            result = .success(
                try await compression.run { () throws(TexelError) in
                    headers.add(())
                    return ImageInfo(
                        format: .jpeg, size: PixelSize(width: 4000, height: 3000), colorModel: .rgb, bitDepth: 8,
                        hasAlpha: false, coding: "")
                } attempt: { recipe throws(TexelError) in
                    recipes.add(recipe)
                    if recipes.all.count <= count { throw error }
                    return recipe
                })
        } catch {
            result = .failure(error)
        }
        return (result, recipes.all, headers.all.count)
    }

    @Test func theSampleSizeDoublesUntilItSuffices() async throws {
        let (result, recipes, headers) = await run(compression(retries: 5), failing: 3)
        let sampled = try result.get()
        // The minima already divide 4000 × 3000 by 2.08.
        #expect(sampled.sampleSize == 16 && sampled.retries == 3 && headers == 1)
        #expect(Set(recipes).count == 4)
    }

    @Test func withoutFailureNobodyReadsAHeader() async throws {
        let (result, recipes, headers) = await run(compression(retries: 5), failing: 0)
        let sampled = try result.get()
        #expect(sampled.sampleSize == 1 && sampled.retries == 0 && recipes.count == 1 && headers == 0)
    }

    @Test func retriesBeginAtTheSampleSizeAskedFor() async throws {
        let (result, _, headers) = await run(compression(retries: 5, inSampleSize: 11), failing: 1)
        let sampled = try result.get()
        #expect(sampled.sampleSize == 16 && sampled.retries == 1 && headers == 1)
    }

    @Test(arguments: [-1, 0, 1, 4]) func retriesEnd(retries: Int) async {
        let (result, recipes, _) = await run(compression(retries: retries), failing: .max)
        #expect(throws: TexelError.outOfMemory) { try result.get() }
        #expect(recipes.count == max(0, retries) + 1)
    }

    /// An image of one pixel cannot be made smaller.
    @Test func retriesEndAtOnePixel() async {
        let (result, recipes, _) = await run(compression(retries: .max), failing: .max)
        #expect(throws: TexelError.outOfMemory) { try result.get() }
        // 1, 4, 8 … 2048.
        #expect(recipes.count == 11)
    }

    @Test func onlyShortagesAreTriedAgain() async {
        let shortages: [TexelError] = [
            .outOfMemory, .outOfMemory(byteCount: 1), .outOfMemory(byteCount: 1),
            .resultTooLarge, .limitExceeded(.pixels, value: 2, allowed: 1),
            .limitExceeded(.side, value: 2, allowed: 1),
            .limitExceeded(.codecBytes, value: 2, allowed: 1),
        ]
        for error in shortages {
            #expect(await run(compression(retries: 2), failing: 9, with: error).recipes.count == 3, "\(error)")
        }
        let others: [TexelError] = [
            .empty, .stopped(.cancelled), .truncated(rowsRead: 1, rows: 2),
            .missingFile("a"), .limitExceeded(.scans, value: 2, allowed: 1),
            .limitExceeded(.inputBytes, value: 2, allowed: 1), .invalidTransform(""),
        ]
        for error in others {
            #expect(await run(compression(retries: 2), failing: 9, with: error).recipes.count == 1, "\(error)")
        }
    }

    // MARK: Real shortages

    /// A progressive JPEG with too many coefficients. Only decoding at 1/8 needs a small part of them, and the decoder
    /// uses 1/8 only if the filter still halves the result.
    @Test func coefficientsThatDoNotFit() async throws {
        let bytes = try Input.grayProgressive(640)
        var limits = Limits()
        limits.codecBytes = 200_000
        let directory = try TemporaryDirectory()
        let (path, target) = (FilePath(try directory.add("in.jpg", bytes)), FilePath(try directory.add("out.jpg", [1])))

        let image = try await FlutterImageCompress.compressWithList(bytes, limits: limits)
        #expect(image.sampleSize == 16 && image.retries == 4 && image.size == PixelSize(width: 40, height: 40))
        #expect(try await FlutterImageCompress.compressWithFile(path, limits: limits) == image)
        // 6,400 blocks of 64 coefficients, 2 bytes each, and 8 bytes a block.
        await #expect(throws: TexelError.limitExceeded(.codecBytes, value: 870_400, allowed: 200_000)) {
            try await FlutterImageCompress.compressAndGetFile(path, target, numberOfRetries: 3, limits: limits)
        }
        #expect(try directory.bytes("out.jpg") == [1])
        let file = try await FlutterImageCompress.compressAndGetFile(path, target, limits: limits)
        #expect(file.retries == 4 && file.sampleSize == 16)
        #expect(try directory.bytes("out.jpg") == image.bytes)
    }

    /// The canvas of a rotated image exceeds the limit because of its corners.
    @Test func resultsAboveTheLimit() async throws {
        let bytes = try Input.file(displaying: .smooth(PixelSize(width: 100, height: 100)))
        var limits = Limits()
        limits.pixels = 15_000
        let image = try await FlutterImageCompress.compressWithList(bytes, rotate: 45, limits: limits)
        #expect(image.retries == 1 && image.sampleSize == 2)
        #expect(image.size == PixelSize(width: 50, height: 50).box(turnedBy: 45))
        await #expect(throws: TexelError.limitExceeded(.pixels, value: 142 * 142, allowed: 15_000)) {
            try await FlutterImageCompress.compressWithList(bytes, rotate: 45, numberOfRetries: 0, limits: limits)
        }
    }

    /// A smaller result does not help if the input itself exceeds a limit.
    @Test func inputsAboveTheLimit() async throws {
        let bytes = try Input.file(displaying: .smooth(PixelSize(width: 100, height: 100)))
        var limits = Limits()
        limits.pixels = 9_999
        for inSampleSize in [1, 8] {
            await #expect(throws: TexelError.limitExceeded(.pixels, value: 10_000, allowed: 9_999)) {
                try await FlutterImageCompress.compressWithList(bytes, inSampleSize: inSampleSize, limits: limits)
            }
        }
    }
}
