import TexelCodecs
import TexelPixels

/// The chunks of a file that may be copied into another one: those that a strict reader accepts (PNG specification,
/// third edition, 5.6 and 11.3). Waits for the whole file.
///
/// Chunks that libpng ignores because of their length, place or number are left out, so that the copy looks the same.
struct PNGValidChunks {
    /// A chunk that is copied.
    struct Kept {
        var chunk: PNGFile.Chunk
        /// The data that replaces the chunk's own, which is almost valid; `nil` to copy the chunk.
        var data: [UInt8]?
    }

    private(set) var kept: [Kept] = []
    /// The names of the chunks that are left out.
    private(set) var dropped: [String] = []
    /// The animation, if it has a valid frame.
    let animation: PNGAnimation?

    private let file: PNGFile
    private let header: PNGFile.Header
    /// The number of colours in PLTE.
    private var paletteCount: Int?
    private var names: Set<String> = []
    /// The name of the last chunk.
    private var previous = ""

    /// Whether the profile in iCCP, if there is one, is that of the pixels.
    private let usesProfile: Bool

    /// - Parameter colorSpace: the colour space of the pixels.
    init(_ file: PNGFile, _ header: PNGFile.Header, _ colorSpace: ColorSpace, limits: Limits) {
        self.file = file
        self.header = header
        animation = try? PNGAnimation(file.bytes, limits: limits)
        usesProfile =
            switch colorSpace {
            case .iccProfile, .codePoints: true
            case .sRGB, .calibrated: false
            }
        for chunk in file.chunks {
            defer { previous = chunk.name }
            // Metadata is written anew.
            guard chunk.stays(keeping: .all) else { continue }
            guard let valid = valid(chunk) else {
                dropped.append(chunk.name)
                continue
            }
            kept.append(valid)
            names.insert(chunk.name)
            if chunk.name == "PLTE" { paletteCount = (valid.data?.count ?? chunk.data.count) / 3 }
        }
        declareWindows()
    }

    /// A warning about the chunks that are left out; `nil` if there are none.
    var warning: String? {
        guard let name = dropped.first else { return nil }
        let others = dropped.count > 1 ? " and \(dropped.count - 1) more" : ""
        return "\(name): damaged or misplaced\(others); not copied"
    }

    // MARK: Checks

    private func valid(_ chunk: PNGFile.Chunk) -> Kept? {
        switch chunk.name {
        case "IHDR": return chunk.whole.lowerBound == PNGFile.signature.count ? Kept(chunk: chunk) : nil
        case "IDAT": return !names.contains("IDAT") || previous == "IDAT" ? Kept(chunk: chunk) : nil
        case "IEND": return Kept(chunk: chunk, data: [])
        case "acTL", "fcTL", "fdAT": return animationPart(chunk)
        default: break
        }
        guard file.isSound(chunk), !names.contains(chunk.name), !names.contains("IDAT") else { return nil }
        switch chunk.name {
        case "PLTE": return palette(chunk)
        case "tRNS", "bKGD", "hIST": return dependsOnPalette(chunk) ? Kept(chunk: chunk) : nil
        case "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT":
            guard !names.contains("PLTE") else { return nil }
            return chunk.name == "cICP" ? codePoints(chunk) : isColor(chunk) ? Kept(chunk: chunk) : nil
        default: return nil
        }
    }

    /// The control and the data of valid frames, with their number.
    private func animationPart(_ chunk: PNGFile.Chunk) -> Kept? {
        guard let animation else { return nil }
        guard chunk.name == "acTL" else {
            return animation.chunkPositions.contains(chunk.whole.lowerBound) ? Kept(chunk: chunk) : nil
        }
        guard !names.contains("acTL"), !names.contains("IDAT") else { return nil }
        let count = PNGChunkWriter.bigEndian(UInt32(clamping: animation.frames.count))
        return Kept(chunk: chunk, data: count + PNGChunkWriter.bigEndian(UInt32(clamping: animation.playCount)))
    }

    private func palette(_ chunk: PNGFile.Chunk) -> Kept? {
        let isNeeded = header.colorType == 3
        guard isNeeded || header.colorType == 2 || header.colorType == 6, chunk.data.count % 3 == 0,
            !chunk.data.isEmpty
        else { return nil }
        // Pixels cannot have the indices of further colours.
        let largest = 3 << (isNeeded ? header.bitDepth : 8)
        guard chunk.data.count > largest else { return Kept(chunk: chunk) }
        return Kept(chunk: chunk, data: Array(file.bytes[chunk.data].prefix(largest)))
    }

    private func dependsOnPalette(_ chunk: PNGFile.Chunk) -> Bool {
        let count = chunk.data.count
        let isIndexed = header.colorType == 3
        if isIndexed, paletteCount == nil { return false }
        switch (chunk.name, header.colorType) {
        case ("tRNS", 0): return count == 2
        case ("tRNS", 2): return count == 6
        case ("tRNS", 3): return (1...(paletteCount ?? 1)).contains(count)
        case ("bKGD", 3): return count == 1 && Int(file.bytes[chunk.data.lowerBound]) < paletteCount ?? 0
        case ("bKGD", 0), ("bKGD", 4): return count == 2
        case ("bKGD", _): return count == 6
        case ("hIST", _): return paletteCount.map { count == 2 * $0 } ?? false
        default: return false
        }
    }

    /// Returns whether a chunk about colours, other than cICP, is valid.
    private func isColor(_ chunk: PNGFile.Chunk) -> Bool {
        let (bytes, data) = (file.bytes, chunk.data)
        switch chunk.name {
        case "gAMA": return data.count == 4 && (1...0x7FFF_FFFF).contains(bytes.bigEndian(4, at: data.lowerBound))
        case "cHRM": return data.count == 32 && hasChromaticities(data)
        // The file has a profile or is sRGB.
        case "sRGB": return data.count == 1 && bytes[data.lowerBound] <= 3 && !names.contains("iCCP")
        case "iCCP": return usesProfile && !names.contains("sRGB") && file.isProfileComplete(in: chunk)
        case "mDCV": return data.count == 24
        case "cLLI": return data.count == 8
        default: return hasSignificantBits(data)
        }
    }

    /// Returns cICP with matrix coefficients for RGB; others contradict the samples of a PNG.
    private func codePoints(_ chunk: PNGFile.Chunk) -> Kept? {
        let values = Array(file.bytes[chunk.data])
        guard values.count == 4, values[3] <= 1 else { return nil }
        return Kept(chunk: chunk, data: values[2] == 0 ? nil : [values[0], values[1], 0, values[3]])
    }

    /// Whether white, red, green and blue are colours, and the primaries form a triangle.
    private func hasChromaticities(_ data: Range<Int>) -> Bool {
        let values = stride(from: data.lowerBound, to: data.upperBound, by: 4).map {
            file.bytes.bigEndian(4, at: $0)
        }
        let one = 100_000
        let areColors = stride(from: 0, to: 8, by: 2).allSatisfy { values[$0] + values[$0 + 1] <= one }
        let (red, green, blue) = (values[2...3], values[4...5], values[6...7])
        let area =
            (red[2] - blue[6]) * (green[5] - blue[7]) - (green[4] - blue[6]) * (red[3] - blue[7])
        return areColors && values[1] > 0 && area != 0
    }

    /// Replaces the declared window of streams that exceed it.
    private mutating func declareWindows() {
        let pixels = kept.filter { $0.chunk.name == "IDAT" }.map(\.chunk.data)
        var replaced: [Int: UInt8] = [:]
        for parts in [pixels] + (animation?.data ?? [])
        where file.exceededWindow(of: parts, inflatedBytes: header.inflatedBytes) != nil {
            let places = Array(parts.lazy.joined().prefix(2))
            guard places.count == 2 else { continue }
            let header = Zlib.widenedHeader(flags: file.bytes[places[1]])
            for (place, byte) in zip(places, header) { replaced[place] = byte }
        }
        guard !replaced.isEmpty else { return }
        for index in kept.indices where kept[index].data == nil {
            let range = kept[index].chunk.data
            let places = replaced.keys.filter(range.contains)
            if places.isEmpty { continue }
            var data = Array(file.bytes[range])
            for place in places { data[place - range.lowerBound] = replaced[place] ?? 0 }
            kept[index].data = data
        }
    }

    private func hasSignificantBits(_ data: Range<Int>) -> Bool {
        let channels = [0: 1, 2: 3, 3: 3, 4: 2, 6: 4][header.colorType]
        let depth = header.colorType == 3 ? 8 : header.bitDepth
        return data.count == channels && file.bytes[data].allSatisfy { (1...depth).contains(Int($0)) }
    }
}
