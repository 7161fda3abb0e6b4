import TexelPixels

/// Finds the pictures in a stream of JPEG files by their markers (ITU-T T.81, annex B), and collects the bytes of one.
///
/// Segments are passed over by their lengths, so thumbnails inside them are not taken for pictures. What lies between
/// pictures, such as the headers of a multipart stream, is passed over.
struct JPEGPictureScanner: ~Copyable {
    enum Outcome: Equatable {
        case picture
        /// No other picture follows.
        case end
        /// The stream ends inside a picture.
        case cut
        /// A picture of at least so many bytes.
        case tooLarge(Int)
    }

    private var memory: LargeMemory?
    /// The bytes of the picture.
    private(set) var count = 0
    private let limit: Int

    private enum Marker {
        static let first: UInt8 = 0xFF
        static let startOfImage: UInt8 = 0xD8
        static let endOfImage: UInt8 = 0xD9

        /// A filled byte of the pixels, RSTn and TEM: no length follows.
        static func standsAlone(_ marker: UInt8) -> Bool { marker <= 0x01 || (0xD0...0xD7).contains(marker) }
    }

    /// - Parameter limit: the most bytes a picture may have, and those between two pictures.
    init(limit: Int) { self.limit = limit }

    func withUnsafeBytes<Result: ~Copyable>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: memory?.base, count: count))
    }

    /// Collects the next picture. One that another begins in, without an end of its own, ends there.
    mutating func next(_ stream: inout ByteStream, _ stop: FrameStop) throws(FrameError) -> Outcome {
        count = 0
        guard try findStart(&stream, stop) else { return .end }
        var length = 2
        while true {
            guard count + length <= limit else { return .tooLarge(count + length) }
            guard try append(length, of: &stream, stop), try stream.buffer(1, stop) else { return .cut }
            if stream.byte(0) == Marker.first {
                guard try stream.buffer(2, stop) else { return .cut }
                switch stream.byte(1) {
                // Any number of these bytes may come before a marker.
                case Marker.first: length = 1
                case Marker.startOfImage: return .picture
                case Marker.endOfImage:
                    guard count + 2 <= limit else { return .tooLarge(count + 2) }
                    return try append(2, of: &stream, stop) ? .picture : .cut
                case let marker where Marker.standsAlone(marker): length = 2
                default:
                    guard try stream.buffer(4, stop) else { return .cut }
                    // A length counts its own two bytes.
                    length = 2 + max(2, Int(stream.byte(2)) << 8 | Int(stream.byte(3)))
                }
            } else {
                length = stream.firstIndex(of: Marker.first) ?? stream.bufferedCount
            }
        }
    }

    /// Stops before the first bytes of a picture.
    private func findStart(_ stream: inout ByteStream, _ stop: FrameStop) throws(FrameError) -> Bool {
        var skipped = 0
        while try stream.buffer(1, stop) {
            let junk = stream.firstIndex(of: Marker.first) ?? stream.bufferedCount
            stream.take(junk)
            skipped += junk
            guard skipped <= limit else { throw .invalidStream("\(skipped) bytes without a JPEG picture") }
            if stream.bufferedCount == 0 { continue }
            guard try stream.buffer(3, stop) else { return false }
            if stream.byte(1) == Marker.startOfImage, stream.byte(2) == Marker.first { return true }
            stream.take(1)
            skipped += 1
        }
        return false
    }

    /// `false` where the stream ends before.
    private mutating func append(
        _ more: Int, of stream: inout ByteStream, _ stop: FrameStop
    ) throws(FrameError) -> Bool {
        let wanted = count + more
        let memory = try memory(atLeast: wanted)
        // `count..<wanted` lies in the memory.
        let room = UnsafeMutableRawBufferPointer(start: memory.base + count, count: more)
        count += try stream.read(into: room, stop)
        return count == wanted
    }

    private mutating func memory(atLeast byteCount: Int) throws(FrameError) -> LargeMemory {
        if let memory, memory.byteCount >= byteCount { return memory }
        let capacity = max(256 * 1024, 2 * byteCount)
        guard let larger = LargeMemory(byteCount: capacity) else { throw .outOfMemory(byteCount: capacity) }
        if let memory { larger.base.copyMemory(from: memory.base, byteCount: count) }
        memory = larger
        return larger
    }
}
