import PlatformLibc
package import TexelCodecs
import TexelPixels

/// The source that a video is read from.
package enum VideoInput: Sendable {
    /// Bytes of a file or a pipe, and the file's name, which gives the format of streams without headers.
    case bytes(any VideoBytes, name: String?)
    /// An address with a scheme: `https://…`, `rtsp://…`.
    case address(String)
    /// The device file of a camera.
    case camera(String)
}

/// Bytes that a demuxer reads, on one thread at a time.
package protocol VideoBytes: AnyObject, Sendable {
    /// The number of bytes; `nil` if unknown.
    var count: Int? { get }
    /// Whether reading can go on from any offset.
    var canSeek: Bool { get }

    /// Reads at least one byte. Returns their number, 0 at the end, or a negative number of an error: `-EINTR` if the
    /// caller is to stop.
    func read(into bytes: UnsafeMutableRawBufferPointer) -> Int

    /// Lets the next read begin at an offset. Called only if ``canSeek``.
    func seek(to offset: Int)
}

/// The bytes of a file in memory.
///
/// Unchecked because of the position, which only the one reader uses.
package final class MemoryVideoBytes: VideoBytes, @unchecked Sendable {
    private let bytes: InputBytes
    private var position = 0

    package init(_ bytes: InputBytes) { self.bytes = bytes }

    package var count: Int? { bytes.count }
    package var canSeek: Bool { true }

    package func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        bytes.withUnsafeRawBytes { source in
            guard position < source.count else { return 0 }
            let count = min(target.count, source.count - position)
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[position..<position + count]))
            position += count
            return count
        }
    }

    package func seek(to offset: Int) { position = max(0, offset) }
}

/// The bytes of a regular file, read by offset.
///
/// Unchecked because of the position, which only the one reader uses.
package final class FileVideoBytes: VideoBytes, @unchecked Sendable {
    private let descriptor: CInt
    private let owner: any AnyObject & Sendable
    private var position: Int

    /// - Parameters:
    ///   - descriptor: of a regular file.
    ///   - owner: the object as long as which it is open.
    ///   - position: where the video begins.
    package init(_ descriptor: CInt, owner: any AnyObject & Sendable, from position: Int = 0) {
        (self.descriptor, self.owner, self.position) = (descriptor, owner, position)
    }

    package var count: Int? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
    }

    package var canSeek: Bool { true }

    package func read(into bytes: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = pread(descriptor, bytes.baseAddress, bytes.count, off_t(position))
            if count >= 0 {
                position += count
                return count
            }
            guard errno == EINTR else { return -Int(errno) }
        }
    }

    package func seek(to offset: Int) { position = max(0, offset) }
}
