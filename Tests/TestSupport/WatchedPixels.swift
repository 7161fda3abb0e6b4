import Synchronization
import TexelCodecs
public import TexelCore
public import TexelPixels

/// Records at each poll of its stop token whether the pixels have been freed.
public final class WatchedPixels: Sendable {
    private let isGone = Atomic(false)
    private let notes = Mutex<[Bool]>([])

    public init() {}

    /// Returns an opaque image; must be called once.
    public func make(width: Int, height: Int) throws -> PixelBuffer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * width * height, alignment: 64)
        let pixels = memory.bindMemory(to: UInt32.self)
        for index in pixels.indices { pixels.initializeElement(at: index, to: 0xFF00_0000 | UInt32(index) &* 0x1357) }
        return try PixelBuffer(
            adopting: memory, width: width, height: height, bytesPerRow: 4 * width, alphaMode: .opaque
        ) { address in
            address.deallocate()
            self.isGone.store(true, ordering: .relaxed)
        }
    }

    public var stop: StopToken {
        StopToken {
            self.notes.withLock { $0.append(self.isGone.load(ordering: .relaxed)) }
            return nil
        }
    }

    /// The share of polls, 0…1, after the pixels were freed.
    public var shareWithoutPixels: Double {
        notes.withLock { notes in Double(notes.count { $0 }) / Double(max(notes.count, 1)) }
    }
}
