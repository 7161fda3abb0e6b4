package import SystemPackage

extension FileDescriptor {
    /// Reads until the end of the file, but at most `limit` bytes.
    package func readAll(atMost limit: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < buffer.count {
                // `count` never exceeds the buffer's size, so the slice is valid.
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let read = try self.read(into: rest)
                if read == 0 { break }
                count += read
            }
        }
    }
}
