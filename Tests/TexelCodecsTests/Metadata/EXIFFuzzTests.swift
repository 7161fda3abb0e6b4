import TestSupport
import Testing
import TexelCodecs
import TexelPixels

/// Reading and rewriting must end without a trap, in bounded time and memory. Results are not checked.
@Suite struct EXIFFuzzTests {
    private func exercise(_ bytes: [UInt8]) {
        guard let exif = EXIF(bytes) else { return }
        _ = exif.summary
        _ = exif.density
        for policy in [MetadataPolicy.privacy, .all] {
            for keepsThumbnail in [true, false] {
                let block = exif.rewritten(
                    for: policy, orientation: .transversed, size: PixelSize(width: 70000, height: 1),
                    keepsThumbnail: keepsThumbnail)
                guard let block, policy == .privacy else { continue }
                #expect(EXIF(block)?.orientation == .transversed)
            }
        }
    }

    /// Values that cause arithmetic overflow if they are not checked.
    private static let extremes: [UInt32] = [
        0, 1, 2, 7, 8, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 0x2000_0000, 0x1FFF_FFFF,
    ]

    @Test(arguments: ByteOrder.allCases)
    func mutationsNeverTrap(order: ByteOrder) {
        let valid = SampleEXIF.builder(order).block()
        var generator = SeededGenerator(seed: 20_240_506)
        for _ in 0..<15_000 {
            var bytes = valid
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let position = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[position] = .random(in: 0 ... .max, using: &generator)
                case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                default:
                    // Half of the time an offset inside the block, for overlaps and cycles.
                    let value =
                        Bool.random(using: &generator)
                        ? UInt32.random(in: 0..<UInt32(valid.count), using: &generator)
                        : Self.extremes.randomElement(using: &generator) ?? 0
                    let even = position & ~1
                    let number = order.bytes(value).prefix(bytes.count - even)
                    bytes.replaceSubrange(even..<(even + number.count), with: number)
                }
            }
            if Int.random(in: 0..<8, using: &generator) == 0 {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            }
            exercise(bytes)
        }
    }

    @Test(arguments: ByteOrder.allCases)
    func everyTruncationIsRead(order: ByteOrder) {
        let valid = SampleEXIF.builder(order).block()
        for count in 0..<valid.count { exercise(Array(valid[..<count])) }
    }

    @Test func directoriesThatPointAtEachOtherEnd() throws {
        // IFD0's link and its Exif and GPS pointers all refer to IFD0 itself.
        let order = ByteOrder.bigEndian
        var block: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 2]
        for tag in [EXIFTag.exifDirectory, EXIFTag.gpsDirectory] {
            block += order.bytes(tag) + order.bytes(UInt16(4)) + order.bytes(UInt32(1)) + order.bytes(UInt32(8))
        }
        block += order.bytes(UInt32(8))
        let exif = try #require(EXIF(block))
        #expect(!exif.hasGPS)
        #expect(!exif.hasThumbnail)
        exercise(block)
        // The corrected block has no cycle either.
        let corrected = exif.rewritten(
            for: .all, orientation: .identity, size: PixelSize(width: 1, height: 1), keepsThumbnail: false)
        #expect(corrected?.suffix(4) == [0, 0, 0, 0])
    }

    /// The largest possible directory, twice, in which each value claims the whole block: must not take quadratic time.
    @Test(.timeLimit(.minutes(30)))
    func hugeOverlappingDirectoriesAreQuick() {
        let order = ByteOrder.littleEndian
        let directorySize = 2 + 65535 * 12 + 4
        var block: [UInt8] = [0x49, 0x49, 42, 0] + order.bytes(UInt32(8))
        for link in [UInt32(8 + directorySize), 0] {
            block += order.bytes(UInt16.max)
            for index in 0..<UInt32(65535) {
                block += order.bytes(EXIFTag.make) + order.bytes(UInt16(7)) + order.bytes(1_000_000 - index)
                block += order.bytes(index)
            }
            block += order.bytes(link)
        }
        exercise(block)
    }
}
