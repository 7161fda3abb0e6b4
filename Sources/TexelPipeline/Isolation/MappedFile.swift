import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The bytes of a file in place, for reading.
///
/// Unchecked because of the raw pointer: nobody writes to the mapping, and it ends with this object.
final class MappedFile: @unchecked Sendable {
    let base: UnsafeRawPointer
    private let byteCount: Int

    /// `nil` with the reason in `errno`.
    init?(_ descriptor: FileDescriptor, byteCount: Int) {
        guard let mapping = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor.rawValue, 0), mapping != MAP_FAILED
        else { return nil }
        base = UnsafeRawPointer(mapping)
        self.byteCount = byteCount
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: base), byteCount) }
}
