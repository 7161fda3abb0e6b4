#if TIFF
    import Foundation
    import TestSupport
    import Testing
    import TexelCore
    import TexelPNG
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelTIFF

    /// Public test images, and PNGs that libtiff's `tiff2rgba` has made of them. They are not part of the repository;
    /// the test runs if the folder of the environment variable TEXEL_CORPORA has its files.
    @Suite struct TIFFConformanceTests {
        private static let root = TestFolders.corpora?.appendingPathComponent("tiff", isDirectory: true)

        /// The TIFFs that have a PNG, relative to the folder.
        private static let files: [String] = {
            guard let root, FileManager.default.fileExists(atPath: root.path) else { return [] }
            return TestFolders.files(below: root).map(\.path).filter { $0.hasSuffix(".png") }
                .map { String($0.dropFirst(root.path.count + 1).dropLast(4)) }
        }()

        /// Returns nothing for a file that cannot be read, which no format is.
        private static func bytes(_ path: String) -> [UInt8] {
            guard let root, let data = try? Data(contentsOf: root.appendingPathComponent(path)) else { return [] }
            return Array(data)
        }

        /// The files that Texel does not read.
        private static let unsupported: Set = [
            "TIFF with 16-bit signed samples", "TIFF with old-style JPEG compression (6)", "TIFF in CIE L*a*b*",
            "TIFF with LogLuv compression", "TIFF with compression 50013",
        ]

        /// Files that Texel refuses, by the ends of their names: libtiff reports an error too, or the file exceeds a
        /// limit.
        private static let refused = [
            "crash-2020-10-test.tif", "crash-63b1dffefc8c075ddc606c0a2f5fdc15ece78863.tif",
            "incorrect-compression-rle-as-g3.tif", "testfax3_bug54_1dnoEOL.tif", "testfax3_bug_513.tiff",
            "libtiffpic_text.tif", "big_g4.tif",
        ]

        /// Files with other pixels than libtiff's, by the ends of their names.
        private static let differing = [
            // libtiff ignores the profile of inks, and transparency beside inks.
            "general-cmm-error.tif", "lzw-long-strings-sample.tif", "cmyk_jpeg.tif", "cmyk-4c-8b.tiff",
            // libtiff treats an extra sample without a meaning as alpha.
            "extra_bits_rgb_8b.tiff", "wrong_bits_per_sample_3.tiff",
            // libtiff treats several samples without an interpretation as grey.
            "guessPhotometric_flower-rgb-contig-08.tif", "guessPhotometric_flower-separated-planar-08.tif",
            // Colours exceed alpha, which straight pixels cannot express.
            "strike.tif",
            // Damaged: libtiff stops at wrong byte counts, or goes on after damaged codes.
            "tiff_overflow_rows_per_strip.tif", "crash-0da013a13571cc8eb457a39fee8db18f8a3c7127.tif",
        ]

        @Test(.enabled(if: !files.isEmpty), arguments: files) func corpusFilesDecodeLikeTheirReference(file: String)
            throws
        {
            let image: PixelBuffer
            do throws(TexelError) {
                image = try CodecChecks(TIFFCodec()).decoded(Self.bytes(file)).image
            } catch {
                if Self.unsupported.contains(where: { error == .unsupported($0) }) { return }
                #expect(Self.refused.contains { file.hasSuffix($0) }, "\(file): \(error)")
                return
            }
            if Self.differing.contains(where: { file.hasSuffix($0) }) { return }
            let reference = try CodecChecks(PNGCodec()).decoded(Self.bytes(file + ".png")).image
            // The references are premultiplied. Other differences are rounding.
            let pixels = try image.premultiplied().pixels
            let left = try PixelBuffer(
                width: image.width, height: image.height, pixels: pixels, alphaMode: reference.alphaMode)
            expectPixelsEqual(left, reference, tolerance: 1, file)
        }
    }
#endif
