import Synchronization
package import TexelCodecs
package import TexelCore

/// An output file in memory, which can be full.
package final class StoredOutput: OutputFile {
    private let bytes = Mutex<[UInt8]>([])
    private let capacity: Int

    private init(capacity: Int) { self.capacity = capacity }

    /// Outputs of more than `byteLimit` bytes go to files that have room for `capacity` bytes.
    package static func overflow(_ byteLimit: Int, capacity: Int = .max) -> OutputOverflow {
        OutputOverflow(byteLimit: byteLimit) { StoredOutput(capacity: capacity) }
    }

    package var count: Int { bytes.withLock { $0.count } }

    package func append(_ new: UnsafeRawBufferPointer) throws(TexelError) {
        let isFull = bytes.withLock { bytes in
            bytes += new
            return bytes.count > capacity
        }
        if isFull { throw .stopped(.outputFailed) }
    }

    package func contents(_ range: Range<Int>) -> [UInt8] { bytes.withLock { Array($0[range]) } }
}
