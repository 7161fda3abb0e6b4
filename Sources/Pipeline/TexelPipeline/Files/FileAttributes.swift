import CExtendedAttributes
import PlatformLibc
package import SystemPackage
package import TexelCodecs

/// The attributes that a file passes on to its replacement: owner, group, permissions and extended attributes,
/// including access control lists.
struct FileAttributes {
    let permissions: FilePermissions
    private let owner: uid_t
    private let group: gid_t
    private let extended: [(name: String, value: [UInt8])]
    /// The number of hard links to the file besides its own name.
    private let otherNameCount: Int

    /// Reads the attributes of a file. Returns `nil` unless it is a regular file. The extended attributes of a file
    /// that cannot be opened for reading are omitted.
    init?(_ place: FilePlace, _ status: FileStatus) {
        guard status.isRegular else { return nil }
        (permissions, owner, group) = (status.permissions, status.owner, status.group)
        otherNameCount = max(0, status.nameCount - 1)
        let descriptor = try? place.open(O_RDONLY | O_NOFOLLOW, [])
        extended = descriptor.map(Self.extended) ?? []
        try? descriptor?.close()
    }

    /// Applies the attributes to a new file.
    ///
    /// - Returns: what the new file lacks, a few words each: what the system refused to set, and hard links.
    /// - Throws: the system's error if the permissions cannot be set.
    func apply(to descriptor: FileDescriptor) throws(Errno) -> [String] {
        var losses: [String] = []
        let handle = descriptor.rawValue
        // Before the permissions, because `fchown` clears the set-user-ID and set-group-ID bits.
        if let status = FileStatus(descriptor), (status.owner, status.group) != (owner, group) {
            if fchown(handle, owner, group) != 0 {
                losses.append(status.owner == owner ? "group" : "owner")
                // Without the right to change the owner, the group may still be changed by one of its members.
                if status.owner != owner, fchown(handle, uid_t.max, group) != 0 { losses.append("group") }
            }
        }
        for (name, value) in extended where !Self.set(name, value, handle) {
            losses.append("extended attribute \(name)")
        }
        if otherNameCount > 0 {
            losses.append(
                otherNameCount == 1
                    ? "a hard link, which leads to the former contents"
                    : "\(otherNameCount) hard links, which lead to the former contents")
        }
        guard fchmod(handle, permissions.rawValue) == 0 else { throw .current }
        return losses
    }

    #if os(Linux)
        private static func extended(_ descriptor: FileDescriptor) -> [(name: String, value: [UInt8])] {
            let names = bytes { flistxattr(descriptor.rawValue, $0.map { UnsafeMutableRawPointer($0) }, $1) } ?? []
            return names.split(separator: 0).compactMap { bytes in
                let name = String(decoding: bytes, as: UTF8.self)
                // These labels depend on the file and are set by the system's security policy.
                guard !name.hasPrefix("security.") else { return nil }
                return Self.bytes { fgetxattr(descriptor.rawValue, name, $0, $1) }.map { (name, $0) }
            }
        }

        /// Calls a function that returns the needed length if it is given no buffer. Returns `nil` if it fails.
        private static func bytes(_ call: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> [UInt8]? {
            let count = call(nil, 0)
            guard count > 0 else { return count == 0 ? [] : nil }
            var answer = [CChar](repeating: 0, count: count)
            // Another process may have changed the value since the first call.
            let length = answer.withUnsafeMutableBufferPointer { call($0.baseAddress, count) }
            return length < 0 ? nil : answer.prefix(length).map { UInt8(bitPattern: $0) }
        }

        private static func set(_ name: String, _ value: [UInt8], _ handle: Int32) -> Bool {
            value.withUnsafeBytes { fsetxattr(handle, name, $0.baseAddress, $0.count, 0) } == 0
        }
    #else
        private static func extended(_ descriptor: FileDescriptor) -> [(name: String, value: [UInt8])] { [] }

        private static func set(_ name: String, _ value: [UInt8], _ handle: Int32) -> Bool { false }
    #endif
}

extension FileDescriptor {
    /// Sets the access and modification times to those of another file.
    func setTimes(of status: FileStatus) throws(Errno) {
        let times = [status.accessed, status.modified]
        guard futimens(rawValue, times) == 0 else { throw .current }
    }
}

extension FilePath {
    /// Whether the path is a regular file with exactly these bytes.
    package func holds(_ content: EncodedBytes) -> Bool {
        guard let status = FileStatus(self), status.isRegular, status.byteCount == content.count,
            let descriptor = try? FileDescriptor.open(self, .readOnly, options: .closeOnExec)
        else { return false }
        defer { try? descriptor.close() }
        var buffer = [UInt8](repeating: 0, count: min(content.count, 1 << 20))
        var position = 0
        while position < content.count {
            let count = buffer.withUnsafeMutableBytes { (try? descriptor.read(into: $0)) ?? 0 }
            guard count > 0, position + count <= content.count,
                buffer[..<count].elementsEqual(content.bytes(position..<(position + count)))
            else { return false }
            position += count
        }
        return true
    }
}
