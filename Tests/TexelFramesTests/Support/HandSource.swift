import TexelCodecs
import TexelCore
import TexelPixels

@testable import TexelFrames

/// A source whose frames the test supplies one by one; all pixels of a frame contain its number.
final class HandSource: FrameSource {
    let format: FrameFormat
    private let pool: FramePool
    private let state = Monitor(State())

    private struct State {
        var waiting: [Int] = []
        var isAtEnd = false
        var failure: TexelError?
        var asked = 0
    }

    init(size: PixelSize = PixelSize(width: 3, height: 2), isLive: Bool = false, buffers: Int = 64) {
        format = FrameFormat(size: size, rate: FrameRate(10), isLive: isLive)
        pool = FramePool(capacity: buffers)
    }

    /// How often a frame was requested.
    var askedCount: Int { state.withLock { $0.asked } }

    /// Waits until frames were requested `count` times.
    func waitUntilAsked(_ count: Int) { state.wait { $0.asked >= count ? () : nil } }

    var freeBufferCount: Int { pool.freeCount }

    func give(_ numbers: some Sequence<Int>) { state.update { $0.waiting += numbers } }

    func end() { state.update { $0.isAtEnd = true } }

    func fail(_ error: TexelError) { state.update { $0.failure = error } }

    func next(_ stop: StopToken) throws(TexelError) -> SourceFrame? {
        state.update { $0.asked += 1 }
        let number = state.wait { state -> Result<Int?, TexelError>? in
            if !state.waiting.isEmpty { return .success(state.waiting.removeFirst()) }
            if let failure = state.failure { return .failure(failure) }
            return state.isAtEnd || stop.isStopped ? .success(nil) : nil
        }
        guard let number = try number.get() else { return nil }
        guard var lease = try pool.lease(byteCount: try Frame.byteCount(format.size)) else { return nil }
        lease.withUnsafeMutableBytes { bytes in
            bytes.bindMemory(to: UInt32.self).update(repeating: 0xFF00_0000 | UInt32(number))
        }
        let time = Duration.milliseconds(100 * number)
        return SourceFrame(
            Frame(lease, size: format.size, alphaMode: .opaque, time: time, index: number))
    }

    /// Wakes waiting threads, so that they notice that the run was stopped.
    func wake() { state.update { _ in } }
}

extension UnsafeMutableBufferPointer {
    fileprivate func update(repeating value: Element) { for index in indices { self[index] = value } }
}
