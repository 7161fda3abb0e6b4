import CPNGShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Checks the chunks of a file against the limits before libpng reads them: each chunk other than the pixels by its
/// inflated size, all texts together, and all colour profiles together. libpng only warns about a chunk that is too
/// large, and then allocates as much memory as the chunk requires.
struct PNGChunkWalk {
    private let file: PNGFile
    private let limits: Limits
    private let stop: StopToken?
    private var position = PNGFile.signature.count
    /// The inflated bytes of all texts, and of all colour profiles: only one profile is used, but each would be
    /// inflated.
    private var (textBytes, profileBytes) = (0, 0)
    private var count = 0
    /// Whether IEND has been read.
    private(set) var hasEnded = false
    /// Whether a chunk with metadata has been read after the pixels.
    private(set) var hasMetadataAfterPixels = false

    /// The complete chunks before the first IDAT.
    private(set) var head: [PNGFile.Chunk] = []
    /// The position of the first IDAT chunk; `nil` if there is none.
    private(set) var pixels: Int?

    /// Chunks of any size, which libpng never holds completely in memory.
    private static let pixelData: Set<String> = ["IDAT", "fdAT"]

    private static let texts: Set<String> = ["tEXt", "zTXt", "iTXt"]

    /// Chunks that may precede or follow the pixels (PNG specification, third edition, table 7).
    private static let metadata = texts.union(["eXIf"])

    /// Checks everything before the pixels; waits until it has arrived.
    ///
    /// - Throws: `limitExceeded`, with the size at which counting stopped for compressed chunks; `stopped`.
    init(_ file: PNGFile, _ limits: Limits, _ stop: StopToken?) throws(TexelError) {
        self.file = file
        self.limits = limits
        self.stop = stop
        while let chunk = try next() {
            if chunk.name == "IDAT" {
                pixels = chunk.whole.lowerBound
                break
            }
            if try file.bytes.has(chunk.whole.upperBound, stop) { head.append(chunk) }
        }
    }

    /// Checks the rest of the file; waits until it has arrived.
    ///
    /// - Throws: `limitExceeded`, `stopped`.
    mutating func finish() throws(TexelError) {
        while try next() != nil {}
    }

    /// The number of frames that acTL declares; 1 for a still image.
    var frameCount: Int {
        guard let control = head.first(where: { $0.name == "acTL" }), control.data.count >= 8 else { return 1 }
        return max(1, file.bytes.bigEndian(4, at: control.data.lowerBound))
    }

    /// Whether the file holds more than one image: several frames, or a default image that does not belong to the
    /// animation.
    var isAnimation: Bool {
        guard let control = head.first(where: { $0.name == "acTL" }), control.data.count >= 8 else { return false }
        let declared = file.bytes.bigEndian(4, at: control.data.lowerBound)
        // The default image is the first frame if a frame control comes before it.
        return declared > 1 || declared == 1 && !head.contains { $0.name == "fcTL" }
    }

    /// Checks the next chunk; returns `nil` at the end. For pixel data, only length and name need to have arrived.
    private mutating func next() throws(TexelError) -> PNGFile.Chunk? {
        guard !hasEnded, try file.bytes.has(position + 8, stop) else { return nil }
        // The declared length is checked even if the file ends inside the chunk.
        let chunk = file.announcedChunk(at: position)
        count += 1
        guard count <= limits.chunks else {
            throw .limitExceeded(.chunks, value: count, allowed: limits.chunks)
        }
        position = chunk.whole.upperBound
        hasEnded = chunk.name == "IEND"
        guard !hasEnded, !Self.pixelData.contains(chunk.name) else { return chunk }
        let limit = limits.metadataBytes
        guard chunk.data.count <= limit else {
            throw .limitExceeded(.metadataBytes, value: chunk.data.count, allowed: limit)
        }
        guard try file.bytes.has(position, stop) else { return nil }
        let size: Int
        if Self.texts.contains(chunk.name) {
            textBytes += file.inflatedSize(of: chunk.data, in: chunk.name, limit: limit - textBytes)
            size = textBytes
        } else if chunk.name == "iCCP" {
            profileBytes += file.inflatedSize(of: chunk.data, in: chunk.name, limit: limit - profileBytes)
            size = profileBytes
        } else {
            size = chunk.data.count
        }
        guard size <= limit else { throw .limitExceeded(.metadataBytes, value: size, allowed: limit) }
        if pixels != nil, Self.metadata.contains(chunk.name) { hasMetadataAfterPixels = true }
        return chunk
    }
}

extension PNGFile {
    /// Returns the size of a chunk's data, or the inflated size of the zlib stream in it; counts at most to `limit` +
    /// 1.
    fileprivate func inflatedSize(of data: Range<Int>, in name: String, limit: Int) -> Int {
        inflatedStream(of: data, in: name, limit: limit)?.size ?? data.count
    }

    /// Returns whether an iCCP chunk has a name and a compressed profile without damage.
    func isProfileComplete(in chunk: Chunk) -> Bool {
        // A name has 1 to 79 characters, and 0 is the only compression method.
        guard let end = bytes[chunk.data].prefix(80).firstIndex(of: 0), end > chunk.data.lowerBound,
            end + 1 < chunk.data.upperBound, bytes[end + 1] == 0,
            let (_, isComplete) = inflatedStream(of: chunk.data, in: chunk.name, limit: .max - 1)
        else { return false }
        return isComplete
    }

    /// Inflates the zlib stream in a chunk without keeping the result; `nil` if it has none.
    private func inflatedStream(of data: Range<Int>, in name: String, limit: Int) -> (size: Int, isComplete: Bool)? {
        guard let stream = compressedPart(of: data, in: name), let base = bytes.base else { return nil }
        var isComplete = false
        let size = texel_png_inflated_size(base + stream.lowerBound, stream.count, limit, &isComplete)
        return (size, isComplete)
    }

    /// Returns the range of the zlib stream in a chunk that has one (PNG specification, third edition, 11.3.2.3 and
    /// 11.3.3).
    private func compressedPart(of data: Range<Int>, in name: String) -> Range<Int>? {
        /// Returns what follows the next zero byte.
        func afterText(_ part: Range<Int>) -> Range<Int>? {
            bytes[part].firstIndex(of: 0).map { ($0 + 1)..<part.upperBound }
        }
        guard ["iCCP", "zTXt", "iTXt"].contains(name), let afterKeyword = afterText(data) else { return nil }
        guard name == "iTXt" else { return afterKeyword.dropFirst(1) }
        // Compression flag, compression method, language, translated keyword.
        guard afterKeyword.count >= 2, bytes[afterKeyword.lowerBound] == 1 else { return nil }
        return afterText(afterKeyword.dropFirst(2)).flatMap(afterText)
    }
}
