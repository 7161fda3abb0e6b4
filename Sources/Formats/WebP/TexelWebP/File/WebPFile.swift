import TexelCodecs
import TexelCore
import TexelPixels

/// The structure of a WebP file (RFC 9649, 2): a RIFF container with one image, or with the frames of an animation.
struct WebPFile: Sendable {
    /// An image without its metadata: an optional ALPH chunk, and a VP8 or VP8L chunk.
    struct Bitstream: Sendable {
        /// The VP8 or VP8L chunk with its header. The file may end before.
        var image: Range<Int>
        /// The ALPH chunk with its header. Other chunks may follow it.
        var alpha: Range<Int>?
        /// All bytes from the first chunk to the end of the last one.
        var range: Range<Int> { (alpha ?? image).lowerBound..<image.upperBound }
        /// The chunks in a file, without others between them.
        func chunks(of bytes: InputBytes) -> [Slice<InputBytes>] {
            [alpha, image].compactMap { $0 }.map { bytes[$0] }
        }
        var size: PixelSize
        var isLossless: Bool
        var hasAlpha: Bool
    }

    /// A frame of an animation: the ANMF chunk's fields and its image.
    struct Frame: Sendable {
        var area: PixelRectangle
        var milliseconds: Int
        var blends: Bool
        var clears: Bool
        var bitstream: Bitstream
    }

    let bytes: InputBytes
    /// The size of the image, or of the canvas.
    private(set) var size = PixelSize(width: 0, height: 0)
    private(set) var hasAlpha = false
    /// The image, or the first frame's.
    private(set) var bitstream: Bitstream?
    /// The number of times to play an animation, 0 for endless; `nil` for a still image.
    private(set) var playCount: Int?
    private(set) var frames: [Frame] = []
    /// Why there are fewer frames than in the whole file; `nil` if there are not.
    private(set) var fault: TexelError?
    /// The profile of the colours, which are always RGB; `nil` without one.
    private(set) var profile: EmbeddedProfile?
    private(set) var exif: Range<Int>?
    private(set) var xmp: Range<Int>?
    /// Whether the header depends on the end of the file.
    private(set) var needsWholeFile = false
    /// Whether the file has all bytes of its container.
    private(set) var isWhole = true

    /// RIFF, the file's size, WEBP.
    static let signatureSize = 12

    /// Reads the header: all chunks up to the image; all of the file if it is an animation, or if metadata follow.
    ///
    /// - Throws: `truncated`, `damaged`, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        self.bytes = bytes
        var walk = Walk(bytes: bytes, limits: limits, stop: stop)
        guard let first = try walk.next() else { throw .truncated(rowsRead: 0, rows: 0) }
        guard first.name == "VP8X" else {
            let image = try Self.bitstream(first, bytes, stop)
            (bitstream, size, hasAlpha) = (image, image.size, image.hasAlpha)
            try limits.check(size)
            return
        }
        try readExtended(first, &walk)
    }

    /// Reads a file that begins with the chunk VP8X (RFC 9649, 2.7).
    private mutating func readExtended(_ header: WebPChunk, _ walk: inout Walk) throws(TexelError) {
        guard header.data.count >= 10 else { throw .webP(.corrupt("the VP8X chunk is too short")) }
        guard try bytes.has(header.data.lowerBound + 10, walk.stop) else { throw .truncated(rowsRead: 0, rows: 0) }
        let (flags, at) = (bytes[header.data.lowerBound], header.data.lowerBound)
        size = PixelSize(width: bytes.littleEndian(3, at: at + 4) + 1, height: bytes.littleEndian(3, at: at + 7) + 1)
        try walk.limits.check(size)
        let isAnimation = flags & 0x02 != 0
        hasAlpha = flags & 0x10 != 0
        // EXIF has the orientation, and follows the image.
        needsWholeFile = isAnimation || flags & 0x0C != 0
        if isAnimation { playCount = 1 }
        do throws(TexelError) {
            while try readNext(&walk, isAnimation: isAnimation) {}
        } catch {
            // The image or the first frames can still be decoded.
            guard bitstream != nil, error.kind == .damaged else { throw error }
            fault = error
        }
        isWhole = !walk.isCut
        if isAnimation, !frames.isEmpty, !coversCanvas { hasAlpha = true }
        if isAnimation, fault == nil, walk.isCut { fault = .truncated(rowsRead: 0, rows: size.height) }
        guard bitstream != nil else { throw walk.isAtEnd ? .truncated(rowsRead: 0, rows: 0) : .webP(.missing("image")) }
    }

    /// Reads the next chunk.
    ///
    /// - Returns: whether the header needs another one.
    private mutating func readNext(_ walk: inout Walk, isAnimation: Bool) throws(TexelError) -> Bool {
        guard let chunk = try walk.next() else { return false }
        switch chunk.name {
        case "ICCP" where profile == nil:
            profile = try walk.metadata(chunk).map { EmbeddedProfile(Array(bytes[$0]), for: [.rgb]) }
        case "EXIF" where exif == nil: exif = try walk.metadata(chunk)
        case "XMP " where xmp == nil: xmp = try walk.metadata(chunk)
        case "ANIM" where isAnimation:
            guard chunk.data.count >= 6 else { throw .webP(.corrupt("the ANIM chunk is too short")) }
            guard try bytes.has(chunk.data.lowerBound + 6, walk.stop) else { return false }
            playCount = bytes.littleEndian(2, at: chunk.data.lowerBound + 4)
        case "ANMF" where isAnimation:
            guard frames.count < walk.limits.frames else {
                throw .limitExceeded(.frames, value: frames.count + 1, allowed: walk.limits.frames)
            }
            guard let frame = try frame(chunk, &walk) else { return false }
            frames.append(frame)
            bitstream = bitstream ?? frame.bitstream
        case "ALPH" where !isAnimation && bitstream == nil:
            walk.alpha = chunk.range
        case "VP8 ", "VP8L":
            guard !isAnimation, bitstream == nil else { break }
            var image = try Self.bitstream(chunk, bytes, walk.stop)
            guard image.size == size else {
                throw .webP(.corrupt("the image has \(image.size) pixels, but the canvas \(size)"))
            }
            if !image.isLossless {
                // The header may announce alpha that the image does not have.
                hasAlpha = walk.alpha != nil
                image.alpha = walk.alpha
            }
            image.hasAlpha = hasAlpha
            bitstream = image
        default: break
        }
        return bitstream == nil || needsWholeFile || bytes.wholeCount != nil
    }

    // MARK: Frames

    /// Whether every frame shows an opaque image. Where no frame is drawn, the canvas is transparent, whatever the
    /// flags of the file and its background colour say: libwebp's decoder of animations and browsers show it so.
    private var coversCanvas: Bool {
        CanvasCoverage.isAlwaysComplete(size, frames.map { ($0.animationFrame, !$0.bitstream.hasAlpha) })
    }

    /// Reads a frame (RFC 9649, 2.7.1.1); `nil` if the file ends in its header.
    private func frame(_ chunk: WebPChunk, _ walk: inout Walk) throws(TexelError) -> Frame? {
        let at = chunk.data.lowerBound
        guard chunk.data.count >= 16 else { throw .webP(.corrupt("frame \(frames.count) has no header")) }
        guard try bytes.has(at + 16, walk.stop) else { return nil }
        let area = PixelRectangle(
            x: 2 * bytes.littleEndian(3, at: at), y: 2 * bytes.littleEndian(3, at: at + 3),
            width: bytes.littleEndian(3, at: at + 6) + 1, height: bytes.littleEndian(3, at: at + 9) + 1)
        guard area.isInside(size) else {
            throw .webP(.corrupt("frame \(frames.count) is not inside the canvas of \(size) pixels"))
        }
        var (position, alpha): (Int, Range<Int>?) = (at + 16, nil)
        while position + WebPChunk.headerSize <= chunk.data.upperBound {
            guard let part = try WebPChunk(bytes, at: position, walk.stop) else { return nil }
            try walk.count()
            guard part.data.upperBound <= chunk.data.upperBound else { break }
            if part.name == "ALPH" { alpha = part.range }
            if part.name == "VP8 " || part.name == "VP8L" {
                // Without its last byte, a frame is not complete; the one before it is the last.
                guard try bytes.has(part.data.upperBound, walk.stop) || frames.isEmpty else { return nil }
                var image = try Self.bitstream(part, bytes, walk.stop)
                guard image.size == area.size else {
                    throw .webP(.corrupt("frame \(frames.count) has \(image.size) pixels instead of \(area.size)"))
                }
                if let alpha, !image.isLossless {
                    image.alpha = alpha
                    image.hasAlpha = true
                }
                return Frame(
                    area: area, milliseconds: bytes.littleEndian(3, at: at + 12), blends: bytes[at + 15] & 2 == 0,
                    clears: bytes[at + 15] & 1 != 0, bitstream: image)
            }
            position = part.end
        }
        throw .webP(.corrupt("frame \(frames.count) has no image"))
    }

    // MARK: Images

    /// Reads the header of a VP8 or VP8L chunk.
    private static func bitstream(
        _ chunk: WebPChunk, _ bytes: InputBytes, _ stop: StopToken?
    ) throws(TexelError) -> Bitstream {
        let isLossless = chunk.name == "VP8L"
        guard isLossless || chunk.name == "VP8 " else { throw .webP(.missing("image")) }
        let (at, headerSize) = (chunk.data.lowerBound, isLossless ? 5 : 10)
        guard chunk.data.count >= headerSize else { throw .webP(.corrupt("the image is too short")) }
        guard try bytes.has(at + headerSize, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
        var size: PixelSize
        var hasAlpha = false
        if isLossless {
            // RFC 9649, 3.4: the signature, 14 bits each for width - 1 and height - 1, alpha, 3 bits of version.
            let bits = bytes.littleEndian(4, at: at + 1)
            guard bytes[at] == 0x2F else { throw .webP(.invalidValue(Int(bytes[at]), of: "VP8L signature")) }
            guard bits >> 29 == 0 else { throw .webP(.invalidValue(bits >> 29, of: "VP8L version")) }
            size = PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
            hasAlpha = bits >> 28 & 1 == 1
        } else {
            // RFC 6386, 9.1: the tag of a key frame, the start code, 14 bits each for width and height.
            guard bytes[at] & 1 == 0 else { throw .webP(.corrupt("the image is not a VP8 key frame")) }
            guard bytes.littleEndian(3, at: at + 3) == 0x2A019D else { throw .webP(.corrupt("VP8 start code")) }
            size = PixelSize(
                width: bytes.littleEndian(2, at: at + 6) & 0x3FFF, height: bytes.littleEndian(2, at: at + 8) & 0x3FFF)
        }
        guard size.isPositive else { throw .webP(.invalidDimensions(width: size.width, height: size.height)) }
        return Bitstream(image: chunk.range, size: size, isLossless: isLossless, hasAlpha: hasAlpha)
    }

    // MARK: Chunks

    /// Visits the chunks of the file.
    private struct Walk {
        let bytes: InputBytes
        let limits: Limits
        let stop: StopToken?
        private var position = WebPFile.signatureSize
        private var chunkCount = 0
        private(set) var isAtEnd = false
        /// The ALPH chunk.
        var alpha: Range<Int>?

        init(bytes: InputBytes, limits: Limits, stop: StopToken?) {
            self.bytes = bytes
            self.limits = limits
            self.stop = stop
        }

        /// The next chunk; `nil` at the end of the container or of the file.
        mutating func next() throws(TexelError) -> WebPChunk? {
            guard try bytes.has(WebPFile.signatureSize, stop),
                position + WebPChunk.headerSize <= bytes.littleEndian(4, at: 4) + 8,
                let chunk = try WebPChunk(bytes, at: position, stop)
            else {
                isAtEnd = true
                return nil
            }
            try count()
            position = chunk.end
            return chunk
        }

        /// Whether the file has arrived and ends before the container does.
        var isCut: Bool { bytes.wholeCount.map { $0 < bytes.littleEndian(4, at: 4) + 8 } ?? false }

        /// Counts a chunk.
        mutating func count() throws(TexelError) {
            chunkCount += 1
            guard chunkCount <= limits.chunks else {
                throw .limitExceeded(.chunks, value: chunkCount, allowed: limits.chunks)
            }
        }

        /// Returns the data of a chunk of metadata; `nil` if the file ends before.
        func metadata(_ chunk: WebPChunk) throws(TexelError) -> Range<Int>? {
            guard chunk.data.count <= limits.metadataBytes else {
                throw .limitExceeded(.metadataBytes, value: chunk.data.count, allowed: limits.metadataBytes)
            }
            return try bytes.has(chunk.data.upperBound, stop) ? chunk.data : nil
        }
    }
}

extension WebPFile.Frame {
    /// The frame without its image.
    var animationFrame: AnimationFrame {
        AnimationFrame(
            area: area, delay: FrameDelay(milliseconds, 1000), disposal: clears ? .background : .none,
            blending: blends ? .over : .source)
    }
}
