import PlatformLibc
import Synchronization
import SystemPackage

/// The name of a file or folder beside its target until it is complete. All such names in use are removed if an
/// interruption ends the process at once.
final class HiddenName: Sendable {
    let place: FilePlace
    /// Unique within this process.
    private let number: Int

    private static let all = Mutex<[Int: FilePlace]>([:])
    /// Starts at a random number, because processes in different containers that share a folder may have the same ID.
    private static let counter = Atomic(Int.random(in: 0..<1 << 32))
    private static let suffix = ".unfinished"

    /// Chooses a name.
    ///
    /// - Parameters:
    ///   - target: the name that the file or folder will get.
    ///   - directory: where the hidden name is; `nil` for the target's directory.
    init(_ target: FilePlace, in directory: FilePath? = nil) {
        number = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
        // Names are limited to 255 bytes; the first 40 of the target's are enough to recognise it. A limit in
        // characters would not bound the bytes.
        let beginning = String(decoding: (target.name.lastComponent?.string ?? "output").utf8.prefix(40), as: UTF8.self)
        let end = "texel-\(getpid())-\(number)\(Self.suffix)"
        let name = FilePath.Component(".\(beginning).\(end)") ?? FilePath.Component(".\(end)") ?? "texel"
        place = directory.map { FilePlace($0.appending(name)) } ?? target.sibling(name)
    }

    /// Makes a file or folder with a hidden name and locks it, so that no other process takes it for one that is left.
    ///
    /// - Parameters:
    ///   - target: the name that it will get.
    ///   - directory: where the hidden name is; `nil` for the target's directory.
    ///   - make: makes and opens it.
    static func made(
        for target: FilePlace, in directory: FilePath? = nil,
        _ make: (FilePlace) throws(Errno) -> FileDescriptor
    ) throws(Errno) -> (HiddenName, FileDescriptor) {
        // Another process may find it before it is locked, and remove it.
        for _ in 0..<attemptCount {
            let name = HiddenName(target, in: directory)
            name.register()
            do throws(Errno) {
                let descriptor = try make(name.place)
                _ = descriptor.takeLock()
                let status = FileStatus(name.place, followsLinks: false)
                if let status, status.identity == FileStatus(descriptor)?.identity { return (name, descriptor) }
                try? descriptor.close()
                name.forget()
            } catch {
                name.forget()
                throw error
            }
        }
        throw .noSuchFileOrDirectory
    }

    private static let attemptCount = 5

    /// Records that the name is in use.
    func register() { Self.all.withLock { $0[number] = place } }

    /// Records that the name is no longer in use.
    func forget() { Self.all.withLock { _ = $0.removeValue(forKey: number) } }

    /// Removes what has the name, if the name is in use.
    func remove() {
        let isUsed = Self.all.withLock { $0.removeValue(forKey: number) != nil }
        if isUsed { place.removeTree() }
    }

    /// Removes everything with a hidden name of this process.
    static func removeAll() {
        for place in all.withLock({ Array($0.values) }) { place.removeTree() }
    }

    /// Whether a name may be a hidden one of any process: `.photo.jpg.texel-4711-1.unfinished`.
    static func isHidden(_ name: FilePath.Component) -> Bool {
        let parts = name.string.split(separator: ".")
        guard name.string.hasPrefix("."), parts.count > 1, parts.last == suffix.dropFirst() else { return false }
        let numbers = parts[parts.count - 2].split(separator: "-")
        return numbers.count == 3 && numbers[0] == "texel" && numbers.dropFirst().allSatisfy { Int($0) != nil }
    }
}
