import CMappedFiles
import PlatformLibc
import Synchronization
import SystemPackage
import TexelCodecs
import TexelCore

/// A read-only mapping of a file. The system reads the file as its bytes are needed, and no copy is in memory.
///
/// Bytes that the file has lost because it was shortened meanwhile read as zeros; then there is a ``failure``.
///
/// Unchecked because of the raw pointer: the mapping is never written, and is unmapped on deinitialisation.
final class MappedFile: @unchecked Sendable, ReloadableMemory {
    let base: UnsafeRawPointer
    private let byteCount: Int
    /// `nil` for a file that cannot become shorter.
    private let protection: Protection?
    private let releasedCount = Atomic(0)

    private struct Protection {
        let guardNumber: CInt
        /// Tells the size of the file, because the end of its last page reads as zeros without a signal.
        let descriptor: FileDescriptor
        let path: FilePath
    }

    /// How many bytes are released at a time; a multiple of every page size.
    private static let releaseStep = 2 << 20

    /// Maps the file of a descriptor, which may be closed afterwards.
    ///
    /// - Parameter path: of the file, for the ``failure``; `nil` for a file that cannot become shorter.
    /// - Returns: `nil` if that fails, with the reason in `errno`.
    init?(_ descriptor: FileDescriptor, byteCount: Int, path: FilePath?) {
        guard let mapping = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor.rawValue, 0), mapping != MAP_FAILED
        else { return nil }
        base = UnsafeRawPointer(mapping)
        self.byteCount = byteCount
        guard let path else {
            protection = nil
            return
        }
        let guardNumber = texel_guard_mapping(mapping, byteCount)
        let copy = fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 0)
        guard guardNumber >= 0, copy >= 0 else {
            if guardNumber >= 0 { texel_end_guard(guardNumber) }
            if copy >= 0 { close(copy) }
            munmap(mapping, byteCount)
            errno = EAGAIN
            return nil
        }
        protection = Protection(
            guardNumber: guardNumber, descriptor: FileDescriptor(rawValue: copy), path: path)
    }

    deinit {
        if let protection {
            texel_end_guard(protection.guardNumber)
            try? protection.descriptor.close()
        }
        munmap(UnsafeMutableRawPointer(mutating: base), byteCount)
    }

    /// The error of a file that has become shorter, or of which a part could not be read, so that what was read of it
    /// may be zeros.
    var failure: TexelError? {
        guard let protection else { return nil }
        guard let status = FileStatus(protection.descriptor) else { return .cannotRead(protection.path, .current) }
        if status.byteCount < byteCount { return .shortened(protection.path) }
        return texel_guard_has_missed(protection.guardNumber) ? .cannotRead(protection.path, .ioError) : nil
    }

    func release(before offset: Int) {
        let released = releasedCount.load(ordering: .relaxed)
        // Another decoder begins at the start.
        if offset < released { return releasedCount.store(0, ordering: .relaxed) }
        let count = (offset - released) / Self.releaseStep * Self.releaseStep
        guard count > 0 else { return }
        _ = madvise(UnsafeMutableRawPointer(mutating: base + released), count, MADV_DONTNEED)
        releasedCount.store(released + count, ordering: .relaxed)
    }
}
