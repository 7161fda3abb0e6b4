import TexelCodecs
import TexelCore
import TexelPixels

/// The chunks of a PNG file (PNG specification, third edition, section 5). Their contents are not decoded.
struct PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Returns whether the first bytes are a PNG signature that a transfer has damaged.
    static func isDamagedSignature(_ head: [UInt8]) -> Bool {
        let namesPNG = head.count >= 4 && head[1...].prefix(3).elementsEqual("PNG".utf8)
        let mangled = head.count >= 8 && zip(head, signature).count(where: { $0 == $1 }) >= 6
        // Line-ending conversions add or remove a byte before the first chunk.
        let header = Array("IHDR".utf8)
        let beginsWithHeader = (11...12).contains { head.count >= $0 + 4 && head[$0..<($0 + 4)].elementsEqual(header) }
        return namesPNG || mangled || beginsWithHeader
    }

    struct Chunk {
        var name: String
        /// The range of its data in the file, without length, name and checksum.
        var data: Range<Int>
        /// The range of the whole chunk in the file.
        var whole: Range<Int> { (data.lowerBound - 8)..<(data.upperBound + 4) }
        /// Whether decoders must understand it: its name begins with a capital letter.
        var isCritical: Bool { name.utf8.first.map { $0 & 0x20 == 0 } ?? false }
    }

    struct Header: Hashable {
        var width: Int
        var height: Int
        var bitDepth: Int
        var colorType: Int
        var isInterlaced: Bool

        /// The number of bits of a stored pixel.
        var bitsPerPixel: Int { ([2: 3, 4: 2, 6: 4][colorType] ?? 1) * bitDepth }

        /// The size of all filtered rows in bytes, without interlacing; an interlaced image has a little more.
        var inflatedBytes: Int {
            // Sides are below 2³¹, so only the last product can overflow.
            let (bytes, isTooLarge) = ((width * bitsPerPixel + 7) / 8 + 1).multipliedReportingOverflow(by: height)
            return isTooLarge ? .max : bytes
        }
    }

    let bytes: InputBytes

    /// How many bytes of a chunk are read at a time.
    static let step = 1 << 20

    /// All complete chunks in file order. Ends at the end of the file or at an invalid chunk. Waits for the whole file.
    var chunks: [Chunk] {
        var found: [Chunk] = []
        // Needs no stop token: the wait ends with the input or its failure.
        while found.last?.name != "IEND",
            let chunk = try? chunk(at: found.last?.whole.upperBound ?? Self.signature.count, nil)
        {
            found.append(chunk)
        }
        return found
    }

    /// Returns the chunk at `position`; `nil` if the file ends before the end of the chunk. Waits until that is known.
    ///
    /// - Throws: `stopped`.
    func chunk(at position: Int, _ stop: StopToken?) throws(TexelError) -> Chunk? {
        guard try bytes.has(position + 12, stop) else { return nil }
        let chunk = announcedChunk(at: position)
        return try bytes.has(chunk.whole.upperBound, stop) ? chunk : nil
    }

    /// Returns the chunk whose length and name are at `position`; its data need not have arrived.
    func announcedChunk(at position: Int) -> Chunk {
        // Everything that walks over the chunks goes forwards.
        bytes.release(before: position)
        let name = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
        return Chunk(name: name, data: (position + 8)..<(position + 8 + bytes.bigEndian(4, at: position)))
    }

    /// Returns the colours in the cICP chunk (PNG specification, third edition, 11.3.2.6); `nil` without a valid chunk
    /// before the pixels.
    ///
    /// The matrix coefficients are ignored: a PNG's samples are RGB, so a file that names others is wrong about those
    /// only.
    ///
    /// - Throws: `stopped`.
    func codePoints(_ stop: StopToken?) throws(TexelError) -> CICP? {
        var position = Self.signature.count
        while try bytes.has(position + 8, stop) {
            let chunk = announcedChunk(at: position)
            position = chunk.whole.upperBound
            // cICP precedes the palette and the pixels, so do not wait for these.
            guard !["PLTE", "IDAT", "IEND"].contains(chunk.name), try bytes.has(position, stop) else { return nil }
            guard chunk.name == "cICP", chunk.data.count == 4 else { continue }
            let (declared, computed) = checksums(of: chunk)
            let values = bytes[chunk.data].map { Int($0) }
            guard declared == computed, values[3] <= 1 else { return nil }
            return CICP(primaries: values[0], transfer: values[1], isFullRange: values[3] == 1)
        }
        return nil
    }

    /// Returns the checksum that a chunk declares, and the one of its bytes.
    func checksums(of chunk: Chunk) -> (declared: UInt32, computed: UInt32) {
        let declared = UInt32(truncatingIfNeeded: bytes.bigEndian(4, at: chunk.data.upperBound))
        // The checksum covers the name and the data.
        var computed: UInt32 = 0
        for start in stride(from: chunk.data.lowerBound - 4, to: chunk.data.upperBound, by: Self.step) {
            let part = bytes.rawBytes(start..<min(start + Self.step, chunk.data.upperBound))
            computed = CRC32.checksum(part, after: computed)
            bytes.release(before: start)
        }
        return (declared, computed)
    }

    /// Returns whether a chunk has the checksum that it declares.
    func isSound(_ chunk: Chunk) -> Bool {
        let (declared, computed) = checksums(of: chunk)
        return declared == computed
    }

    /// Parses IHDR and checks its values (PNG specification, third edition, table 11.1).
    func header(_ stop: StopToken? = nil) throws(TexelError) -> Header {
        let start = Self.signature.count
        guard try bytes.has(start + 25, stop) else { throw .truncated(rowsRead: 0, rows: 0) }
        if bytes[(start + 4)..<(start + 8)].elementsEqual("CgBI".utf8) {
            // Its pixels are raw deflate data with premultiplied alpha.
            throw .unsupported("Apple's CgBI variant of PNG (pngcrush -revert-iphone-optimizations makes a PNG of it)")
        }
        guard bytes[(start + 4)..<(start + 8)].elementsEqual("IHDR".utf8) else { throw .png(.missing("IHDR chunk")) }
        let chunk = Chunk(name: "IHDR", data: (start + 8)..<(start + 21))
        guard bytes.bigEndian(4, at: start) == 13 else { throw .png(.corrupt("IHDR has a wrong length")) }
        let checksums = checksums(of: chunk)
        guard checksums.declared == checksums.computed else {
            throw .png(
                .checksumMismatch(of: "IHDR chunk", declared: checksums.declared, computed: checksums.computed))
        }
        let at = chunk.data.lowerBound
        let header = Header(
            width: bytes.bigEndian(4, at: at), height: bytes.bigEndian(4, at: at + 4),
            bitDepth: Int(bytes[at + 8]), colorType: Int(bytes[at + 9]), isInterlaced: bytes[at + 12] == 1)
        guard let depths = Self.bitDepths[header.colorType] else {
            throw .png(.invalidValue(header.colorType, of: "colour type"))
        }
        guard depths.contains(header.bitDepth) else {
            throw .png(
                .invalidValue(header.bitDepth, of: "bit depth", context: "colour type \(header.colorType)"))
        }
        guard (1...0x7FFF_FFFF).contains(header.width), (1...0x7FFF_FFFF).contains(header.height) else {
            throw .png(.invalidDimensions(width: header.width, height: header.height))
        }
        return header
    }

    /// The bit depths allowed for each colour type.
    private static let bitDepths: [Int: Set<Int>] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]

    /// Returns a more specific error for a file that libpng rejected: a critical chunk with a wrong checksum, or
    /// missing IDAT chunks.
    ///
    /// - Parameter position: the position up to which libpng has read; the chunk there must have arrived.
    /// - Throws: `stopped`.
    func diagnosis(
        of message: String, at position: Int, _ stop: StopToken?
    ) throws(TexelError) -> TexelError {
        var (next, hasPixels, hasEnded) = (Self.signature.count, false, false)
        while next < position, !hasEnded, let chunk = try chunk(at: next, stop) {
            if chunk.isCritical {
                let (declared, computed) = checksums(of: chunk)
                if declared != computed {
                    return .png(.checksumMismatch(of: "\(chunk.name) chunk", declared: declared, computed: computed))
                }
            }
            hasPixels = hasPixels || chunk.name == "IDAT"
            hasEnded = chunk.name == "IEND"
            next = chunk.whole.upperBound
        }
        return .png(hasEnded && !hasPixels ? .missing("IDAT chunk") : .corrupt(message))
    }
}
