import TexelCodecs
import TexelCore
import TexelOperations
import TexelPixels

/// Luma and chroma planes flow from the decoder through the filter to the encoder, without becoming pixels.
struct PlanarRoute: PlannedRoute {
    static let route = Route.planar

    let image: PlannedImage
    let planned: PlannedEncoding
    /// The part of the image that is read, and the resize during reading.
    let load: PixelLoad
    let shrink: Int
    /// The moves after the load: orientation, flips and quarter turns.
    let moves: Orientation
    /// Whether filtered rows are encoded as they are made, if the encoder can. Otherwise the result is in memory.
    let encodesRows: Bool

    var encoding: PlannedEncoding? { planned }
    var steps: [any RowStep] { [] }

    /// Whether encoding begins with the whole result in memory, because planes are moved or the encoder needs them.
    /// Otherwise block rows are encoded one by one.
    private var isHeldBack: Bool { moves != .identity || needsWholeImage }

    private var needsWholeImage: Bool {
        (planned.encoding?.options as? any PlanarOptions)?.needsWholeImage(image.size) ?? true
    }

    /// At most three bytes a pixel, twice if they are moved.
    var estimatedBytes: Int {
        let isResampled = load != .decode(PixelRectangle(covering: image.input.size))
        let pixels = image.pixelCount
        // Block rows on their way.
        let streamed = min(pixels, Double(image.size.width) * 256) * 3
        let planes = isHeldBack || !encodesRows ? (isResampled ? pixels * 3 : 0) + pixels * 3 : streamed
        let encoding = planned.encoding?.options.workingBytes(pixels: pixels, isSearched: false) ?? 0
        return PlannedImage.wholeBytes(
            planes + image.decodingBytes(shrink: shrink) + encoding)
    }

    func run(_ context: RouteContext) throws(TexelError) -> EncodedImage {
        try planned.refuseLoss()
        guard let options = planned.encoding?.options as? any PlanarOptions else {
            throw .unsupported("encoding planes")
        }
        let encodingContext = planned.context(
            image, context.source.info.metadata, size: image.size, context)
        let transcoder = PlaneTranscoder(
            load, moves, options.planeEncoder(encodingContext), needsWholeImage: needsWholeImage,
            encodesRows: encodesRows, isParallel: encodingContext.parallelism > 1, rowCounter: context.rowCounter)
        context.rowCounter?.expect(
            context.decodedHeight(shrink: shrink) + (isHeldBack ? planned.rows(height: image.size.height) : 0))
        let decodeOptions = context.decodeOptions(frame: image.frame, shrink: shrink)
        let (bytes, notes) = try transcoder.run { () throws(TexelError) in
            try context.source.planeDecoder(decodeOptions)
        }
        let result = planned.file(
            bytes, size: image.size, route: Self.route,
            warnings: notes.warnings + planned.qualityNotes + planned.effortNotes(image))
        let original = OriginalFile(image, context)
        guard original.isKeepable(notes) else { return result }
        return try original.file(
            unlessSmaller: result, by: planned.minimumGain, warnings: notes.warnings, recompressing: planned)
    }

    var reason: String { "planes are kept without colour conversion" }
    var explanation: [String] {
        load.explanation(shrink: shrink) + (moves == .identity ? [] : ["then: move samples (\(moves))"])
    }
}
