import TexelCodecs
import TexelCore
import TexelPixels

/// Compresses a PNG again at its own bit depth, with all frames of an animation.
///
/// Every sample value is kept. In 16-bit images, colour channels and alpha are dropped if they carry no information;
/// everything else that affects the appearance (palette, colour key, frame controls) is copied.
struct PNGRecompression {
    let file: PNGFile
    let header: PNGFile.Header
    let valid: PNGValidChunks
    let encoding: PNGOptions
    /// The limits and the stop token; rows are counted while they are read.
    let options: DecodeOptions
    let parallelism: Int
    let progress: EncodingProgress?

    /// The compressed pixels of the default image or of one frame.
    private struct Stream {
        var header: PNGFile.Header
        /// The ranges of the compressed bytes in the file.
        var data: [Range<Int>]
        /// The position of its first chunk.
        var begin: Int
    }

    /// A stream after compression.
    private struct Written {
        var reduction: PNGPixelFormat
        var parts: [[UInt8]]
    }

    /// Returns the new file.
    ///
    /// - Parameters:
    ///   - metadata: the metadata to write instead of the file's own.
    ///   - colors: what is kept of the information about colours.
    /// - Throws: `limitExceeded`, `stopped`, `outOfMemory`.
    func file(metadata: WrittenMetadata, keeping colors: KeptPNGColors) throws(TexelError) -> Recompressed {
        let chunks = valid.kept.map(\.chunk)
        // IEND is written anew.
        guard chunks.last?.name == "IEND", chunks.dropLast().allSatisfy(file.isSound), valid.animation?.fault == nil
        else { return .impossible }
        let animation = valid.animation
        let streams = streams(of: chunks, isAnimation: animation != nil)
        if streams.count > 1 { progress?.begin(partCount: streams.count) }
        var written: [Int: Written] = [:]
        for stream in streams {
            guard let samples = try samples(of: stream) else { return .impossible }
            var reduction = samples.reduction
            if animation == nil, samples.bitDepth == 16, !chunks.contains(where: { $0.name == "tRNS" }) {
                let survey = PNGSampleSurvey(samples)
                if survey.fitsEightBits { return .fitsEightBits }
                reduction.colorType = colorType(of: samples, survey, chunks, keeping: colors)
            }
            let search = PNGSearch(
                pixels: .samples(samples), reductions: [reduction], options: encoding, stop: options.stop,
                parallelism: parallelism, progress: streams.count > 1 ? nil : progress)
            let result = Written(reduction: reduction, parts: try search.smallest().parts)
            written[stream.begin] = smaller(of: result, than: stream)
            if streams.count > 1 { progress?.advance() }
        }
        return .file(assembled(written, metadata, keeping: colors))
    }

    // MARK: Reading

    private func streams(of chunks: [PNGFile.Chunk], isAnimation: Bool) -> [Stream] {
        var streams: [Stream] = []
        var frame = header
        // Whether the next data chunk begins a stream; other chunks may be between those of one frame.
        var beginsStream = true
        for chunk in chunks {
            switch chunk.name {
            case "fcTL" where isAnimation:
                frame.width = file.bytes.bigEndian(4, at: chunk.data.lowerBound + 4)
                frame.height = file.bytes.bigEndian(4, at: chunk.data.lowerBound + 8)
                beginsStream = true
            case "IDAT",
                "fdAT" where isAnimation:
                let isFrame = chunk.name == "fdAT"
                let data = (chunk.data.lowerBound + (isFrame ? 4 : 0))..<chunk.data.upperBound
                if beginsStream {
                    let header = isFrame ? frame : header
                    streams.append(Stream(header: header, data: [data], begin: chunk.whole.lowerBound))
                    beginsStream = false
                } else {
                    streams[streams.count - 1].data.append(data)
                }
            default: break
            }
        }
        return streams
    }

    private func samples(of stream: Stream) throws(TexelError) -> PNGSamples? {
        // The canvas is within the limits, so a frame inside it is too.
        guard (1...header.width).contains(stream.header.width), (1...header.height).contains(stream.header.height)
        else { return nil }
        var pixels = PNGChunkWriter()
        for data in stream.data { pixels.append("IDAT", Array(file.bytes.rawBytes(data))) }
        pixels.append("IEND", [])
        return try PNGSamples(
            PNGFile(bytes: InputBytes(pixels.bytes)), stream.header, at: PNGFile.signature.count, options)
    }

    /// Returns the colour type with the fewest channels that stores the 16-bit samples. A profile must fit the colour
    /// type (PNG specification, third edition, 11.3.2.3).
    private func colorType(
        of samples: PNGSamples, _ survey: PNGSampleSurvey, _ chunks: [PNGFile.Chunk], keeping colors: KeptPNGColors
    ) -> PNGPixelFormat.ColorType {
        let hasProfile = chunks.contains { $0.name == "iCCP" && $0.stays(keeping: colors) }
        let isColor = samples.colorType == .rgb || samples.colorType == .rgba
        let becomesGray = survey.isGray && (!isColor || !hasProfile)
        let hasAlpha = samples.colorType == .rgba || samples.colorType == .grayAlpha
        switch (becomesGray, hasAlpha && !survey.isOpaque) {
        case (true, true): return .grayAlpha
        case (true, false): return .gray
        case (false, true): return .rgba
        case (false, false): return .rgb
        }
    }

    // MARK: Writing

    /// Returns the new stream, or the file's own if that is not larger and its format is unchanged.
    private func smaller(of written: Written, than stream: Stream) -> Written {
        let count = stream.data.reduce(0) { $0 + $1.count }
        let keepsLayout =
            !header.isInterlaced && written.reduction.colorType.rawValue == Int32(stream.header.colorType)
        guard keepsLayout, written.parts.reduce(0, { $0 + $1.count }) >= count else { return written }
        var own = stream.data.flatMap { Array(file.bytes.rawBytes($0)) }
        if file.exceededWindow(of: stream.data, inflatedBytes: stream.header.inflatedBytes) != nil {
            own.replaceSubrange(..<2, with: Zlib.widenedHeader(flags: own[1]))
        }
        return Written(reduction: written.reduction, parts: [own])
    }

    private func assembled(
        _ written: [Int: Written], _ metadata: WrittenMetadata, keeping colors: KeptPNGColors
    ) -> [UInt8] {
        var result = PNGChunkWriter()
        var sequenceNumber: UInt32 = 0
        func nextNumber() -> [UInt8] {
            defer { sequenceNumber += 1 }
            return PNGChunkWriter.bigEndian(sequenceNumber)
        }
        let reduction = written.values.first?.reduction
        let keepsLayout = reduction.map { $0.colorType.rawValue == Int32(header.colorType) } ?? true
        var hasMetadata = false
        for kept in valid.kept {
            let chunk = kept.chunk
            if !hasMetadata, PNGFile.beginsPixels(chunk) {
                for (name, data) in PNGFile.chunks(of: metadata) { result.append(name, data) }
                hasMetadata = true
            }
            let data = kept.data ?? Array(file.bytes.rawBytes(chunk.data))
            switch chunk.name {
            case "IHDR":
                let colorType = reduction.map { UInt8($0.colorType.rawValue) } ?? data[9]
                result.append("IHDR", data[..<9] + [colorType, 0, 0, 0])
            case "IDAT":
                for part in written[chunk.whole.lowerBound]?.parts ?? [] { result.append("IDAT", part) }
            case "fcTL": result.append("fcTL", nextNumber() + data.dropFirst(4))
            case "fdAT":
                for part in written[chunk.whole.lowerBound]?.parts ?? [] { result.append("fdAT", nextNumber() + part) }
            // The format of these chunks depends on the colour type.
            case "sBIT", "bKGD": if keepsLayout { result.append(chunk.name, data) }
            default: if chunk.stays(keeping: colors) { result.append(chunk.name, data) }
            }
        }
        return result.bytes
    }
}
