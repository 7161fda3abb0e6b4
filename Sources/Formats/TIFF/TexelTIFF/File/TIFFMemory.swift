import PlatformLibc
import TexelCodecs
import TexelCore

/// Memory of a fixed size.
final class TIFFMemory {
    let base: UnsafeMutablePointer<UInt8>

    /// Allocates cleared memory.
    ///
    /// - Throws: `outOfMemory`.
    init(_ count: Int) throws(TexelError) {
        guard let memory = calloc(max(1, count), 1) else { throw .outOfMemory }
        base = memory.assumingMemoryBound(to: UInt8.self)
    }

    deinit { free(base) }
}
