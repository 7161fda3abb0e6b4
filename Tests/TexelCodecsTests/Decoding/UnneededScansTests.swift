import TestImageWriting
import TestSupport
import Testing
import TexelCore
import TexelPixels

import TexelFormats
@testable import TexelCodecs

/// A progressive JPEG needs only some of its scans for decoding at 1/8 of its size.
@Suite struct UnneededScansTests {
    private enum Outcome: Equatable {
        case image(PixelBuffer)
        case failure(TexelError)
    }

    private func outcome(
        _ bytes: [UInt8], readsAll: Bool, strictness: Strictness = .truncated, limits: Limits = Limits()
    ) -> Outcome {
        do throws(TexelError) {
            var options = DecodeOptions()
            options.shrink = 8
            options.policy.strictness = strictness
            options.policy.limits = limits
            options.readsUnneededScans = readsAll
            return .image(try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored(options).image)
        } catch {
            return .failure(error)
        }
    }

    private func progressive(
        _ color: JPEGWriter.Color, _ sampling: (Int32, Int32) = (1, 1),
        size: PixelSize = PixelSize(width: 83, height: 61)
    ) throws -> [UInt8] {
        var writer = JPEGWriter(size, color)
        writer.sampling = sampling
        writer.isProgressive = true
        var generator = SeededGenerator(seed: 7)
        return try writer.bytes(.random(count: size.width * size.height * (color == .gray ? 1 : 4), using: &generator))
    }

    /// Returns the scan headers of a file: the positions of their markers and their first coefficients.
    private func scans(of bytes: [UInt8]) -> [(position: Int, firstCoefficient: UInt8)] {
        (0..<(bytes.count - 3)).filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
            .map { ($0, bytes[$0 + 5 + 2 * Int(bytes[$0 + 4])]) }
    }

    @Test(arguments: [JPEGWriter.Color.gray, .yCbCr, .rgb, .cmyk, .ycck])
    func theResultIsTheSame(color: JPEGWriter.Color) throws {
        for sampling: (Int32, Int32) in [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1)] {
            let bytes = try progressive(color, sampling)
            let all = outcome(bytes, readsAll: true)
            guard case .image(let image) = all else {
                Issue.record("\(sampling): \(all)")
                continue
            }
            #expect(image.size == PixelSize(width: 11, height: 8))
            #expect(outcome(bytes, readsAll: false) == all, "\(sampling)")
        }
    }

    /// Scans that are not needed are not decoded: damage in them changes nothing unless all scans are requested.
    @Test func unneededScansAreNotDecoded() throws {
        var bytes = try progressive(.yCbCr, (2, 1))
        let sound = outcome(bytes, readsAll: false)
        let scans = scans(of: bytes)
        let first = try #require(scans.firstIndex { $0.firstCoefficient > 0 })
        let end = first + 1 < scans.count ? scans[first + 1].position : bytes.count - 2
        for position in (scans[first].position + 10)..<(end - 100) { bytes[position] = 0x55 }
        #expect(outcome(bytes, readsAll: false) == sound)
        #expect(outcome(bytes, readsAll: false, strictness: .none) == sound)
        for strictness in [Strictness.error, .warning] {
            guard case .failure = outcome(bytes, readsAll: false, strictness: strictness) else {
                Issue.record("\(strictness) lets damage pass")
                continue
            }
        }
    }

    @Test(arguments: Strictness.allCases) func cutFilesDecodeAsWithAllScans(strictness: Strictness) throws {
        for sampling: (Int32, Int32) in [(1, 1), (2, 2)] {
            let bytes = try progressive(.yCbCr, sampling)
            for count in Array(stride(from: 700, to: bytes.count, by: 97)) + Array((bytes.count - 12)...bytes.count) {
                let cut = Array(bytes.prefix(count))
                let all = outcome(cut, readsAll: true, strictness: strictness)
                #expect(outcome(cut, readsAll: false, strictness: strictness) == all, "\(count) of \(bytes.count)")
            }
        }
    }

    @Test func damagedMarkersFailAsWithAllScans() throws {
        let bytes = try progressive(.yCbCr, (2, 1))
        var generator = SeededGenerator(seed: 3)
        for scan in scans(of: bytes) {
            for _ in 0..<40 {
                var damaged = bytes
                let length = 4 + 2 * Int(bytes[scan.position + 4]) + 4
                damaged[scan.position + Int.random(in: 0..<length, using: &generator)] =
                    UInt8.random(in: 0...255, using: &generator)
                switch (outcome(damaged, readsAll: false), outcome(damaged, readsAll: true)) {
                case (.image, .image), (.failure, .failure): break
                case (let some, let all): Issue.record("\(scan): \(some) and \(all)")
                }
            }
        }
    }

    @Test func unneededScansCount() throws {
        let bytes = try progressive(.gray)
        var limits = Limits()
        limits.scans = scans(of: bytes).count
        guard case .image = outcome(bytes, readsAll: false, limits: limits) else {
            Issue.record("refused at the limit")
            return
        }
        limits.scans -= 1
        let expected = TexelError.limitExceeded(.scans, value: limits.scans + 1, allowed: limits.scans)
        #expect(outcome(bytes, readsAll: false, limits: limits) == .failure(expected))
    }

    /// The coefficients of unneeded scans take no memory: two bytes per block instead of 128.
    @Test func memoryIsThatOfTheDCCoefficients() throws {
        let bytes = try progressive(.gray, size: PixelSize(width: 2000, height: 2000))
        var limits = Limits()
        limits.codecBytes = 1_000_000
        let expected = TexelError.limitExceeded(.codecBytes, value: 250 * 250 * 136, allowed: 1_000_000)
        #expect(outcome(bytes, readsAll: true, limits: limits) == .failure(expected))
        guard case .image = outcome(bytes, readsAll: false, limits: limits) else {
            Issue.record("more than an eighth of the coefficients")
            return
        }
    }

    /// An end marker inside an unneeded scan does not affect the result.
    @Test func aScanThatEndsEarlyCostsNothing() throws {
        let bytes = try progressive(.gray)
        let last = try #require(scans(of: bytes).last)
        let ended = Array(bytes.prefix(last.position + 60)) + [0xFF, 0xD9]
        #expect(outcome(ended, readsAll: false) == outcome(bytes, readsAll: true))
    }

    @Test(.enabled(if: Corpora.isThere, "TEXEL_CORPORA names no folder"))
    func realFilesDecodeAsWithAllScans() throws {
        var (same, refused) = (0, 0)
        for file in Corpora.files() {
            let bytes = try Corpora.bytes(file)
            guard bytes.starts(with: [0xFF, 0xD8]), let info = try? CodecRegistry.shared.open(InputBytes(bytes)).info,
                info.isProgressive
            else { continue }
            for strictness in [Strictness.truncated, .none] {
                let all = outcome(bytes, readsAll: true, strictness: strictness)
                let some = outcome(bytes, readsAll: false, strictness: strictness)
                // Compare the pixels of valid files; of damaged files only whether they are accepted.
                let isSound = outcome(bytes, readsAll: true, strictness: .error) == all
                switch (some, all) {
                case (.image, .image) where isSound: #expect(some == all, "\(Corpora.name(of: file))")
                case (.image, .image): break
                default: #expect(some == all, "\(Corpora.name(of: file)) \(strictness)")
                }
                if case .image = all { same += 1 } else { refused += 1 }
            }
        }
        #expect(same > 0)
        print("progressive files at an eighth: \(same) the same, \(refused) refused as in a full decoding")
    }
}
