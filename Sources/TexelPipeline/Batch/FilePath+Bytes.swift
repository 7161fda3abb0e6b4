import SystemPackage

// Names of files need not be text, and what is put together of their parts is called as they are, byte for byte.

extension FilePath {
    init(bytes: [UInt8]) {
        self = (bytes + [0]).withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // Never empty: it ends with a zero.
                characters.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
            }
        }
    }

    var bytes: [UInt8] {
        withPlatformString { start in
            var count = 0
            while start[count] != 0 { count += 1 }
            return UnsafeRawBufferPointer(start: start, count: count).map { $0 }
        }
    }

    /// The last name without its extension.
    var stemBytes: [UInt8]? {
        guard let name = lastComponent else { return nil }
        let bytes = FilePath(root: nil, components: name).bytes
        guard name.extension != nil, let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return bytes }
        return Array(bytes[..<dot])
    }
}
