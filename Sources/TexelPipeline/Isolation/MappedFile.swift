import PlatformLibc
import SystemPackage

/// A read-only mapping of a file.
///
/// Unchecked because of the raw pointer: the mapping is never written, and is unmapped on deinitialisation.
final class MappedFile: @unchecked Sendable {
    let base: UnsafeRawPointer
    private let byteCount: Int

    /// Returns `nil` if `mmap` fails, with the reason in `errno`.
    init?(_ descriptor: FileDescriptor, byteCount: Int) {
        guard let mapping = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor.rawValue, 0), mapping != MAP_FAILED
        else { return nil }
        base = UnsafeRawPointer(mapping)
        self.byteCount = byteCount
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: base), byteCount) }
}
