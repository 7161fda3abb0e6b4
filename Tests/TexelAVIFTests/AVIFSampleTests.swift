#if AVIF
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelAVIF
    @testable import TexelCodecs

    /// Files of kinds that Texel does not write: deep samples, the limited range, premultiplied alpha, grids, crops.
    @Suite struct AVIFSampleTests {
        private let checks = CodecChecks(AVIFCodec())

        private func colors(_ x: Int, _ y: Int) -> UInt32 {
            0xFF00_0000 | UInt32(60 + 8 * x) << 16 | UInt32(40 + 10 * y) << 8 | 120
        }

        private func expect(
            _ bytes: [UInt8], _ model: ImageInfo.ColorModel, depth: Int, _ subsampling: String?, tolerance: Int,
            sourceLocation: SourceLocation = #_sourceLocation, _ pixel: (Int, Int) -> UInt32
        ) throws {
            let info = try checks.source(bytes).info
            #expect(info.colorModel == model, sourceLocation: sourceLocation)
            #expect(info.bitDepth == depth, sourceLocation: sourceLocation)
            #expect(info.chromaSubsampling == subsampling, sourceLocation: sourceLocation)
            let alphaMode = info.hasAlpha ? AlphaMode.straight : .opaque
            let expected = try PixelBuffer.make(width: 12, height: 10, alphaMode: alphaMode, pixel)
            expectPixelsEqual(
                try checks.decoded(bytes, .error).image, expected, tolerance: tolerance,
                sourceLocation: sourceLocation)
        }

        @Test func deepAndLimitedSamples() throws {
            // Halved chroma is not interpolated at the edges.
            try expect(AVIFSamples.tenBits420, .yCbCr, depth: 10, "4:2:0", tolerance: 6, colors)
            try expect(AVIFSamples.twelveBits444, .yCbCr, depth: 12, "4:4:4", tolerance: 1, colors)
            try expect(AVIFSamples.eightBits422, .yCbCr, depth: 8, "4:2:2", tolerance: 5, colors)
            try expect(AVIFSamples.identity, .rgb, depth: 10, "4:4:4", tolerance: 0, colors)
        }

        @Test func grayWithoutChroma() throws {
            func gray(_ x: Int, _ y: Int) -> UInt32 { 0xFF00_0000 | UInt32(30 + 15 * x) * 0x01_0101 }
            try expect(AVIFSamples.limitedGray, .gray, depth: 8, nil, tolerance: 1, gray)
            try expect(AVIFSamples.tenBitsGray, .gray, depth: 10, nil, tolerance: 0, gray)
        }

        /// Premultiplied colours are divided by alpha.
        @Test func premultipliedColorsAreDividedByAlpha() throws {
            func pixel(_ x: Int, _ y: Int) -> UInt32 { UInt32(255 - 20 * x) << 24 | 0xC8_6432 }
            try expect(AVIFSamples.tenBitsAlpha, .yCbCr, depth: 10, "4:4:4", tolerance: 1, pixel)
            // The lowest alpha is 35: an error of 1 before the division is one of 7 after it.
            try expect(AVIFSamples.premultiplied, .yCbCr, depth: 8, "4:4:4", tolerance: 8, pixel)
        }

        @Test func cropTurnAndMirror() throws {
            let source = try checks.source(AVIFSamples.cropped)
            #expect(source.info.size == PixelSize(width: 6, height: 4))
            #expect(source.info.displaySize == PixelSize(width: 4, height: 6))
            #expect(source.info.orientation == .transposed)
            #expect(source.info.decodeScales == [1])
            let image = try checks.decoded(AVIFSamples.cropped).image
            let expected = try PixelBuffer.make(width: 6, height: 4) { colors($0 + 4, $1 + 3) }
            expectPixelsEqual(image, expected, tolerance: 2)
            let exif = WrittenMetadata(exif: TestEXIF.block(orientation: .identity))
            let copy = try source.rewritten(metadata: exif, keeping: [.color], stop: nil)
            #expect(try checks.decoded(copy).image == image)
            #expect(try checks.source(copy).info.orientation == .transposed)
        }

        @Test func gridCellsDecodeInPlace() throws {
            let bytes = AVIFSamples.grid
            #expect(try checks.source(bytes).info.coding == "AV1, Main profile, grid of 1 × 2")
            let whole = try checks.decoded(bytes).image
            let expected = try PixelBuffer.make(width: 64, height: 128) { x, y in
                0xFF00_0000 | UInt32(60 + 2 * x) << 16 | UInt32(40 + y) << 8 | 120
            }
            expectPixelsEqual(whole, expected, tolerance: 4)
            try checks.checkTruncations(of: bytes)
            checks.checkMutations(of: bytes, count: 400, seed: 8)
            let copy = try checks.source(bytes).rewritten(
                metadata: WrittenMetadata(exif: TestEXIF.block(orientation: .identity)), keeping: [], stop: nil)
            #expect(try checks.decoded(copy).image == whole)
        }

        /// Of a grid that is cut off, the complete cells are shown, at every scale.
        @Test(arguments: [1, 2, 4, 8]) func completeCellsOfCutGridsAreShown(shrink: Int) throws {
            let bytes = Array(AVIFSamples.grid.dropLast(8))
            #expect(throws: TexelError.truncated(rowsRead: 0, rows: 128)) { try checks.decoded(bytes, shrink: shrink) }
            let whole = try checks.decoded(AVIFSamples.grid, shrink: shrink).image
            let decoded = try checks.decoded(bytes, .none, shrink: shrink)
            #expect(decoded.image.size == whole.size)
            #expect(decoded.warnings == ["the image is truncated"])
            // The last row of the first cell is interpolated with the second one.
            for y in 0..<(64 / shrink - 1) {
                #expect((0..<whole.width).allSatisfy { decoded.image[$0, y] == whole[$0, y] }, "row \(y)")
            }
            for y in (64 / shrink)..<whole.height {
                #expect((0..<whole.width).allSatisfy { decoded.image[$0, y] == 0xFF00_0000 }, "row \(y)")
            }
        }

        @Test(arguments: [0, 3, 16, -2]) func unsupportedScalesAreIgnored(shrink: Int) throws {
            let decoder = try checks.source(AVIFSamples.grid).decoder(shrink)
            #expect(decoder.size == PixelSize(width: 64, height: 128))
        }
    }

    extension ImageFile {
        fileprivate func decoder(_ shrink: Int) throws(TexelError) -> any RowDecoder {
            var options = DecodeOptions()
            options.shrink = shrink
            return try decoder(options)
        }
    }
#endif
