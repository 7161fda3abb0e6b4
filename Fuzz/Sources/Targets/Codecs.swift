import TexelAVIF
import TexelBMP
import TexelCore
import TexelFormats
import TexelHEIC
import TexelJXL
import TexelPNM
import TexelPixels
import TexelQOI
import TexelTIFF
import TexelWebP

@testable import TexelCodecs

extension FuzzTarget {
    /// PBM, PGM, PPM and PAM, with several images in a file.
    static let pnm = codec("pnm", PNMCodec(), maximumLength: 1 << 12)
    /// BMP: palettes, masks, run-length codes.
    static let bmp = codec("bmp", BMPCodec(), maximumLength: 1 << 13)
    static let qoi = codec("qoi", QOICodec(), maximumLength: 1 << 12)
    /// TIFF: strips, tiles, pages.
    static let tiff = codec("tiff", TIFFCodec(), maximumLength: 1 << 13)
    /// WebP, still and animated.
    static let webp = codec("webp", WebPCodec(), maximumLength: 1 << 15)
    /// AVIF, still and animated.
    static let avif = codec("avif", AVIFCodec(), maximumLength: 1 << 13)
    /// HEIC.
    static let heic = codec("heic", HEICCodec(), maximumLength: 1 << 13)

    /// JPEG XL, still and animated.
    static let jxl = codec("jxl", JXLCodec(), maximumLength: 1 << 14)

    /// Reads files of one format in all ways: pixels, at another strictness, while they arrive, frames, other metadata.
    private static func codec(_ name: String, _ codec: any ImageCodec, maximumLength: Int) -> FuzzTarget {
        FuzzTarget(name, maximumLength: maximumLength) { bytes, choices in
            var options = DecodeOptions(&choices)
            let file = InputBytes(bytes)
            guard codec.recognizes(Array(bytes.prefix(CodecRegistry.headSize))),
                let source = try? CodecRegistry.shared.open(file, limits: options.policy.limits)
            else { return }
            let info = source.info
            if !info.decodeScales.contains(options.shrink) { options.shrink = 1 }
            if choices.isSet() { options.frame = choices.index(below: 4) }
            let whole = Outcome { () throws(TexelError) in try source.decodedAsStored(options) }
            expectSame(whole, as: file, options, underStrictness: &choices)
            let step = 1 + choices.index(below: 40)
            if let arriving = outcome(ofArriving: bytes, options, piece: { $0 % 3 == 0 ? 1 : step }) {
                // Which of two errors is found first may depend on the bytes available.
                expect(
                    arriving == whole || !arriving.isImage && !whole.isImage, "an arriving file gives the same image")
            }
            expectFrames(of: source, options)
            guard case .image(let size, _, _, let checksum, let metadata) = whole else { return }
            if options.shrink == 1, options.frame == nil { expect(size == info.size, "the header has the size") }
            let written = metadata.kept(
                under: choices.one(of: MetadataPolicy.allCases), orientation: .identity, size: size,
                keepsThumbnail: false)
            let keepsColors = choices.isSet()
            var rewritten: [UInt8] = []
            do throws(TexelError) {
                rewritten = try source.rewritten(metadata: written, keeping: keepsColors ? [.color] : [], stop: nil)
            } catch {
                expectSentence(error)
                // Something else than the image may be missing, damaged or too large, or metadata may overlap the
                // image.
                switch error.kind {
                case .truncated, .damaged, .limitExceeded, .unsupported: return
                default: return expect(info.pageCount > 1, "a file can be rewritten: \(error)")
                }
            }
            let copy = Outcome { () throws(TexelError) in
                try CodecRegistry.shared.open(InputBytes(rewritten), limits: options.policy.limits).decodedAsStored(
                    options)
            }
            // New metadata may exceed a limit that the old ones do not.
            if case .failure(let error) = copy, case .limitExceeded = error.kind { return }
            guard options.policy.strictness != .none else { return }
            // Another page of the file may be one that cannot be read.
            if info.pageCount > 1, case .failure = copy { return }
            guard case .image(size, _, _, checksum, _) = copy else {
                return expect(false, "a rewritten file has the same pixels: \(copy) instead of \(whole)")
            }
        }
    }

    /// Draws the frames of an animation.
    private static func expectFrames(of source: any ImageFile, _ options: DecodeOptions) {
        do throws(TexelError) {
            guard let animation = try source.animation(limits: options.policy.limits) else { return }
            expect((1...options.policy.limits.frames).contains(animation.frames.count), "frames are limited")
            let canvas = try AnimationCanvas(animation)
            for (index, frame) in animation.frames.enumerated() {
                expect(frame.area.isInside(animation.canvas), "a frame is inside the canvas")
                expect(frame.delay.denominator > 0, "a delay is a number")
                try canvas.draw(index, options)
            }
        } catch {
            expectSentence(error)
        }
    }
}
