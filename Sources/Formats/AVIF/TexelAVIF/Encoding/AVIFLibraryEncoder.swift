import CAVIFShim
import TexelCodecs
import TexelCore
import TexelPixels

/// An encoder of libavif with the planes of one image.
///
/// Unchecked because of the pointer and the state: threads use it one after another. A thread that encodes is the only
/// one, because its caller waits for it or, if it is stopped, does not use the encoder any more.
final class AVIFLibraryEncoder: @unchecked Sendable {
    private let encoder: OpaquePointer
    private let size: PixelSize
    private let hasAlpha: Bool
    private let sampling: AVIFSampling
    /// The chroma of the first image, if finding the sampling has made it.
    private var halved: AVIFHalvedChroma?

    /// - Parameters:
    ///   - first: the image, or the first frame, which decides about the sampling.
    ///   - animation: the number of steps of time per second, and whether frames have alpha; `nil` for a still image.
    /// - Throws: `outOfMemory`, `stopped`.
    init(
        _ options: AVIFOptions, _ context: EncodingContext, first: PixelBuffer,
        animation: (ticksPerSecond: Int, hasAlpha: Bool)?, _ rows: BlockRows
    ) throws(TexelError) {
        guard texel_avif_encodes() else { throw .cannotEncode("this libavif has no libaom, which encodes") }
        size = first.size
        hasAlpha = animation?.hasAlpha ?? !first.isOpaque
        (sampling, halved) = try Self.sampling(options, first, isAnimation: animation != nil, rows)
        let colors = try AVIFColorChoice(first.colorSpace)
        let oriented = SeparateOrientation(context.metadata)
        let turns = AVIFTurns(oriented.orientation)
        let speed = Self.speed(options.effort)
        var settings = texel_avif_encoder_settings()
        settings.width = Int32(size.width)
        settings.height = Int32(size.height)
        settings.sampling = sampling.library
        settings.has_alpha = hasAlpha
        settings.primaries = Int32(colors.primaries)
        settings.transfer = Int32(colors.transfer)
        settings.matrix = sampling.matrix
        settings.quantizer =
            options.isLossless
            ? 0
            : Int32(
                AVIFQuality.quantizer(options.quality, hasWholeChroma: sampling == .chroma(.yuv444), options.effort))
        settings.alpha_quantizer = options.alphaQuantizer
        // From 7 on, libavif encodes sequences for real time, without constant quality.
        settings.speed = animation == nil ? speed : min(speed, 6)
        // libaom's result is the same for every number of threads from 2 on; with one, it chooses otherwise.
        settings.threads = Int32(clamping: max(2, context.parallelism))
        settings.turns = turns.turns
        settings.mirror = turns.mirror
        settings.ticks_per_second = UInt64(animation?.ticksPerSecond ?? 0)
        let tuning = animation == nil && !options.isLossless ? AVIFTuning.name(LoadedLibrary.avifCodecVersions) : nil
        let created = Self.withBlock(colors.profile) { profile in
            Self.withBlock(oriented.exif) { exif in
                Self.withBlock(oriented.xmp) { xmp in
                    guard let tuning else { return texel_avif_encoder_create(&settings, profile, exif, xmp) }
                    return tuning.withCString { name in
                        settings.tuning = name
                        return texel_avif_encoder_create(&settings, profile, exif, xmp)
                    }
                }
            }
        }
        guard let created else { throw .outOfMemory }
        encoder = created
    }

    deinit { texel_avif_encoder_destroy(encoder) }

    private static func withBlock<Value>(_ bytes: [UInt8]?, _ body: (texel_avif_block) -> Value) -> Value {
        guard let bytes, !bytes.isEmpty else { return body(texel_avif_block(bytes: nil, count: 0)) }
        return bytes.withUnsafeBufferPointer { body(texel_avif_block(bytes: $0.baseAddress, count: $0.count)) }
    }

    private static func speed(_ effort: Effort) -> Int32 {
        switch effort {
        case .fast: 8
        case .balanced: 6
        case .best: 3
        }
    }

    // MARK: Sampling

    private static func sampling(
        _ options: AVIFOptions, _ image: PixelBuffer, isAnimation: Bool, _ rows: BlockRows
    ) throws(TexelError) -> (AVIFSampling, AVIFHalvedChroma?) {
        // Later frames may have colours.
        if !isAnimation, image.isGray { return (.gray, nil) }
        if options.isLossless { return (.identity, nil) }
        switch options.subsampling {
        case .yuv444: return (.chroma(.yuv444), nil)
        case .yuv422: return (.chroma(.yuv422), nil)
        case .yuv420: return (.chroma(.yuv420), nil)
        case .automatic:
            if options.quality >= AVIFQuality.wholeChroma { return (.chroma(.yuv444), nil) }
            guard options.effort != .fast else { return (.chroma(.yuv420), nil) }
            guard let halved = try AVIFHalvedChroma(image, mayFail: true, rows) else {
                return (.chroma(.yuv444), nil)
            }
            return (.chroma(.yuv420), halved)
        }
    }

    // MARK: Planes

    /// Converts an image to planes.
    ///
    /// - Throws: `cannotEncode` if the image differs from the first in its size or its transparency; `stopped`.
    func fill(_ image: PixelBuffer, _ rows: BlockRows) throws(TexelError) {
        guard image.size == size else {
            throw .cannotEncode("a frame of \(image.size) pixels in an animation of \(size)")
        }
        guard hasAlpha || image.isOpaque else {
            throw .cannotEncode("a frame of an animation without alpha is transparent")
        }
        let target = Target(encoder: encoder)
        let (hasAlpha, sampling) = (hasAlpha, sampling)
        try rows.forEach(size.height) { y in
            Self.withRow(y, of: image) { pixels in
                if hasAlpha { texel_avif_encoder_set_alpha(target.encoder, Int32(y), pixels) }
                switch sampling {
                case .gray: texel_avif_encoder_set_gray(target.encoder, Int32(y), pixels)
                case .identity: texel_avif_encoder_set_identity(target.encoder, Int32(y), pixels)
                case .chroma: break
                }
            }
        }
        guard case .chroma(let resolution) = sampling else { return }
        if resolution == .yuv420 {
            try convert(image, .none)
            var chroma = halved
            halved = nil
            if chroma == nil { chroma = try AVIFHalvedChroma(image, mayFail: false, rows) }
            guard let chroma else { return }
            try rows.forEach(chroma.height) { y in
                for component in 0..<2 {
                    // The plane has as many rows and samples as the halved chroma.
                    if let row = target.row(1 + component, y) { chroma.write(component, y, to: row) }
                }
            }
        } else {
            try convert(image, resolution)
        }
    }

    /// Where rows are written.
    ///
    /// Unchecked because of the pointer: each row is written by one thread, while the encoder does nothing.
    private struct Target: @unchecked Sendable {
        let encoder: OpaquePointer

        func row(_ plane: Int32, _ y: Int) -> UnsafeMutablePointer<UInt8>? {
            var bytesPerRow = 0
            return texel_avif_encoder_plane(encoder, plane, &bytesPerRow).map { $0 + y * bytesPerRow }
        }

        func row(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<UInt8>? { row(Int32(plane), y) }
    }

    /// Converts to luma, and to chroma unless there is none.
    private func convert(_ image: PixelBuffer, _ sampling: ChromaSampling) throws(TexelError) {
        var (lumaBytes, chromaBytes) = (0, 0)
        guard let luma = texel_avif_encoder_plane(encoder, 0, &lumaBytes) else { throw .outOfMemory }
        let u = sampling == .none ? nil : texel_avif_encoder_plane(encoder, 1, &chromaBytes)
        let v = sampling == .none ? nil : texel_avif_encoder_plane(encoder, 2, &chromaBytes)
        let converter = try BGRAToYUV(YUVFormat(sampling), YUVColor(.bt601, .full), size: size)
        let planes = MutableYUVRows(
            y: luma, yBytesPerRow: lumaBytes, u: u, v: v, chromaBytesPerRow: chromaBytes)
        image.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            converter.convert(0..<size.height, from: base, bytesPerRow: image.bytesPerRow, to: planes)
        }
    }

    private static func withRow(_ y: Int, of image: PixelBuffer, _ body: (UnsafePointer<UInt8>) -> Void) {
        image.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            body((base + y * image.bytesPerRow).assumingMemoryBound(to: UInt8.self))
        }
    }

    // MARK: Encoding

    /// Encodes the planes. Blocks until that is done.
    func add(ticks: Int) throws(TexelError) {
        try check(LibraryMessage.result { texel_avif_encoder_add(encoder, UInt64(max(0, ticks)), $0) })
    }

    /// Makes the file. Blocks while frames are encoded that libaom has held back.
    func finish() throws(TexelError) -> [UInt8] {
        var output = texel_avif_output()
        try check(LibraryMessage.result { texel_avif_encoder_finish(encoder, &output, $0) })
        defer { texel_avif_output_free(&output) }
        return Array(UnsafeRawBufferPointer(start: output.bytes, count: output.count))
    }

    private func check(_ result: (value: texel_avif_status, message: String)) throws(TexelError) {
        switch result.value {
        case TEXEL_AVIF_OK: return
        case TEXEL_AVIF_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .cannotEncode(result.message)
        }
    }
}

/// An orientation as the properties `irot` and `imir`.
struct AVIFTurns {
    /// Quarter turns counter-clockwise.
    let turns: Int32
    /// Then: 0 exchanges top and bottom, 1 exchanges left and right, -1 nothing.
    let mirror: Int32

    init(_ orientation: Orientation) {
        (turns, mirror) =
            switch orientation {
            case .identity: (0, -1)
            case .flippedHorizontally: (0, 1)
            case .rotated180: (2, -1)
            case .flippedVertically: (0, 0)
            case .transposed: (1, 0)
            case .rotated90: (3, -1)
            case .transversed: (1, 1)
            case .rotated270: (1, -1)
            }
    }
}
