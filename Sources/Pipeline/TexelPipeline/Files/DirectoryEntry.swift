import PlatformLibc
package import SystemPackage
package import TexelCore

/// A directory entry with its type.
package struct DirectoryEntry {
    package let name: FilePath.Component
    /// `DT_UNKNOWN` if the file system does not report types.
    private let kind: Int

    package var isHidden: Bool { name.string.hasPrefix(".") }

    package func isLink(at path: FilePath) -> Bool {
        switch kind {
        case Int(DT_LNK): true
        case Int(DT_UNKNOWN): path.isLink
        default: false
        }
    }

    /// Lists a directory in no particular order, including hidden files.
    ///
    /// - Throws: `missing`, `cannotRead`.
    package static func list(_ directory: FilePath) throws(TexelError) -> [DirectoryEntry] {
        guard let stream = directory.withPlatformString({ opendir($0) }) else {
            throw TexelError(directory, unreadable: .current)
        }
        let (entries, error) = list(closing: stream)
        if let error { throw .cannotRead(directory, error) }
        return entries
    }

    /// Lists an open directory up to an error, and closes it.
    static func list(closing directory: FileDescriptor) -> [DirectoryEntry] {
        guard let stream = fdopendir(directory.rawValue) else {
            try? directory.close()
            return []
        }
        return list(closing: stream).entries
    }

    private static func list(closing stream: OpaquePointer) -> (entries: [DirectoryEntry], error: Errno?) {
        defer { closedir(stream) }
        var entries: [DirectoryEntry] = []
        while true {
            // `readdir` returns NULL both at the end and on errors; only the latter set `errno`.
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // At most 255 bytes and the terminating zero.
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { FilePath.Component(platformString: $0) }
            }
            if let name { entries.append(DirectoryEntry(name: name, kind: Int(entry.pointee.d_type))) }
        }
        return (entries, errno == 0 ? nil : .current)
    }

    /// Lists the names in a directory in no particular order, including hidden files.
    ///
    /// - Throws: `missing`, `cannotRead`.
    package static func names(in directory: FilePath) throws(TexelError) -> [String] {
        try list(directory).map(\.name.string)
    }
}
