import CCodecShims

/// Goes through the chunks of a file before libpng does, and holds every one beside the pixels against the limit,
/// inflated, all texts together, and all colour profiles. libpng only warns of a chunk that is too large, and then takes as much memory as
/// the chunk says it needs.
struct PNGChunkWalk {
    private let file: PNGFile
    private let limits: Limits
    private let stopCheck: StopCheck?
    private var position = PNGFile.signature.count
    /// Of all texts, and of all colour profiles: of these only one counts, but each would be inflated.
    private var (textBytes, profileBytes) = (0, 0)
    private var count = 0
    private var hasEnded = false

    /// The whole chunks before the first IDAT.
    private(set) var head: [PNGFile.Chunk] = []
    /// Where the first IDAT chunk begins; `nil` without one.
    private(set) var pixels: Int?

    /// Chunks of any size that libpng never holds as a whole.
    private static let pixelData: Set<String> = ["IDAT", "fdAT"]

    private static let texts: Set<String> = ["tEXt", "zTXt", "iTXt"]

    /// Waits for everything before the pixels.
    ///
    /// - Throws: `limitExceeded`; the value of compressed chunks is where counting stopped. `stopped`.
    init(_ file: PNGFile, _ limits: Limits, _ stopCheck: StopCheck?) throws(CodecError) {
        self.file = file
        self.limits = limits
        self.stopCheck = stopCheck
        while let chunk = try next() {
            if chunk.name == "IDAT" {
                pixels = chunk.whole.lowerBound
                break
            }
            if try file.bytes.has(chunk.whole.upperBound, stopCheck) { head.append(chunk) }
        }
    }

    /// Waits for the rest of the file and checks it.
    ///
    /// - Throws: as the initialiser.
    mutating func finish() throws(CodecError) {
        while try next() != nil {}
    }

    /// Frames of an animation as acTL declares them; 1 for a still picture.
    var frameCount: Int {
        guard let control = head.first(where: { $0.name == "acTL" }), control.data.count >= 8 else { return 1 }
        return max(1, Int(file.bytes.bigEndian32(at: control.data.lowerBound)))
    }

    /// Whether the file holds more than one image: several frames, or a default image that is not part of the animation.
    var isAnimation: Bool {
        guard let control = head.first(where: { $0.name == "acTL" }), control.data.count >= 8 else { return false }
        let declared = file.bytes.bigEndian32(at: control.data.lowerBound)
        // The default image is the first frame if a frame control comes before it.
        return declared > 1 || declared == 1 && !head.contains { $0.name == "fcTL" }
    }

    /// Checks the next chunk; `nil` at the end. Of pixels only the announcement need be there.
    private mutating func next() throws(CodecError) -> PNGFile.Chunk? {
        guard !hasEnded, try file.bytes.has(position + 8, stopCheck) else { return nil }
        // A chunk that the end of the file cuts short is asked for its length all the same.
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
        guard try file.bytes.has(position, stopCheck) else { return nil }
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
        return chunk
    }
}

extension PNGFile {
    /// The bytes of a chunk's data, or of the zlib stream in it, counted up to `limit` + 1.
    fileprivate func inflatedSize(of data: Range<Int>, in name: String, limit: Int) -> Int {
        guard let stream = compressedPart(of: data, in: name), let base = bytes.base else { return data.count }
        return texel_png_inflated_size(base + stream.lowerBound, stream.count, limit)
    }

    /// The zlib stream in a chunk that has one (PNG specification, third edition, 11.3.2.3 and 11.3.3).
    private func compressedPart(of data: Range<Int>, in name: String) -> Range<Int>? {
        /// What follows the next zero byte.
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
