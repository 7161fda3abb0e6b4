import TestSupport
import Testing
import TexelFilters
import TexelPixels

/// Random samples, and those that lead to extreme sums.
enum SampleContent: CaseIterable {
    case random, zero, maximum, alternating, bits

    func bytes(_ count: Int, using generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { index in
            switch self {
            case .random: UInt8.random(in: 0...255, using: &generator)
            case .zero: 0
            case .maximum: 255
            case .alternating: index % 2 == 0 ? 255 : 0
            case .bits: Bool.random(using: &generator) ? 255 : 0
            }
        }
    }
}

/// A row of words with the room that kernels may write, followed by sentinels.
struct WordRow {
    private static let sentinel: Int16 = 0x5AA5
    private let room: Int
    var words: [Int16]

    init(_ count: Int) {
        room = Self.capacity(count)
        words = [Int16](repeating: Self.sentinel, count: room + 8)
    }

    static func capacity(_ count: Int) -> Int { (count + 63) / 64 * 64 }

    func first(_ count: Int) -> [Int16] { Array(words[0..<count]) }
    var isIntact: Bool { words[room...].allSatisfy { $0 == Self.sentinel } }
}

/// A row of bytes at an odd address, with sentinels on both sides; freed with its last reference.
final class ByteRow {
    private static let sentinel: UInt8 = 0xA5
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    let base: UnsafeMutablePointer<UInt8>
    private let count: Int

    init(_ count: Int) {
        self.count = count
        bytes = .allocate(capacity: count + 9)
        bytes.initialize(repeating: Self.sentinel)
        base = bytes.baseAddress.unsafelyUnwrapped + 1
    }

    deinit { bytes.deallocate() }

    var content: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }
    var isIntact: Bool { bytes[0] == Self.sentinel && bytes[(count + 1)...].allSatisfy { $0 == Self.sentinel } }
}

/// A row of bytes at a multiple of 64, as non-temporal stores require, with sentinels after it; freed with its last
/// reference.
final class AlignedRow {
    private static let sentinel: UInt8 = 0xA5
    private let bytes: UnsafeMutableRawBufferPointer
    let base: UnsafeMutablePointer<UInt8>
    private let count: Int

    init(_ count: Int) {
        self.count = count
        bytes = .allocate(byteCount: count + 64, alignment: 64)
        base = bytes.initializeMemory(as: UInt8.self, repeating: Self.sentinel).baseAddress.unsafelyUnwrapped
    }

    deinit { bytes.deallocate() }

    var content: [UInt8] { Array(bytes.prefix(count)) }
    var isIntact: Bool { bytes.dropFirst(count).allSatisfy { $0 == Self.sentinel } }
}

/// Calls `body` with the bytes at an odd address.
func withUnaligned(_ bytes: [UInt8], _ body: (UnsafePointer<UInt8>) throws -> Void) throws {
    try ([0xA5] + bytes).withUnsafeBufferPointer { try body(try #require($0.baseAddress) + 1) }
}

extension Array {
    func every(_ step: Int, from first: Int) -> [Element] { stride(from: first, to: count, by: step).map { self[$0] } }
}

extension YUVColor {
    static var all: [YUVColor] {
        YUVMatrix.allCases.flatMap { matrix in YUVRange.allCases.map { YUVColor(matrix, $0) } }
    }
}

extension YUVFormat {
    /// Every sampling, bit depth and interleaving, with a plane of alpha.
    static var allWithAlpha: [YUVFormat] {
        all.map {
            var format = $0
            format.hasAlpha = true
            return format
        }
    }

    /// Every sampling, bit depth and interleaving, without alpha.
    static var all: [YUVFormat] {
        ChromaSampling.allCases.flatMap { sampling in
            [8, 10].flatMap { depth in
                (sampling == .none ? [false] : [false, true]).map {
                    YUVFormat(sampling, isInterleaved: $0, bitDepth: depth)
                }
            }
        }
    }
}
