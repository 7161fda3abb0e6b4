#if TIFF
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelTIFF

    /// Files made by hand, one for each way to store pixels.
    @Suite struct TIFFDecodingTests {
        private let checks = CodecChecks(TIFFCodec())

        private func pixels(_ bytes: [UInt8], _ strictness: Strictness = .warning) throws -> [UInt32] {
            try checks.decoded(bytes, strictness).image.pixels
        }

        /// Opaque grey pixels.
        private func grays(_ values: [UInt8]) -> [UInt32] { values.map { 0xFF00_0000 | UInt32($0) * 0x1_0101 } }

        // MARK: Samples

        @Test(arguments: ByteOrder.allCases, [false, true]) func headersOfBothOrdersAndSizesAreRead(
            order: ByteOrder, isBig: Bool
        ) throws {
            let bytes = TIFFFileMaker.file(order: order, isBig: isBig) {
                $0.add(width: 3, height: 2, parts: [[1, 2, 3, 4, 5, 6]])
            }
            #expect(try pixels(bytes) == grays([1, 2, 3, 4, 5, 6]))
            let info = try checks.source(bytes).info
            #expect(info.colorModel == .gray && info.bitDepth == 8 && !info.hasAlpha && info.isLossless == true)
            #expect(info.coding == "uncompressed, strips" && info.pageCount == 1 && info.colorSpace == .sRGB)
            try checks.checkTruncations(of: bytes)
        }

        @Test(arguments: ByteOrder.allCases, [0, 1]) func deepSamplesAreDithered(order: ByteOrder, photometric: Int)
            throws
        {
            try checks.checkDithering { samples in
                TIFFFileMaker.file(order: order) {
                    let stored = samples.flatMap { order.bytes(photometric == 0 ? .max - $0 : $0) }
                    $0.add(width: 64, height: 48, bits: 16, photometric: photometric, parts: [stored])
                }
            }
        }

        /// All depths: the largest sample is white, 0 black, others the nearest of 255 steps.
        @Test(arguments: 1...16, [0, 1]) func allDepthsAreScaledToEightBits(bits: Int, photometric: Int) throws {
            let maximum = 1 << bits - 1
            let values = [0, maximum, maximum / 2, min(maximum, 1), maximum / 3]
            var packed: [UInt8] = []
            for order in ByteOrder.allCases {
                if bits == 16 {
                    packed = values.flatMap { order.bytes(UInt16($0)) }
                } else {
                    let text = values.map { value in
                        String(repeating: "0", count: bits - String(value, radix: 2).count) + String(value, radix: 2)
                    }.joined()
                    let padded = Array(text + String(repeating: "0", count: (8 - text.count % 8) % 8))
                    packed = stride(from: 0, to: padded.count, by: 8).map {
                        UInt8(String(padded[$0..<($0 + 8)]), radix: 2) ?? 0
                    }
                }
                let bytes = TIFFFileMaker.file(order: order) {
                    $0.add(width: 5, height: 1, bits: bits, photometric: photometric, parts: [packed])
                }
                let expected = values.map { value in
                    let sample = photometric == 0 ? maximum - value : value
                    return UInt8((sample * 255 + maximum / 2) / maximum)
                }
                #expect(try pixels(bytes) == grays(expected), "\(bits) \(order)")
                #expect(try checks.source(bytes).info.bitDepth == bits)
            }
        }

        /// A strip of two rows, with and without a predictor, as `xz` writes them.
        @Test(arguments: [1, 2]) func lzmaStripsDecode(predictor: Int) throws {
            // 0, 10, 20, 30 and 200, 210, 220, 255.
            let stream: [UInt8] = [
                0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 0, 0xFF, 0x12, 0xD9, 0x41, 2, 0, 0x21, 1, 0x0C, 0, 0, 0, 0x8F, 0x98,
                0x41, 0x9C, 1, 0, 7, 0, 0x0A, 0x14, 0x1E, 0xC8, 0xD2, 0xDC, 0xFF, 0, 0, 1, 0x18, 8, 0x40, 0xA5, 0x46,
                0xAC, 6, 0x72, 0x9E, 0x7A, 1, 0, 0, 0, 0, 0, 0x59, 0x5A,
            ]
            let bytes = TIFFFileMaker.file {
                $0.add(
                    width: 4, height: 2, parts: [stream], [$0.short(259, 34_925), $0.short(317, predictor)])
            }
            let sums: [UInt8] = [0, 10, 30, 60, 200, 154, 118, 117]
            #expect(try pixels(bytes) == grays(predictor == 1 ? [0, 10, 20, 30, 200, 210, 220, 255] : sums))
            #expect(try checks.source(bytes).info.coding.hasPrefix("LZMA"))
            checks.checkMutations(of: bytes, count: 100, seed: 6)
        }

        @Test func rgbSamplesDecode() throws {
            let rgb = TIFFFileMaker.file {
                $0.add(width: 2, height: 1, samples: 3, photometric: 2, parts: [[1, 2, 3, 250, 251, 252]])
            }
            #expect(try pixels(rgb) == [0xFF01_0203, 0xFFFA_FBFC])
            let deep = TIFFFileMaker.file(order: .bigEndian) {
                $0.add(
                    width: 1, height: 1, bits: 16, samples: 3, photometric: 2, parts: [[0xFF, 0xFF, 0x80, 0, 0, 0x81]])
            }
            // 0x8000 · 255 / 65535 is 127.502, 0x81 · 255 / 65535 is 0.502.
            #expect(try pixels(deep) == [0xFFFF_8001])
            let planes = TIFFFileMaker.file {
                $0.add(
                    width: 2, height: 2, samples: 3, photometric: 2, rowsPerStrip: 1,
                    parts: [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]], [$0.short(284, 2)])
            }
            #expect(try pixels(planes) == [0xFF01_0509, 0xFF02_060A, 0xFF03_070B, 0xFF04_080C])
            #expect(try checks.source(planes).info.coding == "uncompressed, strips, planes")
        }

        @Test func paletteIndicesGiveTheirColors() throws {
            // Two bits: black, red, half green, white.
            let colors = [0, 65_535, 0, 65_535, 0, 0, 32_768, 65_535, 0, 0, 0, 65_535]
            let bytes = TIFFFileMaker.file {
                $0.add(
                    width: 4, height: 1, bits: 2, photometric: 3, parts: [[0b00_01_10_11]],
                    [TIFFValue(320, 3, colors, $0.order)])
            }
            #expect(try pixels(bytes) == [0xFF00_0000, 0xFFFF_0000, 0xFF00_8000, 0xFFFF_FFFF])
            #expect(try checks.source(bytes).info.colorModel == .palette)
            // Values below 256 are bytes.
            let small = TIFFFileMaker.file {
                $0.add(
                    width: 2, height: 1, bits: 1, photometric: 3, parts: [[0b0100_0000]],
                    [TIFFValue(320, 3, [0, 255, 0, 128, 7, 1], $0.order)])
            }
            #expect(try pixels(small) == [0xFF00_0007, 0xFFFF_8001])
            let without = TIFFFileMaker.file { $0.add(width: 1, height: 1, photometric: 3, parts: [[0]]) }
            #expect(throws: TexelError.tiff(.missing("ColorMap"))) { try checks.source(without) }
        }

        @Test func extraSamplesGiveAlpha() throws {
            func file(_ extra: Int, _ samples: [UInt8], bits: Int = 8, photometric: Int = 2, count: Int = 4) -> [UInt8]
            {
                TIFFFileMaker.file(order: .bigEndian) {
                    $0.add(
                        width: 1, height: 1, bits: bits, samples: count, photometric: photometric, parts: [samples],
                        [$0.short(338, extra)])
                }
            }
            #expect(try pixels(file(2, [10, 20, 30, 128])) == [0x800A_141E])
            // 10 · 255 / 128 is 19.9.
            #expect(try pixels(file(1, [10, 20, 128, 128])) == [0x8014_28FF])
            #expect(try pixels(file(1, [10, 20, 200, 0])) == [0])
            // A fourth sample without a meaning.
            for other in [0, 257] {
                let assumed = try checks.decoded(file(other, [10, 20, 30, 128]))
                #expect(assumed.image.pixels == [0x800A_141E])
                #expect(
                    assumed.warnings == ["the meaning of the fourth sample is not declared; it is read as alpha"])
            }
            let absent = TIFFFileMaker.file {
                $0.add(width: 1, height: 1, samples: 4, photometric: 2, parts: [[10, 20, 30, 128]])
            }
            #expect(try pixels(absent, .error) == [0x800A_141E])
            #expect(try pixels(file(0, [10, 20, 30, 128, 7], count: 5)) == [0xFF0A_141E])
            #expect(try pixels(file(0, [77, 3], photometric: 1, count: 2)) == [0xFF4D_4D4D])
            #expect(try pixels(file(2, [77, 3], photometric: 1, count: 2)) == [0x034D_4D4D])
            // The colours are divided before they lose bits.
            let deep = file(1, [0, 1, 0, 2, 0, 3, 0, 3], bits: 16)
            #expect(try pixels(deep) == [0x0055_AAFF])
            #expect(try checks.source(deep).info.hasAlpha)
        }

        @Test func cmykIsConvertedAndOtherInksAreRefused() throws {
            let bytes = TIFFFileMaker.file {
                $0.add(
                    width: 2, height: 1, samples: 4, photometric: 5, parts: [[0, 0, 0, 0, 255, 128, 0, 0]])
            }
            #expect(try pixels(bytes) == [0xFFFF_FFFF, 0xFF00_7FFF])
            #expect(try checks.source(bytes).info.colorModel == .cmyk)
            let others = TIFFFileMaker.file {
                $0.add(width: 1, height: 1, samples: 4, photometric: 5, parts: [[0, 0, 0, 0]], [$0.short(332, 2)])
            }
            #expect(throws: TexelError.unsupported("TIFF with other inks than CMYK")) { try checks.source(others) }
        }

        @Test func subsampledLumaAndChromaDecode() throws {
            // Two groups of 2 × 2: grey, then red.
            let groups: [UInt8] = [10, 20, 30, 40, 128, 128, 76, 76, 76, 76, 85, 255]
            let bytes = TIFFFileMaker.file {
                $0.add(width: 3, height: 2, samples: 3, photometric: 6, parts: [groups])
            }
            let red: UInt32 = 0xFFFE_0000
            let image = try pixels(bytes)
            #expect(image[0...1] == [0xFF0A_0A0A, 0xFF14_1414] && image[3...4] == [0xFF1E_1E1E, 0xFF28_2828])
            #expect(image[2] == red && image[5] == red)
            #expect(try checks.source(bytes).info.chromaSubsampling == "4:2:0")
            let plain = TIFFFileMaker.file {
                $0.add(width: 1, height: 1, samples: 3, photometric: 6, parts: [[76, 85, 255]], [$0.short(530, 1, 1)])
            }
            #expect(try pixels(plain) == [red])
            let invalid = TIFFFileMaker.file {
                $0.add(width: 1, height: 1, samples: 3, photometric: 6, parts: [[0]], [$0.short(530, 3, 1)])
            }
            #expect(throws: TexelError.tiff(.corrupt("invalid chroma subsampling 3×1"))) { try checks.source(invalid) }
        }

        @Test func reversedBitOrderIsRead() throws {
            let bytes = TIFFFileMaker.file {
                $0.add(width: 8, height: 1, bits: 1, parts: [[0b0000_0011]], [$0.short(266, 2)])
            }
            #expect(try pixels(bytes) == grays([255, 255, 0, 0, 0, 0, 0, 0]))
        }

        // MARK: Parts

        @Test func tilesDecodeWithoutTheirPadding() throws {
            // A grey image of 20 × 18 in tiles of 16 × 16, whose padding is not shown.
            let image = (0..<18).map { (y: Int) -> [UInt8] in (0..<20).map { x in UInt8(x + 10 * y % 200) } }
            let tiles = [0, 1].flatMap { row in
                [0, 1].map { column in
                    (0..<256).map { index -> UInt8 in
                        let (x, y) = (column * 16 + index % 16, row * 16 + index / 16)
                        return x < 20 && y < 18 ? image[y][x] : 99
                    }
                }
            }
            let bytes = TIFFFileMaker.file {
                $0.add(width: 20, height: 18, parts: tiles, [$0.long(322, 16), $0.long(323, 16)])
            }
            #expect(try pixels(bytes) == grays(image.flatMap { $0 }))
            #expect(try checks.source(bytes).info.coding == "uncompressed, tiles")
            try checks.checkTruncations(of: bytes, count: 100)
            checks.checkMutations(of: bytes, count: 300, seed: 9)
        }

        @Test func packBitsRunsDecode() throws {
            let bytes = TIFFFileMaker.file {
                // Three times 7, then 1 and 2; the second strip four times 9 and 5.
                $0.add(
                    width: 5, height: 2, compression: 32_773, rowsPerStrip: 1,
                    parts: [[0xFE, 7, 1, 1, 2], [0xFD, 9, 0, 5]])
            }
            #expect(try pixels(bytes) == grays([7, 7, 7, 1, 2, 9, 9, 9, 9, 5]))
            #expect(try checks.source(bytes).info.coding == "PackBits, strips")
            try checks.checkTruncations(of: bytes)
            checks.checkMutations(of: bytes, count: 500, seed: 4)
        }

        /// Codes of nine bits: clear, three bytes, end.
        @Test func lzwCodesDecode() throws {
            let codes = [256, 1, 2, 3, 257].map { code in
                String(repeating: "0", count: 9 - String(code, radix: 2).count) + String(code, radix: 2)
            }
            let text = Array(codes.joined() + "000")
            let strip = stride(from: 0, to: text.count, by: 8).map { UInt8(String(text[$0..<($0 + 8)]), radix: 2) ?? 0 }
            func file(_ fields: TIFFValue...) -> [UInt8] {
                TIFFFileMaker.file { $0.add(width: 3, height: 1, compression: 5, parts: [strip], fields) }
            }
            #expect(try pixels(file()) == grays([1, 2, 3]))
            // Differences to the neighbour on the left.
            #expect(try pixels(file(TIFFFileMaker().short(317, 2))) == grays([1, 3, 6]))
        }

        /// A row of 8 white pixels in CCITT T.6: one vertical code of 0.
        @Test func faxCodesDecode() throws {
            let bytes = TIFFFileMaker.file {
                $0.add(
                    width: 8, height: 2, bits: 1, photometric: 0, compression: 4,
                    // V0, V0, and the end of the facsimile block.
                    parts: [[0b1100_0000, 0b0000_0100, 0b0000_0000, 0b0100_0000]])
            }
            #expect(try pixels(bytes, .truncated) == grays([UInt8](repeating: 255, count: 16)))
            #expect(try checks.source(bytes).info.coding == "CCITT T.6 (Group 4), strips")
        }

        /// Damaged strips leave out their own rows only.
        @Test func damagedStripsLoseOnlyTheirOwnRows() throws {
            let strips: [[UInt8]] = [[0xFE, 7, 1, 1, 2], [0xFD], [0xFC, 3]]
            let bytes = TIFFFileMaker.file {
                $0.add(width: 5, height: 3, compression: 32_773, rowsPerStrip: 1, parts: strips)
            }
            #expect(throws: TexelError.self) { try checks.decoded(bytes) }
            let decoded = try checks.decoded(bytes, .none)
            #expect(decoded.image.pixels == grays([7, 7, 7, 1, 2, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3]))
            #expect(!decoded.warnings.isEmpty)
            let plain = TIFFFileMaker.file {
                $0.add(width: 2, height: 3, rowsPerStrip: 1, parts: [[1, 2], [3, 4], [5, 6]])
            }
            var cut = plain
            // The last strip begins after the end of the file.
            let position = try #require(cut.indices.first { cut[$0...].starts(with: [12, 0, 0, 0]) })
            cut[position + 2] = 1
            #expect(throws: TexelError.truncated(rowsRead: 2, rows: 3)) { try checks.decoded(cut) }
            #expect(try pixels(cut, .none) == grays([1, 2, 3, 4, 0, 0]))
        }

        /// A field that describes the pixels and extends beyond the file: what there is of it is read, and a copy has
        /// the whole field.
        @Test func fieldsThatAreCutOff() throws {
            let bytes = TIFFFileMaker.file {
                $0.add(
                    width: 2, height: 2, bits: 16, samples: 4, photometric: 2, parts: [(0..<32).map { UInt8($0) }],
                    [$0.short(338, 2)])
            }
            #expect(try checks.source(bytes).info.bitDepth == 16)
            // The number of the elements of BitsPerSample, which has its values outside of the entry.
            let entry = try #require(bytes.indices.first { bytes[$0...].starts(with: [2, 1, 3, 0, 4, 0, 0, 0]) })
            var cut = bytes
            cut[entry + 5] = 8
            #expect(try checks.decoded(cut).image == checks.decoded(bytes).image)
            let copy = try checks.source(cut).rewritten(metadata: WrittenMetadata(), keeping: [.color], stop: nil)
            #expect(try checks.decoded(copy).image == checks.decoded(bytes).image)
            #expect(copy.indices.contains { copy[$0...].starts(with: [2, 1, 3, 0, 4, 0, 0, 0]) })
        }
    }
#endif
