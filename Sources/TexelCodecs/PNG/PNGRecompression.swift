import TexelPixels

/// What came of writing the pixels of a file anew without changing a sample.
package enum Recompressed: Sendable {
    case file([UInt8])
    /// All samples have 16 bits and lose nothing as 8: encode the decoded pixels instead.
    case fitsEightBits
    /// The pixels are damaged, or this is not possible for the format.
    case impossible
}

/// Writes a PNG anew at its own bit depth, with all frames of an animation.
///
/// Every sample stays as it is. Colour channels and alpha of 16-bit images are dropped if they say nothing; everything
/// else that decides how the samples look (palette, colour key, frame controls) is copied.
struct PNGRecompression {
    let file: PNGFile
    let header: PNGFile.Header
    let effort: Effort
    /// Limits and stop check; rows are counted while they are read.
    let options: DecodeOptions
    let parallelism: Int
    let progress: EncodingProgress?

    /// The pixels of the default image, or of one frame.
    private struct Stream {
        var header: PNGFile.Header
        /// Where the compressed bytes are in the file.
        var data: [Range<Int>]
        /// The first of its chunks.
        var begin: Int
    }

    /// A stream as it is written.
    private struct Written {
        var reduction: PNGReduction
        var parts: [[UInt8]]
    }

    /// - Parameters:
    ///   - metadata: replaces the file's own.
    ///   - keepsProfile: whether the colour profile, or what else says what the colours mean, stays.
    /// - Throws: `limitExceeded`, `stopped`, `outOfMemory`.
    func file(metadata: WrittenMetadata, keepsProfile: Bool) throws(CodecError) -> Recompressed {
        _ = try file.bytes.wait(for: .max, options.stopCheck)
        let chunks = file.chunks
        guard chunks.last?.name == "IEND", chunks.allSatisfy(isSound) else { return .impossible }
        let animation: PNGAnimation?
        do throws(CodecError) {
            animation = try PNGAnimation(file.bytes, limits: options.limits)
        } catch {
            if case .limitExceeded = error { throw error }
            return .impossible
        }
        guard animation?.fault == nil else { return .impossible }
        let streams = streams(of: chunks, isAnimation: animation != nil)
        if streams.count > 1 { progress?.begin(partCount: streams.count) }
        var written: [Int: Written] = [:]
        for stream in streams {
            guard let samples = try samples(of: stream) else { return .impossible }
            var reduction = samples.reduction
            if animation == nil, samples.bitDepth == 16, !chunks.contains(where: { $0.name == "tRNS" }) {
                let survey = PNGSampleSurvey(samples)
                if survey.fitsEightBits { return .fitsEightBits }
                reduction.colorType = colorType(of: samples, survey, chunks, keepsProfile: keepsProfile)
            }
            let search = PNGSearch(
                pixels: .samples(samples), reductions: [reduction],
                options: PNGOptions(reducesLosslessly: false, effort: effort), stopCheck: options.stopCheck,
                parallelism: parallelism, progress: streams.count > 1 ? nil : progress)
            let result = Written(reduction: reduction, parts: try search.smallest().parts)
            written[stream.begin] = smaller(of: result, than: stream)
            if streams.count > 1 { progress?.advance() }
        }
        return .file(assembled(chunks, written, metadata, keepsProfile: keepsProfile))
    }

    private func isSound(_ chunk: PNGFile.Chunk) -> Bool {
        let checksums = file.checksums(of: chunk)
        return checksums.declared == checksums.computed
    }

    // MARK: Reading

    private func streams(of chunks: [PNGFile.Chunk], isAnimation: Bool) -> [Stream] {
        var streams: [Stream] = []
        var frame = header
        // Whether the next data begin a stream; other chunks may stand between those of one frame.
        var beginsStream = true
        for chunk in chunks {
            switch chunk.name {
            case "fcTL" where isAnimation:
                frame.width = Int(file.bytes.bigEndian32(at: chunk.data.lowerBound + 4))
                frame.height = Int(file.bytes.bigEndian32(at: chunk.data.lowerBound + 8))
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

    private func samples(of stream: Stream) throws(CodecError) -> PNGSamples? {
        // The canvas is within the limits.
        guard (1...header.width).contains(stream.header.width), (1...header.height).contains(stream.header.height)
        else { return nil }
        var pixels = PNGChunkWriter()
        for data in stream.data { pixels.append("IDAT", Array(file.bytes.rawBytes(data))) }
        pixels.append("IEND", [])
        return try PNGSamples(
            PNGFile(bytes: InputBytes(pixels.bytes)), stream.header, at: PNGFile.signature.count, options)
    }

    /// The colour type with the fewest channels that holds 16-bit samples. A profile must fit the colour type (PNG
    /// specification, third edition, 11.3.2.3).
    private func colorType(
        of samples: PNGSamples, _ survey: PNGSampleSurvey, _ chunks: [PNGFile.Chunk], keepsProfile: Bool
    ) -> PNGReduction.ColorType {
        let hasProfile = keepsProfile && chunks.contains { $0.name == "iCCP" }
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

    /// The new stream, or the file's own if that has no more bytes and can stay as it is.
    private func smaller(of written: Written, than stream: Stream) -> Written {
        let count = stream.data.reduce(0) { $0 + $1.count }
        let keepsLayout =
            !header.isInterlaced && written.reduction.colorType.rawValue == Int32(stream.header.colorType)
        guard keepsLayout, written.parts.reduce(0, { $0 + $1.count }) >= count else { return written }
        return Written(
            reduction: written.reduction, parts: [stream.data.flatMap { Array(file.bytes.rawBytes($0)) }])
    }

    private func assembled(
        _ chunks: [PNGFile.Chunk], _ written: [Int: Written], _ metadata: WrittenMetadata, keepsProfile: Bool
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
        for chunk in chunks {
            if !hasMetadata, PNGFile.beginsPixels(chunk) {
                for (name, data) in PNGFile.chunks(of: metadata) { result.append(name, data) }
                hasMetadata = true
            }
            let data = Array(file.bytes.rawBytes(chunk.data))
            switch chunk.name {
            case "IHDR":
                let colorType = reduction.map { UInt8($0.colorType.rawValue) } ?? data[9]
                result.append("IHDR", data[..<9] + [colorType, 0, 0, 0])
            case "IDAT":
                for part in written[chunk.whole.lowerBound]?.parts ?? [] { result.append("IDAT", part) }
            case "fcTL": result.append("fcTL", nextNumber() + data.dropFirst(4))
            case "fdAT":
                for part in written[chunk.whole.lowerBound]?.parts ?? [] { result.append("fdAT", nextNumber() + part) }
            // Their layout is the colour type's.
            case "sBIT", "bKGD": if keepsLayout { result.append(chunk.name, data) }
            default: if chunk.stays(keepsProfile: keepsProfile) { result.append(chunk.name, data) }
            }
        }
        return result.bytes
    }
}
