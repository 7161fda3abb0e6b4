import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelOperations
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Messages between two processes; invalid bytes are errors.
@Suite struct MessageTests {
    private struct Sample: Codable, Equatable {
        enum Choice: Codable, Equatable {
            case nothing
            case box(width: Int?, height: Int?)
            case words([String])
        }

        var choices: [Choice] = [.nothing, .box(width: nil, height: -3), .words(["", "ä\0", "𝄞"])]
        var bytes: [UInt8] = Array(0...255)
        var small: Int8 = -128
        var whole: UInt64 = .max
        var number = -0.1
        var flags = [true, false]
        var missing: Int?
        var present: String? = "there"
        var pairs: [[Int32]] = [[], [1, -2]]
    }

    private func returned<Value: Codable>(_ value: Value) throws -> Value {
        try MessageDecoder.decode(Value.self, from: try MessageEncoder.encode(value))
    }

    @Test func comesBackAsItWas() throws { #expect(try returned(Sample()) == Sample()) }

    @Test func everythingThatIsToldComesBack() throws {
        var limits = Limits.untrusted
        limits.plannedBytes = 7
        #expect(try returned(limits) == limits)
        let recipe = Recipe().resizing(width: 3).cropping(to: PixelRectangle(x: 1, y: 2, width: 3, height: 4))
            .flipping(.vertical).rotating(by: 33.25).flattening(on: .white)
            .appending(.turn(Rotation3D(yaw: 1, pitch: 2, roll: 3))).encoding(as: .jpeg, quality: 3, effort: .best)
            .keepingMetadata(.privacy)
        #expect(try returned(recipe) == recipe)
        let errors: [TexelError] = [
            .png(.checksumMismatch(of: "IDAT chunk", declared: .max, computed: 0)),
            .limitExceeded(.scans, value: .max, allowed: 0),
            .unknownFormat(firstBytes: [1, 255], readable: [.png, .jpeg]),
            .sizesDiffer(PixelSize(width: 1, height: 2), PixelSize(width: 3, height: 4)),
            .scoreTooHigh(90.5, .haarpsi, best: 89), .stopped(.timedOut),
        ]
        for error in errors { #expect(try returned(error) == error) }
    }

    @Test func headersOfAllTestImagesComeBack() throws {
        var count = 0
        for file in TestFolders.files(below: TestFolders.testImages) {
            let bytes = InputBytes(try TestFolders.testImage(file.lastPathComponent))
            guard let info = try? CodecRegistry.shared.open(bytes).info else { continue }
            #expect(try returned(info) == info, "\(file.lastPathComponent)")
            #expect(info.isPlausible(within: Limits()))
            count += 1
        }
        #expect(count > 30)
    }

    /// A compromised child may send anything.
    @Test func damagedMessagesAreErrors() throws {
        let bytes = try MessageEncoder.encode(Sample())
        for count in bytes.indices {
            #expect(throws: (any Error).self) { try MessageDecoder.decode(Sample.self, from: Array(bytes[..<count])) }
        }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                damaged[.random(in: damaged.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            // Some of them are still valid messages; none may crash.
            _ = try? MessageDecoder.decode(Sample.self, from: damaged)
        }
    }

    @Test func nestingHasAnEnd() {
        // Nested lists of one element.
        let level: [UInt8] = [7, 1, 0, 0, 0, 0, 0, 0, 0]
        let bytes = Array(repeatElement(level, count: 100_000).joined()) + [0]
        #expect(throws: MessageError.self) { try MessageValue(decoding: bytes) }
    }

    /// A value takes more memory than its byte in a message.
    @Test func memoryHasAnEnd() {
        func list(_ count: Int) -> [UInt8] {
            [7] + withUnsafeBytes(of: UInt64(count).littleEndian) { Array($0) } + [UInt8](repeating: 0, count: count)
        }
        #expect(throws: Never.self) { try MessageValue(decoding: list(1_000_000)) }
        #expect(throws: MessageError.self) { try MessageValue(decoding: list(2_000_000)) }
    }

    @Test func impossibleHeadersAreRejected() throws {
        let source = try Input.source(try PixelBuffer.smooth(PixelSize(width: 32, height: 16)), .jpeg)
        func isPlausible(_ change: (inout ImageInfo) -> Void) -> Bool {
            var info = source.info
            change(&info)
            return info.isPlausible(within: Limits())
        }
        #expect(isPlausible { _ in })
        #expect(!isPlausible { $0.size.width = 0 })
        #expect(!isPlausible { $0.size = PixelSize(width: 60_000, height: 60_000) })
        #expect(!isPlausible { $0.frameCount = 0 })
        #expect(!isPlausible { $0.bitDepth = 64 })
        #expect(!isPlausible { $0.coefficientLayout?.grid.width = 0 })
        #expect(!isPlausible { $0.coefficientLayout?.byteCount = -1 })
    }
}
