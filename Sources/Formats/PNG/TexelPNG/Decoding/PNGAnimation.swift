package import TexelCodecs
package import TexelCore
package import TexelPixels

/// The frames of an animated PNG (PNG specification, third edition, 11.3.6).
package struct PNGAnimation: ImageAnimation {
    /// A frame, and the ranges of its compressed pixels in the file.
    fileprivate struct Frame: Sendable {
        var control: AnimationFrame
        /// The positions of its control and data chunks.
        var chunks: [Int]
        var data: [Range<Int>] = []
    }

    package let canvas: PixelSize
    package let frames: [AnimationFrame]
    /// The ranges of the compressed pixels of each frame in the file.
    let data: [[Range<Int>]]
    /// The positions of the frames' control and data chunks.
    let chunkPositions: Set<Int>
    package let playCount: Int
    package let fault: TexelError?
    package let hasSeparateDefaultImage: Bool
    private let file: PNGFile
    private let header: PNGFile.Header
    /// The ranges of the PLTE and tRNS chunks, which are needed to decode frames.
    private let palette: [Range<Int>]

    /// Finds the frames; decodes no pixels.
    ///
    /// - Returns: `nil` for a still image.
    /// - Throws: an error in the header or before the end of the first frame; `limitExceeded`.
    package init?(_ bytes: InputBytes, limits: Limits = Limits()) throws(TexelError) {
        guard bytes.count <= limits.inputBytes else {
            throw .limitExceeded(.inputBytes, value: bytes.count, allowed: limits.inputBytes)
        }
        guard bytes.prefix(PNGFile.signature.count).elementsEqual(PNGFile.signature) else { return nil }
        file = PNGFile(bytes: bytes)
        header = try file.header()
        canvas = PixelSize(width: header.width, height: header.height)
        try limits.check(canvas)
        let chunks = file.chunks
        guard let control = chunks.first(where: { $0.name == "acTL" || $0.name == "IDAT" }), control.name == "acTL"
        else { return nil }
        try file.checkSum(of: control)
        guard control.data.count == 8 else { throw Self.corrupt("acTL has a wrong length") }
        let frameCount = bytes.bigEndian(4, at: control.data.lowerBound)
        guard frameCount > 0 else { throw Self.corrupt("acTL declares no frames") }
        guard frameCount <= limits.frames else {
            throw .limitExceeded(.frames, value: frameCount, allowed: limits.frames)
        }
        playCount = bytes.bigEndian(4, at: control.data.lowerBound + 4)
        palette = chunks.prefix { $0.name != "IDAT" }.filter { ["PLTE", "tRNS"].contains($0.name) }.map(\.whole)
        var walk = FrameWalk(file: file, canvas: canvas, frameCount: frameCount)
        fault = walk.walk(chunks)
        frames = walk.frames.map(\.control)
        data = walk.frames.map(\.data)
        chunkPositions = Set(walk.frames.flatMap(\.chunks))
        hasSeparateDefaultImage = !walk.hasDefaultImageAsFrame
        if frames.isEmpty { throw fault ?? Self.corrupt("the animation has no frames") }
    }

    fileprivate static func corrupt(_ message: String) -> TexelError { .png(.corrupt(message)) }

    package func decoder(of index: Int, _ options: DecodeOptions) throws(TexelError) -> any RowDecoder {
        let frame = frames[index]
        // A frame has the structure of a PNG, with other chunk names.
        var image = PNGChunkWriter()
        var head = file.copy(PNGFile.headerData)
        head.replaceSubrange(0..<4, with: PNGChunkWriter.bigEndian(UInt32(frame.area.width)))
        head.replaceSubrange(4..<8, with: PNGChunkWriter.bigEndian(UInt32(frame.area.height)))
        image.append("IHDR", head)
        for chunk in palette { image.append(copy: file.copy(chunk)) }
        image.append(pixels: data[index].map { file.copy($0) })
        image.append("IEND", [])
        let source = PNGFile(bytes: InputBytes(image.bytes))
        var header = header
        (header.width, header.height) = (frame.area.width, frame.area.height)
        return try PNGDecoder(source, header: header, options: options)
    }
}

/// Collects the frames of an animation from its chunks, up to the first error.
private struct FrameWalk {
    let file: PNGFile
    let canvas: PixelSize
    let frameCount: Int
    private(set) var frames: [PNGAnimation.Frame] = []
    /// The frame whose data is being collected.
    private var current: PNGAnimation.Frame?
    private var hasPixels = false
    /// Whether the default image is the first frame: its control chunk precedes the pixels.
    private(set) var hasDefaultImageAsFrame = false
    private var pixelsHaveEnded = false
    private var sequenceNumber = 0

    init(file: PNGFile, canvas: PixelSize, frameCount: Int) {
        self.file = file
        self.canvas = canvas
        self.frameCount = frameCount
    }

    /// - Returns: the reason if there are fewer frames than declared.
    mutating func walk(_ chunks: [PNGFile.Chunk]) -> TexelError? {
        do throws(TexelError) {
            for chunk in chunks {
                switch chunk.name {
                case "fcTL":
                    try finishFrame()
                    pixelsHaveEnded = hasPixels
                    // Frames beyond the declared number are ignored, as in browsers.
                    if frames.count == frameCount { return nil }
                    current = try control(chunk)
                case "IDAT":
                    try file.checkSum(of: chunk)
                    guard !pixelsHaveEnded else { throw PNGAnimation.corrupt("IDAT follows the fcTL of a later frame") }
                    hasPixels = true
                    if current != nil { hasDefaultImageAsFrame = true }
                    // Without a control chunk before it, the default image is not part of the animation.
                    current?.data.append(chunk.data)
                case "fdAT":
                    try file.checkSum(of: chunk)
                    guard chunk.data.count > 4 else { throw PNGAnimation.corrupt("fdAT has a wrong length") }
                    try checkSequence(chunk)
                    guard pixelsHaveEnded, current != nil else {
                        throw PNGAnimation.corrupt("fdAT precedes the fcTL of its frame")
                    }
                    current?.data.append((chunk.data.lowerBound + 4)..<chunk.data.upperBound)
                    current?.chunks.append(chunk.whole.lowerBound)
                case "IEND": try finishFrame()
                default: break
                }
            }
            if chunks.last?.name != "IEND", frames.count < frameCount {
                throw .truncated(rowsRead: 0, rows: canvas.height)
            }
            if frames.count < frameCount {
                throw PNGAnimation.corrupt("acTL declares \(frameCount) frames, but the file has \(frames.count)")
            }
            return nil
        } catch {
            return error
        }
    }

    private mutating func finishFrame() throws(TexelError) {
        guard let frame = current else { return }
        guard !frame.data.isEmpty else { throw PNGAnimation.corrupt("frame \(frames.count) has no data") }
        frames.append(frame)
        current = nil
    }

    private mutating func control(_ chunk: PNGFile.Chunk) throws(TexelError) -> PNGAnimation.Frame {
        try file.checkSum(of: chunk)
        guard chunk.data.count == 26 else { throw PNGAnimation.corrupt("fcTL has a wrong length") }
        try checkSequence(chunk)
        let (bytes, at) = (file.bytes, chunk.data.lowerBound)
        let area = PixelRectangle(
            x: bytes.bigEndian(4, at: at + 12), y: bytes.bigEndian(4, at: at + 16),
            width: bytes.bigEndian(4, at: at + 4), height: bytes.bigEndian(4, at: at + 8))
        guard area.isInside(canvas) else {
            throw PNGAnimation.corrupt("frame \(frames.count) is not inside the canvas of \(canvas) pixels")
        }
        guard hasPixels || area.size == canvas else {
            throw PNGAnimation.corrupt("frame 0 is the default image but has another size")
        }
        guard let disposal = AnimationFrame.Disposal(rawValue: Int(bytes[at + 24])),
            let blending = AnimationFrame.Blending(rawValue: Int(bytes[at + 25]))
        else { throw PNGAnimation.corrupt("frame \(frames.count) has an unknown dispose_op or blend_op") }
        let denominator = bytes.bigEndian(2, at: at + 22)
        return PNGAnimation.Frame(
            control: AnimationFrame(
                area: area, delay: FrameDelay(bytes.bigEndian(2, at: at + 20), denominator == 0 ? 100 : denominator),
                // The first frame has no previous state to restore.
                disposal: frames.isEmpty && disposal == .previous ? .background : disposal, blending: blending),
            chunks: [chunk.whole.lowerBound])
    }

    /// Checks the sequence number: the control and data chunks of all frames are numbered together.
    private mutating func checkSequence(_ chunk: PNGFile.Chunk) throws(TexelError) {
        let number = file.bytes.bigEndian(4, at: chunk.data.lowerBound)
        guard number == sequenceNumber else {
            throw PNGAnimation.corrupt("\(chunk.name) has sequence number \(number) instead of \(sequenceNumber)")
        }
        sequenceNumber += 1
    }
}

extension PNGFile {
    /// The range of IHDR's data.
    fileprivate static let headerData = (signature.count + 8)..<(signature.count + 21)

    fileprivate func copy(_ range: Range<Int>) -> [UInt8] {
        Array(bytes.rawBytes(range))
    }

    /// Verifies a chunk's checksum.
    ///
    /// - Throws: `checksumMismatch`.
    fileprivate func checkSum(of chunk: Chunk) throws(TexelError) {
        let (declared, computed) = checksums(of: chunk)
        guard declared == computed else {
            throw .png(.checksumMismatch(of: "\(chunk.name) chunk", declared: declared, computed: computed))
        }
    }
}
