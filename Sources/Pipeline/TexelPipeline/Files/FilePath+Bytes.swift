package import SystemPackage

// File names need not be valid text, so paths are assembled from bytes.

extension FilePath {
    /// Makes a path of bytes without a terminating zero.
    package init(bytes: [UInt8]) {
        self = (bytes + [0]).withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // Not empty, because of the terminating zero.
                characters.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
            }
        }
    }

    /// The bytes of the path.
    package var bytes: [UInt8] {
        withPlatformString { start in
            var count = 0
            while start[count] != 0 { count += 1 }
            return UnsafeRawBufferPointer(start: start, count: count).map { $0 }
        }
    }

    /// The bytes of the last component without its extension.
    package var stemBytes: [UInt8]? {
        guard let name = lastComponent else { return nil }
        let bytes = FilePath(root: nil, components: name).bytes
        guard name.extension != nil, let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return bytes }
        return Array(bytes[..<dot])
    }
}
