package import TexelPixels

/// The frames of an animated PNG, as its chunks describe them (PNG specification, third edition, 11.3.6).
package struct PNGAnimation: Sendable {
    package struct Frame: Sendable {
        /// Where the frame lies on the canvas.
        package var area: PixelRectangle
        /// How long it is to be seen, in seconds.
        package var delay: (numerator: Int, denominator: Int)
        package var disposal: Disposal
        package var blending: Blending
        /// Where the frame's compressed pixels lie in the file.
        fileprivate var data: [Range<Int>] = []
    }

    /// What becomes of a frame's area once its time is over.
    package enum Disposal: Int, Sendable, Hashable {
        case none
        /// Transparent black.
        case background
        /// What it was before the frame.
        case previous
    }

    package enum Blending: Int, Sendable, Hashable {
        /// The frame's pixels take the place of the canvas's.
        case source
        /// The frame's pixels lie over the canvas's.
        case over
    }

    package let canvas: PixelSize
    /// The frames that are sound, at least one.
    package let frames: [Frame]
    /// How often they are to be played; 0 for ever.
    package let playCount: Int
    /// Why there are not as many frames as there should be.
    package let fault: CodecError?
    private let file: PNGFile
    private let header: PNGFile.Header
    /// PLTE and tRNS, whole: without them the frames' pixels cannot be read.
    private let palette: [Range<Int>]

    /// Finds the frames; no pixel is read.
    ///
    /// - Returns: `nil` for a still picture.
    /// - Throws: what is wrong with the header, which limit it exceeds, and what is wrong before the first frame ends.
    package init?(_ bytes: InputBytes, limits: Limits = Limits()) throws(CodecError) {
        guard bytes.count <= limits.inputBytes else {
            throw .limitExceeded(.inputBytes, value: bytes.count, allowed: limits.inputBytes)
        }
        guard try ImageFormat(sniffing: bytes) == .png else { return nil }
        file = PNGFile(bytes: bytes)
        header = try file.header()
        canvas = PixelSize(width: header.width, height: header.height)
        try limits.check(canvas)
        let chunks = file.chunks
        guard let control = chunks.first(where: { $0.name == "acTL" || $0.name == "IDAT" }), control.name == "acTL"
        else { return nil }
        try file.checkSum(of: control)
        guard control.data.count == 8 else { throw Self.corrupt("acTL has a wrong length") }
        let frameCount = Int(bytes.bigEndian32(at: control.data.lowerBound))
        guard frameCount > 0 else { throw Self.corrupt("acTL declares no frames") }
        guard frameCount <= limits.frames else {
            throw .limitExceeded(.frames, value: frameCount, allowed: limits.frames)
        }
        playCount = Int(bytes.bigEndian32(at: control.data.lowerBound + 4))
        palette = chunks.prefix { $0.name != "IDAT" }.filter { ["PLTE", "tRNS"].contains($0.name) }.map(\.whole)
        var walk = FrameWalk(file: file, canvas: canvas, frameCount: frameCount)
        fault = walk.walk(chunks)
        frames = walk.frames
        if frames.isEmpty { throw fault ?? Self.corrupt("it has no frame") }
    }

    fileprivate static func corrupt(_ message: String) -> CodecError { .png(.corrupt(message)) }

    /// A decoder of a frame's own pixels, which fill its area.
    package func decoder(of frame: Frame, _ options: DecodeOptions) throws(CodecError) -> any RowDecoder {
        // Each frame is a PNG but for the names of its chunks.
        var picture = PNGChunkWriter()
        var head = file.copy(PNGFile.headerData)
        head.replaceSubrange(0..<4, with: PNGChunkWriter.bigEndian(UInt32(frame.area.width)))
        head.replaceSubrange(4..<8, with: PNGChunkWriter.bigEndian(UInt32(frame.area.height)))
        picture.append("IHDR", head)
        for chunk in palette { picture.append(copy: file.copy(chunk)) }
        picture.append(pixels: frame.data.map { file.copy($0) })
        picture.append("IEND", [])
        let source = PNGFile(bytes: InputBytes(picture.bytes))
        var header = header
        (header.width, header.height) = (frame.area.width, frame.area.height)
        return try PNGDecoder(source, header: header, options: options)
    }
}

/// Goes through the chunks of an animation and gathers its frames, up to the first fault.
private struct FrameWalk {
    let file: PNGFile
    let canvas: PixelSize
    let frameCount: Int
    private(set) var frames: [PNGAnimation.Frame] = []
    /// The frame whose data come.
    private var current: PNGAnimation.Frame?
    private var hasPixels = false
    private var pixelsHaveEnded = false
    private var sequenceNumber = 0

    init(file: PNGFile, canvas: PixelSize, frameCount: Int) {
        self.file = file
        self.canvas = canvas
        self.frameCount = frameCount
    }

    /// - Returns: why there are fewer frames than declared.
    mutating func walk(_ chunks: [PNGFile.Chunk]) -> CodecError? {
        do throws(CodecError) {
            for chunk in chunks {
                switch chunk.name {
                case "fcTL":
                    try finishFrame()
                    pixelsHaveEnded = hasPixels
                    // More frames than declared are left out, as in browsers.
                    if frames.count == frameCount { return nil }
                    current = try control(chunk)
                case "IDAT":
                    try file.checkSum(of: chunk)
                    guard !pixelsHaveEnded else { throw PNGAnimation.corrupt("IDAT stands behind a frame") }
                    hasPixels = true
                    // Without a control chunk before it the default picture is not part of the animation.
                    current?.data.append(chunk.data)
                case "fdAT":
                    try file.checkSum(of: chunk)
                    guard chunk.data.count > 4 else { throw PNGAnimation.corrupt("fdAT has a wrong length") }
                    try checkSequence(chunk)
                    guard pixelsHaveEnded, current != nil else { throw PNGAnimation.corrupt("fdAT stands before fcTL") }
                    current?.data.append((chunk.data.lowerBound + 4)..<chunk.data.upperBound)
                case "IEND": try finishFrame()
                default: break
                }
            }
            if chunks.last?.name != "IEND", frames.count < frameCount {
                throw .truncated(rowsRead: 0, rows: canvas.height)
            }
            if frames.count < frameCount {
                throw PNGAnimation.corrupt("acTL declares \(frameCount) frames, and \(frames.count) are there")
            }
            return nil
        } catch {
            return error
        }
    }

    private mutating func finishFrame() throws(CodecError) {
        guard let frame = current else { return }
        guard !frame.data.isEmpty else { throw PNGAnimation.corrupt("frame \(frames.count) has no data") }
        frames.append(frame)
        current = nil
    }

    private mutating func control(_ chunk: PNGFile.Chunk) throws(CodecError) -> PNGAnimation.Frame {
        try file.checkSum(of: chunk)
        guard chunk.data.count == 26 else { throw PNGAnimation.corrupt("fcTL has a wrong length") }
        try checkSequence(chunk)
        let (bytes, at) = (file.bytes, chunk.data.lowerBound)
        let area = PixelRectangle(
            x: Int(bytes.bigEndian32(at: at + 12)), y: Int(bytes.bigEndian32(at: at + 16)),
            width: Int(bytes.bigEndian32(at: at + 4)), height: Int(bytes.bigEndian32(at: at + 8)))
        guard area.isInside(canvas) else {
            throw PNGAnimation.corrupt("frame \(frames.count) does not lie within \(canvas) pixels")
        }
        guard hasPixels || area.size == canvas else {
            throw PNGAnimation.corrupt("frame 0 is the picture itself and has another size")
        }
        guard let disposal = PNGAnimation.Disposal(rawValue: Int(bytes[at + 24])),
            let blending = PNGAnimation.Blending(rawValue: Int(bytes[at + 25]))
        else { throw PNGAnimation.corrupt("frame \(frames.count) has an unknown dispose_op or blend_op") }
        let denominator = bytes.bigEndian16(at: at + 22)
        return PNGAnimation.Frame(
            area: area, delay: (bytes.bigEndian16(at: at + 20), denominator == 0 ? 100 : denominator),
            // Before the first frame there is nothing to go back to.
            disposal: frames.isEmpty && disposal == .previous ? .background : disposal, blending: blending)
    }

    /// The control and data chunks of all frames are numbered together.
    private mutating func checkSequence(_ chunk: PNGFile.Chunk) throws(CodecError) {
        let number = Int(file.bytes.bigEndian32(at: chunk.data.lowerBound))
        guard number == sequenceNumber else {
            throw PNGAnimation.corrupt("\(chunk.name) has the sequence number \(number), not \(sequenceNumber)")
        }
        sequenceNumber += 1
    }
}

extension PNGFile {
    /// Where the data of IHDR lie.
    fileprivate static let headerData = (signature.count + 8)..<(signature.count + 21)

    fileprivate func copy(_ range: Range<Int>) -> [UInt8] {
        Array(bytes.rawBytes(range))
    }

    /// - Throws: `checksumMismatch`.
    fileprivate func checkSum(of chunk: Chunk) throws(CodecError) {
        let (declared, computed) = checksums(of: chunk)
        guard declared == computed else {
            throw .png(.checksumMismatch(chunk: chunk.name, declared: declared, computed: computed))
        }
    }
}
