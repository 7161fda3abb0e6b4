import CPNGShim
import TexelCore
import TexelPixels

import TexelFormats
@testable import TexelCodecs
@testable import TexelPNG

extension FuzzTarget {
    /// Decodes a PNG and compares the result with libpng's.
    static let png = FuzzTarget("png", maximumLength: 1 << 15) { bytes, choices in
        let options = DecodeOptions(&choices)
        let file = InputBytes(choices.isSet() ? withRightChecksums(bytes) : bytes)
        let outcome = Outcome { () throws(TexelError) in
            try CodecRegistry.shared.open(file, limits: options.policy.limits).decodedAsStored(options)
        }
        expectSame(outcome, as: file, options, underStrictness: &choices)
        // libpng alone has no limit on the memory that a chunk requests.
        if case .failure(let error) = outcome, case .limitExceeded = error.kind { return }
        guard options.policy.strictness == .truncated, let library = LibraryPNG(file) else { return }
        switch outcome {
        case .image(let size, _, _, let checksum, _):
            expect(library.image?.size == size, "libpng reads what was read")
            expect(library.image?.checksum == checksum, "libpng gives the same pixels")
        case .failure(let error): expect(library.image == nil, "libpng refuses what was refused: \(error)")
        }
    }

    /// The frames of an animated PNG.
    static let apng = FuzzTarget("apng", maximumLength: 1 << 14) { bytes, choices in
        let options = DecodeOptions(&choices)
        let file = InputBytes(choices.isSet() ? withRightChecksums(bytes) : bytes)
        do throws(TexelError) {
            guard let animation = try PNGAnimation(file, limits: options.policy.limits) else { return }
            expect((1...options.policy.limits.frames).contains(animation.frames.count), "frames are limited")
            for (index, frame) in animation.frames.enumerated() {
                expect(frame.area.isInside(animation.canvas), "a frame lies on the canvas")
                expect(frame.delay.denominator > 0, "a delay is a number")
                do throws(TexelError) {
                    let decoder = try animation.decoder(of: index, options)
                    let image = try decoder.readImage()
                    _ = try decoder.finish()
                    image.expectSound()
                    expect(image.size == frame.area.size, "a frame fills its area")
                } catch {
                    expectSentence(error)
                }
            }
        } catch {
            expectSentence(error)
        }
    }
}

/// A non-interlaced PNG decoded by libpng alone.
private struct LibraryPNG {
    /// `nil` if libpng rejects the file.
    private(set) var image: PixelBuffer?

    /// `nil` if the file cannot be compared.
    init?(_ bytes: InputBytes) {
        guard (try? ImageFormat(sniffing: bytes)) == .png, let header = try? PNGFile(bytes: bytes).header(),
            !header.isInterlaced,
            (try? Limits.fuzzing.check(PixelSize(width: header.width, height: header.height))) != nil
        else { return nil }
        var limits = texel_png_limits(
            max_width: 8192, max_height: 8192, max_chunk_bytes: Limits.fuzzing.metadataBytes, max_chunks: 1000,
            max_warnings: Int32(clamping: Limits.fuzzing.warnings))
        var input = DecoderInput(bytes, nil).forLibrary(count: nil)
        guard let decoder = texel_png_decoder_create(&input, nil, &limits, nil, nil) else { return nil }
        defer { withExtendedLifetime(bytes) { texel_png_decoder_destroy(decoder) } }
        var details = texel_png_header()
        guard texel_png_decoder_read_header(decoder, &details) == TEXEL_CODEC_OK,
            texel_png_decoder_start(decoder, false) == TEXEL_CODEC_OK,
            var image = try? PixelBuffer(width: header.width, height: header.height, filledWith: 0)
        else { return }
        let (bytesPerRow, height) = (image.bytesPerRow, image.height)
        let status = image.withUnsafeMutableBytes { rows in
            var done: Int32 = 0
            return texel_png_decoder_read_rows(
                decoder, rows.baseAddress?.assumingMemoryBound(to: UInt8.self), bytesPerRow, Int32(height), &done)
        }
        if status == TEXEL_CODEC_OK { self.image = image }
    }
}
