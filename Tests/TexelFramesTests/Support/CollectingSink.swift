import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelFrames

/// Records the delivered frames; a gate can hold frames back.
final class CollectingSink: FrameSink {
    let isLive: Bool
    private let state = Monitor(State())

    struct Delivery: Equatable {
        var index: Int
        var time: Duration
        var firstPixel: UInt32
        var lastPixel: UInt32
        var size: PixelSize
    }

    private struct State {
        var deliveries: [Delivery] = []
        var isFinished = false
        /// The number of frames that may pass; `nil` for all.
        var allowance: Int?
        /// The number of frames that have reached the gate.
        var arrived = 0
        var failure: (index: Int, error: TexelError)?
    }

    init(isLive: Bool = false, allowance: Int? = nil) {
        self.isLive = isLive
        state.withLock { $0.allowance = allowance }
    }

    var deliveries: [Delivery] { state.withLock { $0.deliveries } }
    var indices: [Int] { deliveries.map(\.index) }
    var isFinished: Bool { state.withLock { $0.isFinished } }

    func allow(_ count: Int) { state.update { $0.allowance = ($0.allowance ?? 0) + count } }
    func allowAll() { state.update { $0.allowance = nil } }
    func fail(at index: Int, with error: TexelError) { state.withLock { $0.failure = (index, error) } }

    /// Waits until `count` frames have reached the gate.
    func waitForArrivals(_ count: Int) { state.wait { $0.arrived >= count ? () : nil } }

    /// Waits until `count` frames were delivered.
    func waitForDeliveries(_ count: Int) { state.wait { $0.deliveries.count >= count ? () : nil } }

    func makeWriter(for stream: FrameStream) -> any FrameWriter { Writer(sink: self) }

    func finish() { state.update { $0.isFinished = true } }

    private final class Writer: FrameWriter {
        let sink: CollectingSink
        init(sink: CollectingSink) { self.sink = sink }

        func write(_ frame: borrowing Frame) throws(TexelError) {
            let (width, height, bytesPerRow) = (frame.width, frame.height, frame.bytesPerRow)
            let (first, last) = frame.withUnsafeBytes { bytes in
                (
                    bytes.load(as: UInt32.self),
                    bytes.load(fromByteOffset: (height - 1) * bytesPerRow + (width - 1) * 4, as: UInt32.self)
                )
            }
            let delivery = Delivery(
                index: frame.index, time: frame.time, firstPixel: first, lastPixel: last, size: frame.size)
            sink.state.update { $0.arrived += 1 }
            let failure = sink.state.wait { state -> TexelError?? in
                // A frame that is to fail waits at the gate like any other.
                if let allowance = state.allowance, allowance <= state.deliveries.count { return nil }
                return .some(state.failure.flatMap { $0.index == delivery.index ? $0.error : nil })
            }
            if let failure { throw failure }
            sink.state.update { $0.deliveries.append(delivery) }
        }
    }
}
