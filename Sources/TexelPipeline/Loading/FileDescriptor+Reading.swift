package import SystemPackage

extension FileDescriptor {
    /// What comes until the end, but no more than `limit` bytes.
    package func readAll(atMost limit: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while count < buffer.count {
                // Within the buffer: `count` is what was read so far.
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let read = try self.read(into: rest)
                if read == 0 { break }
                count += read
            }
        }
    }
}
