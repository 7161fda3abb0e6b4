import TexelCodecs
import TexelCore
import TexelPixels

/// Finds the images in a stream of JPEG files by their markers (ITU-T T.81, annex B) and collects the bytes of one.
///
/// Segments are skipped by their length, so embedded thumbnails are not taken for images. Bytes between images, such as
/// the headers of a multipart stream, are skipped.
struct JPEGImageScanner: ~Copyable {
    enum Outcome: Equatable {
        case image
        /// No further image follows.
        case end
        /// The stream ends inside an image.
        case cut
        /// The image has at least this many bytes, more than the limit.
        case tooLarge(Int)
    }

    private var memory: LargeMemory?
    /// The number of bytes of the current image.
    private(set) var count = 0
    private let limit: Int

    private enum Marker {
        static let first: UInt8 = 0xFF
        static let startOfImage: UInt8 = 0xD8
        static let endOfImage: UInt8 = 0xD9

        /// Whether no length follows the marker: a stuffed byte, TEM and RSTn.
        static func standsAlone(_ marker: UInt8) -> Bool { marker <= 0x01 || (0xD0...0xD7).contains(marker) }
    }

    /// Creates a scanner.
    ///
    /// - Parameter limit: The maximum number of bytes of an image, and of the bytes skipped before it.
    init(limit: Int) { self.limit = limit }

    func withUnsafeBytes<Result: ~Copyable>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: memory?.base, count: count))
    }

    /// Collects the next image. An image without an EOI marker ends where the next one begins.
    mutating func next(_ stream: inout ByteStream, _ stop: StopToken) throws(TexelError) -> Outcome {
        count = 0
        guard try findStart(&stream, stop) else { return .end }
        var length = 2
        while true {
            guard count + length <= limit else { return .tooLarge(count + length) }
            guard try append(length, of: &stream, stop), try stream.buffer(1, stop) else { return .cut }
            if stream.byte(0) == Marker.first {
                guard try stream.buffer(2, stop) else { return .cut }
                switch stream.byte(1) {
                // A fill byte; any number of them may precede a marker.
                case Marker.first: length = 1
                case Marker.startOfImage: return .image
                case Marker.endOfImage:
                    guard count + 2 <= limit else { return .tooLarge(count + 2) }
                    return try append(2, of: &stream, stop) ? .image : .cut
                case let marker where Marker.standsAlone(marker): length = 2
                default:
                    guard try stream.buffer(4, stop) else { return .cut }
                    // The length includes its own two bytes.
                    length = 2 + max(2, Int(stream.byte(2)) << 8 | Int(stream.byte(3)))
                }
            } else {
                length = stream.firstIndex(of: Marker.first) ?? stream.bufferedCount
            }
        }
    }

    /// Skips to the start of an image; `false` at the end of the stream.
    private func findStart(_ stream: inout ByteStream, _ stop: StopToken) throws(TexelError) -> Bool {
        var skipped = 0
        while try stream.buffer(1, stop) {
            let junk = stream.firstIndex(of: Marker.first) ?? stream.bufferedCount
            stream.take(junk)
            skipped += junk
            guard skipped <= limit else { throw .invalidStream("no JPEG image was found in \(skipped) bytes") }
            if stream.bufferedCount == 0 { continue }
            guard try stream.buffer(3, stop) else { return false }
            if stream.byte(1) == Marker.startOfImage, stream.byte(2) == Marker.first { return true }
            stream.take(1)
            skipped += 1
        }
        return false
    }

    /// Appends the next bytes of the stream to the image; `false` if the stream ends before.
    private mutating func append(
        _ more: Int, of stream: inout ByteStream, _ stop: StopToken
    ) throws(TexelError) -> Bool {
        let wanted = count + more
        let memory = try memory(atLeast: wanted)
        // In bounds: `memory` holds at least `wanted` bytes.
        let room = UnsafeMutableRawBufferPointer(start: memory.base + count, count: more)
        count += try stream.read(into: room, stop)
        return count == wanted
    }

    private mutating func memory(atLeast byteCount: Int) throws(TexelError) -> LargeMemory {
        if let memory, memory.byteCount >= byteCount { return memory }
        let capacity = max(256 * 1024, 2 * byteCount)
        guard let larger = LargeMemory(byteCount: capacity) else { throw .outOfMemory(byteCount: capacity) }
        if let memory { larger.base.copyMemory(from: memory.base, byteCount: count) }
        memory = larger
        return larger
    }
}
