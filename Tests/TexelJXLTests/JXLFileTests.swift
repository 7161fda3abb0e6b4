#if JXL
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelJXL

    /// Containers, headers, metadata, colours and refusals.
    @Suite struct JXLFileTests {
        private let checks = CodecChecks(JXLCodec())

        private func file(_ options: JXLOptions = JXLOptions()) throws -> [UInt8] {
            try CodecChecks.smoothImage(PixelSize(width: 61, height: 47), .straight).encoded(as: .jxl(options))
        }

        private func part(_ index: Int, isLast: Bool, _ bytes: some Collection<UInt8>) -> [UInt8] {
            JXLContainer.box("jxlp", [isLast ? 0x80 : 0, 0, 0, UInt8(index)] + bytes)
        }

        // MARK: Containers

        @Test func partsAreJoined() async throws {
            let codestream = try file()
            let whole = try checks.decoded(codestream).image
            for cuts in [[1], [2, 3, 40], [0, 0, 100], [codestream.count]] {
                var bytes = JXLContainer.beginning
                var start = 0
                for (index, cut) in cuts.enumerated() {
                    bytes += part(index, isLast: false, codestream[start..<cut])
                    bytes += JXLContainer.box("free", [1, 2, 3])
                    start = cut
                }
                bytes += part(cuts.count, isLast: true, codestream[start...])
                #expect(try checks.decoded(bytes).image == whole)
                try checks.checkTruncations(of: bytes, count: 50)
                try await checks.checkArriving(bytes, seed: UInt64(cuts.count))
                let plain = try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
                #expect(plain == codestream)
            }
            let unordered =
                JXLContainer.beginning + part(0, isLast: false, codestream[..<20])
                + part(2, isLast: true, codestream[20...])
            #expect(throws: TexelError.damaged(.jxl, .corrupt("the parts of the codestream are not in order"))) {
                try checks.decoded(unordered)
            }
        }

        /// A copy begins as the format requires, wherever the file has its type.
        @Test func copiesBeginWithTheFileType() throws {
            let rest = JXLContainer.box("abcd", [1, 2, 3]) + JXLContainer.box("jxlc", try file())
            let metadata = WrittenMetadata()
            let valid = JXLContainer.beginning + rest
            for wrong in [[], JXLContainer.box("ftyp", "jxl".utf8), JXLContainer.box("free", [0])] as [[UInt8]] {
                let bytes = JXLBox.signature + wrong + rest + JXLContainer.beginning.dropFirst(12)
                let copy = try checks.source(bytes).rewritten(
                    metadata: metadata, keeping: [.color, .attachments], stop: nil)
                let kept = wrong.starts(with: JXLContainer.box("free", [0])) ? wrong : []
                #expect(copy == JXLContainer.beginning + kept + rest)
            }
            let copy = try checks.source(valid).rewritten(metadata: metadata, keeping: [.attachments], stop: nil)
            #expect(copy == valid)
        }

        @Test func boxSizesAreReadAndChecked() throws {
            let codestream = try file()
            let whole = try checks.decoded(codestream).image
            let large =
                JXLContainer.beginning + [0, 0, 0, 1] + "jxlc".utf8 + [0, 0, 0, 0, 0, 0]
                + [UInt8((codestream.count + 16) >> 8), UInt8((codestream.count + 16) & 255)] + codestream
            #expect(try checks.decoded(large).image == whole)
            let endless = JXLContainer.beginning + [0, 0, 0, 0] + "jxlc".utf8 + codestream
            #expect(try checks.decoded(endless).image == whole)
            let tooSmall = JXLContainer.beginning + [0, 0, 0, 7] + "jxlc".utf8 + codestream
            #expect(throws: TexelError.damaged(.jxl, .invalidValue(7, of: "size", context: "a box"))) {
                try checks.source(tooSmall)
            }
            var limits = Limits()
            limits.chunks = 3
            let many =
                JXLContainer.beginning + (0..<3).flatMap { _ in JXLContainer.box("free", []) }
                + JXLContainer.box("jxlc", codestream)
            #expect(throws: TexelError.limitExceeded(.chunks, value: 4, allowed: 3)) {
                try checks.source(many, limits)
            }
            #expect(throws: TexelError.truncated(rowsRead: 0, rows: 0)) { try checks.source(JXLContainer.beginning) }
        }

        @Test func signaturesAreRecognized() throws {
            let codec = JXLCodec()
            #expect(codec.recognizes(Array(try file().prefix(16))))
            #expect(codec.recognizes(JXLBox.signature))
            #expect(!codec.recognizes([0xFF]))
            // As a transfer as text leaves it.
            let changed: [UInt8] = [0, 0, 0, 12] + Array("JXL ".utf8) + [10, 0x87, 10, 0]
            #expect(throws: TexelError.damaged(.jxl, .invalidSignature(changed))) { try checks.source(changed) }
            #expect(ImageFormat.jxl.displayName == "JPEG XL")
            #expect("\(TexelError.jxl(.missing("image")))" == "the JPEG XL is damaged: the image is missing")
        }

        // MARK: Metadata

        /// Brotli's way to store bytes as they are (RFC 7932, 9.2).
        private func stored(_ bytes: [UInt8]) -> [UInt8] {
            // A window of 16 bits, not the last block, four digits of length, not compressed; then an empty last block.
            let header = UInt32(bytes.count - 1) << 4 | 1 << 20
            return (0..<3).map { UInt8(truncatingIfNeeded: header >> (8 * $0)) } + bytes + [3]
        }

        @Test func compressedMetadataAreRead() async throws {
            let exif = TestEXIF.block(orientation: .identity)
            let codestream = try file()
            let metadata =
                JXLContainer.box("brob", "Exif".utf8 + stored([0, 0, 0, 0] + exif))
                + JXLContainer.box("brob", "xml ".utf8 + stored(Array("<x:xmpmeta/>".utf8)))
            for bytes in [
                JXLContainer.beginning + metadata + JXLContainer.box("jxlc", codestream),
                JXLContainer.beginning + JXLContainer.box("jxlc", codestream) + metadata,
            ] {
                let info = try checks.source(bytes).info
                #expect(info.metadata.exif?.bytes == exif)
                #expect(info.metadata.xmp?.bytes == Array("<x:xmpmeta/>".utf8))
                try await checks.checkArriving(bytes, seed: 5)
                var limits = Limits()
                limits.metadataBytes = exif.count + 3
                #expect(throws: TexelError.self) { try checks.source(bytes, limits) }
                let plain = try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
                #expect(plain == codestream)
                checks.checkMutations(of: bytes, count: 100, seed: 9)
            }
        }

        /// The TIFF block may begin after some bytes; a distance beyond the box is ignored.
        @Test func distanceOfEXIF() throws {
            let exif = TestEXIF.block(orientation: .identity)
            let codestream = JXLContainer.box("jxlc", try file())
            let late = JXLContainer.beginning + JXLContainer.box("Exif", [0, 0, 0, 2, 9, 9] + exif) + codestream
            #expect(try checks.source(late).info.metadata.exif?.bytes == exif)
            let beyond =
                JXLContainer.beginning + JXLContainer.box("Exif", [0xFF, 0xFF, 0xFF, 0xFF] + exif) + codestream
            #expect(try checks.source(beyond).info.metadata.exif == nil)
        }

        /// The codestream's orientation applies; rows are returned as they are stored.
        @Test(arguments: Orientation.allCases) func codestreamOrientationsApply(_ orientation: Orientation) throws {
            let image = try CodecChecks.smoothImage(PixelSize(width: 20, height: 12), .opaque)
            let bytes = try image.encoded(
                as: .jxl(JXLOptions(isLossless: true)),
                metadata: WrittenMetadata(exif: EXIF.block(orientation: orientation)))
            let source = try checks.source(bytes)
            #expect(source.info.orientation == orientation)
            #expect(source.info.size == image.size)
            expectPixelsEqual(try checks.decoded(bytes).image, image)
            let plain = try source.rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
            #expect(try checks.source(plain).info.orientation == orientation)
        }

        // MARK: Colours

        @Test(arguments: [true, false]) func codePointsTravel(isLossless: Bool) throws {
            for (primaries, transfer) in [(12, 13), (9, 16), (9, 18), (1, 8), (1, 1), (11, 13), (9, 1)] {
                let space = ColorSpace.codePoints(
                    try #require(CICP(primaries: primaries, transfer: transfer)))
                var image = try CodecChecks.smoothImage(PixelSize(width: 20, height: 20), .opaque)
                image.colorSpace = space
                let bytes = try image.encoded(as: .jxl(JXLOptions(quality: 95, isLossless: isLossless)))
                #expect(try checks.source(bytes).info.colorSpace == space)
                let decoded = try checks.decoded(bytes).image
                #expect(decoded.colorSpace == space)
                #expect(meanDifference(decoded, image) <= (isLossless ? 0 : 6), "\(primaries) \(transfer)")
            }
        }

        @Test func profileTravels() throws {
            let displayP3 = ColorSpace.codePoints(try #require(CICP(primaries: 12, transfer: 13)))
            let profile = try #require(try displayP3.embeddableProfile())
            var image = try CodecChecks.smoothImage(PixelSize(width: 20, height: 20), .opaque)
            image.colorSpace = .iccProfile(profile)
            let bytes = try image.encoded(as: .jxl(JXLOptions(isLossless: true)))
            #expect(try checks.source(bytes).info.colorSpace == image.colorSpace)
            expectPixelsEqual(try checks.decoded(bytes).image, image)
            // With loss, the colours are those of the image, in Display P3.
            let lossy = try checks.decoded(try image.encoded(as: .jxl(JXLOptions(quality: 95)))).image
            #expect(meanDifference(try lossy.convertedToSRGB(), try image.convertedToSRGB()) < 4)
        }

        @Test func grayIsOneChannel() throws {
            let image = try PixelBuffer.make(width: 30, height: 20, alphaMode: .opaque) { x, y in
                0xFF00_0000 | UInt32(x * 8) * 0x01_0101
            }
            for isLossless in [true, false] {
                let bytes = try image.encoded(as: .jxl(JXLOptions(quality: 95, isLossless: isLossless)))
                #expect(try checks.source(bytes).info.colorModel == .gray)
                #expect(meanDifference(try checks.decoded(bytes).image, image) <= (isLossless ? 0 : 3))
            }
        }

        // MARK: Refusals

        @Test func invalidOptionsAndSizesAreRefused() throws {
            let image = try PixelBuffer.random(width: 4, height: 4)
            #expect(throws: TexelError.cannotEncode("invalid quality 101; a JPEG XL has 0 to 100")) {
                try image.encoded(as: .jxl(JXLOptions(quality: 101)))
            }
            let wide = try PixelBuffer(width: 262_145, height: 1)
            #expect(
                throws: TexelError.cannotEncode(
                    "a side of a JPEG XL has at most 262144 pixels; the image is 262145×1")
            ) {
                try wide.encoded(as: .jxl(JXLOptions()))
            }
            var limits = Limits()
            limits.codecBytes = 100
            #expect(throws: TexelError.limitExceeded(.codecBytes, value: 61 * 47 * 16, allowed: 100)) {
                try checks.decoded(try file(), limits: limits)
            }
        }

        /// A header may declare a billion pixels in six bytes.
        @Test func hugeSizesAreRefused() throws {
            // Not small; the height in 30 bits, all set; the width equal to it.
            let bits = UInt64(0b0) | 0b11 << 1 | UInt64(0x3FFF_FFFF) << 3 | 0b001 << 33
            let bytes: [UInt8] = [0xFF, 0x0A] + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
            #expect(throws: TexelError.limitExceeded(.side, value: 1 << 30, allowed: 65_535)) {
                try checks.source(bytes)
            }
        }

        @Test func stoppedCodingThrows() throws {
            let image = try PixelBuffer.random(width: 30, height: 30)
            let token = StopToken()
            token.cancel()
            #expect(throws: TexelError.stopped(.cancelled)) { try image.encoded(as: .jxl(), stop: token) }
            let bytes = try image.encoded(as: .jxl())
            var options = DecodeOptions()
            options.stop = token
            #expect(throws: TexelError.stopped(.cancelled)) { try checks.source(bytes).decodedAsStored(options) }
        }

        /// Rising qualities give falling distances, within libjxl's range.
        @Test func qualitiesRise() {
            for effort in Effort.allCases {
                let distances = (0...100).map { JXLQuality.distance($0, effort) }
                #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 >= $1 })
                #expect(distances.allSatisfy { (0.1...25).contains($0) })
            }
        }
    }
#endif
