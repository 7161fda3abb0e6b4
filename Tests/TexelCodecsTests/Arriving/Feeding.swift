import Foundation
import Synchronization
import TestSupport
import TexelCore
import TexelPixels

import TexelFormats
@testable import TexelCodecs

/// Runs `work`, which may block, on its own thread, and returns its result without blocking the test's thread.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

extension ArrivingBytes {
    /// Appends a part of `bytes`.
    func append(_ bytes: [UInt8], _ range: Range<Int>) throws(TexelError) {
        let appended = bytes.withUnsafeBytes { raw in
            Result { () throws(TexelError) in try append(UnsafeRawBufferPointer(rebasing: raw[range])) }
        }
        try appended.get()
    }

    /// Appends all of `bytes` in pieces of random sizes, mostly small and sometimes single bytes, and finishes.
    func feed(_ bytes: [UInt8], largest: Int, using generator: inout SeededGenerator) throws(TexelError) {
        var position = 0
        while position < bytes.count {
            let isRunOfSingleBytes = Int.random(in: 0..<8, using: &generator) == 0
            let count = isRunOfSingleBytes ? 1 : Int.random(in: 1...largest, using: &generator)
            let end = min(position + count, bytes.count)
            try append(bytes, position..<end)
            position = end
        }
        finish()
    }
}

/// The result of decoding.
enum Outcome: Equatable, Sendable {
    case image(PixelBuffer, ImageMetadata)
    case failure(TexelError)

    init(_ work: () throws(TexelError) -> DecodedImage) {
        do throws(TexelError) {
            let decoded = try work()
            self = .image(decoded.image, decoded.metadata)
        } catch {
            self = .failure(error)
        }
    }

    /// Decodes the whole file.
    init(_ bytes: [UInt8], _ options: DecodeOptions = DecodeOptions()) {
        self.init { () throws(TexelError) in try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored(options) }
    }

    /// Decodes a file that is arriving; waits for it.
    init(_ bytes: ArrivingBytes, _ options: DecodeOptions = DecodeOptions()) {
        self.init { () throws(TexelError) in
            try CodecRegistry.shared.open(arriving: bytes, stop: options.stop).decodedAsStored(options)
        }
    }

    /// Decodes a file that another thread sends in random pieces.
    static func fed(
        _ bytes: [UInt8], largest: Int, seed: UInt64, _ options: DecodeOptions = DecodeOptions()
    ) async throws -> Outcome {
        let arriving = try ArrivingBytes(expectedCount: nil, limit: 1 << 30)
        async let outcome = onThread { Outcome(arriving, options) }
        var generator = SeededGenerator(seed: seed)
        try arriving.feed(bytes, largest: largest, using: &generator)
        return await outcome
    }

    var isImage: Bool { if case .image = self { true } else { false } }
}

/// A counter that one thread increments and another waits for: synchronisation without timing.
final class HandOver: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func give() { semaphore.signal() }
    func take() { semaphore.wait() }
}
