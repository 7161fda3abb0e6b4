import PlatformLibc
import Synchronization
import SystemPackage
import TexelPixels

/// The number of bytes that all processes together store in a cache: a number in a small file in its folder, changed
/// under a lock.
///
/// Bytes are added before they are written. If a process dies in between, the number is too high, and the files are
/// counted again sooner.
final class CacheUsage: Sendable {
    struct Record: Sendable, Hashable {
        var byteCount: Int
        /// The time when the files were last counted, in seconds since 1970.
        var countedAt: Int
    }

    private static let signature = Array("TEXELUSE".utf8)
    private static let size = 24
    /// How many times to try a lock that another process holds. Locks are held for microseconds, unless the process
    /// was stopped.
    private static let attempts = 1000

    private let file: FilePath
    /// Only one thread of this process tries the lock at a time, so that the others do not add system calls.
    private let gate = Mutex(())

    init(_ file: FilePath) { self.file = file }

    /// Reads the current record. Returns `nil` if there is none.
    func read() -> Record? {
        guard
            let descriptor = try? FileDescriptor.open(
                file, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        else {
            return nil
        }
        defer { try? descriptor.close() }
        return Self.read(descriptor)
    }

    /// Changes the record under the lock.
    ///
    /// - Returns: the value of `change`; `nil` if another process kept the lock, and nothing was changed.
    /// - Throws: the system's error; `noSuchFileOrDirectory` if the folder is missing.
    func update<Value: Sendable>(_ change: @Sendable (inout Record?) -> Value) throws(Errno) -> Value? {
        let result = gate.withLock { _ in
            Result { () throws(Errno) in try updateAlone(change) }
        }
        return try result.get()
    }

    private func updateAlone<Value>(_ change: (inout Record?) -> Value) throws(Errno) -> Value? {
        do {
            let descriptor = try FileDescriptor.open(
                file, .readWrite, options: [.create, .closeOnExec, .noFollow], permissions: .ownerReadWrite)
            defer { try? descriptor.close() }
            for _ in 0..<Self.attempts {
                guard descriptor.takeLock() else {
                    sched_yield()
                    continue
                }
                defer { descriptor.releaseLock() }
                let old = Self.read(descriptor)
                var record = old
                let value = change(&record)
                if let record, record != old { try Self.write(record, to: descriptor) }
                return value
            }
            return nil
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    private static func read(_ descriptor: FileDescriptor) -> Record? {
        let bytes = try? [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = try descriptor.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
        guard let bytes, bytes.count == size, bytes.starts(with: signature) else { return nil }
        let record = Record(byteCount: bytes.littleEndian(8, at: 8), countedAt: bytes.littleEndian(8, at: 16))
        return record.byteCount >= 0 ? record : nil
    }

    private static func write(_ record: Record, to descriptor: FileDescriptor) throws {
        let numbers = [record.byteCount, record.countedAt].flatMap { [UInt8](littleEndian: $0, count: 8) }
        try descriptor.writeAll(toAbsoluteOffset: 0, signature + numbers)
    }
}
