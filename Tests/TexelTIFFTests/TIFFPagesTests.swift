#if TIFF
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelTIFF

    /// Pages, metadata, and files whose metadata change.
    @Suite struct TIFFPagesTests {
        private let checks = CodecChecks(TIFFCodec())

        /// A page of 2 × 1 pixels, a reduced copy, a mask, a page of 1 × 2 that is turned, and one of 16 bits.
        private static let pages: [UInt8] = TIFFFileMaker.file(order: .bigEndian) {
            $0.add(
                width: 2, height: 1, parts: [[1, 2]],
                [$0.rational(282, 300, 1), $0.rational(283, 150, 1), $0.short(296, 2), $0.text(305, "Scanner")])
            $0.add(width: 1, height: 1, parts: [[9]], [$0.long(254, 1)])
            $0.add(width: 2, height: 1, bits: 1, photometric: 4, parts: [[0]], [$0.long(254, 4)])
            $0.add(width: 1, height: 2, parts: [[3, 4]], [$0.short(274, 6), $0.short(297, 1, 3)])
            $0.add(width: 1, height: 1, bits: 16, parts: [[0x12, 0x34]])
        }

        private func page(_ index: Int, of bytes: [UInt8] = pages) throws -> any ImageFile {
            try checks.source(bytes).page(index, limits: Limits(), nil)
        }

        @Test func pagesHaveTheirOwnSizes() throws {
            let source = try checks.source(Self.pages)
            #expect(source.info.pageCount == 3 && source.mayHavePages)
            #expect(source.info.size == PixelSize(width: 2, height: 1))
            let second = try page(1)
            #expect(second.info.size == PixelSize(width: 1, height: 2) && second.info.orientation == .rotated90)
            #expect(second.info.pageCount == 1 && !second.mayHavePages)
            #expect(try second.decodedAsStored().image.pixels == [0xFF03_0303, 0xFF04_0404])
            #expect(try page(2).info.bitDepth == 16)
            #expect(try checks.decoded(Self.pages, frame: 2).image.pixels == [0xFF12_1212])
            #expect(throws: TexelError.missingPage(3, count: 3)) { try page(3) }
            #expect(throws: TexelError.missingPage(3, count: 3)) { try checks.decoded(Self.pages, frame: 3) }
            #expect(throws: TexelError.missingPage(-1, count: 3)) { try page(-1) }
            #expect("\(TexelError.missingPage(3, count: 3))" == "page 4 does not exist; the file has 3 pages")
            try checks.checkTruncations(of: Self.pages)
            checks.checkMutations(of: Self.pages, count: 500, seed: 3)
        }

        @Test func arrivingPagesDecodeLikeWholeFiles() async throws {
            for seed in 1...4 { try await checks.checkArriving(Self.pages, seed: UInt64(seed)) }
        }

        /// The beginning of a file is enough if it has all fields of the only page.
        @Test func beginningsHoldTheHeaderOfASinglePage() throws {
            let image = try PixelBuffer.random(width: 60, height: 60)
            let bytes = try image.encoded(
                as: .tiff(), metadata: WrittenMetadata(exif: TestEXIF.block(orientation: .identity)))
            let info = try checks.source(bytes).info
            var shortest: Int?
            for length in 0..<bytes.count {
                guard let source = try? checks.source(Array(bytes[..<length])), source.holdsWholeHeader else {
                    continue
                }
                #expect(source.info == info, "\(length) bytes")
                shortest = shortest ?? length
            }
            #expect(try #require(shortest) < 1_000)
            #expect(!(try checks.source(Self.pages).holdsWholeHeader))
        }

        @Test func tooManyPages() throws {
            var limits = Limits()
            limits.frames = 4
            #expect(throws: TexelError.limitExceeded(.frames, value: 5, allowed: 4)) {
                try checks.source(Self.pages, limits)
            }
            // A directory that names itself as the next is read once.
            var loop = TIFFFileMaker.file { $0.add(width: 1, height: 1, parts: [[7]]) }
            let start = Int(loop[4])
            loop[loop.count - 4] = UInt8(start)
            #expect(loop[(loop.count - 3)...] == [0, 0, 0])
            #expect(try checks.source(loop).info.pageCount == 1)
        }

        // MARK: Metadata

        private static let xmp =
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
            + "<rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/' exif:GPSLatitude='48,51.0N'/>"
            + "</rdf:RDF></x:xmpmeta>"

        /// A photograph with a location in EXIF, XMP and GeoTIFF's fields.
        private static func located(_ order: ByteOrder) -> [UInt8] {
            TIFFFileMaker.file(order: order) { maker in
                let gps = [maker.text(1, "N"), maker.rational(2, 48, 1, 51, 1, 4_242, 100)]
                let exif = [maker.rational(0x829A, 1, 125), maker.text(0x9003, "2024:01:02 03:04:05")]
                maker.add(
                    width: 2, height: 2, bits: 16, compression: 1, rowsPerStrip: 1,
                    parts: [[1, 2, 3, 4], [5, 6, 7, 8]],
                    [
                        maker.text(271, "Texel Works"), maker.short(274, 3),
                        TIFFValue(tag: 700, type: 1, count: xmp.utf8.count, bytes: Array(xmp.utf8)),
                        TIFFValue(tag: 33_550, type: 12, count: 3, bytes: Array("geographic position here".utf8)),
                    ], directories: [0x8769: exif, 0x8825: gps])
            }
        }

        @Test(arguments: ByteOrder.allCases) func metadataAreReadInBothOrders(order: ByteOrder) throws {
            let info = try checks.source(Self.located(order)).info
            let summary = try #require(info.metadata.exif?.summary)
            #expect(summary.make == "Texel Works" && summary.exposureTime == Rational(1, 125) && summary.hasGPS)
            #expect(summary.date == "2024:01:02 03:04:05")
            #expect(info.orientation == .rotated180)
            #expect(info.metadata.xmp?.bytes == Array(Self.xmp.utf8))
        }

        /// The bytes of the strips stay, and with `privacy` nothing of the location does.
        @Test(arguments: ByteOrder.allCases, MetadataPolicy.allCases)
        func rewritingKeepsStripsAndRemovesLocations(order: ByteOrder, policy: MetadataPolicy) throws {
            let bytes = Self.located(order)
            let source = try checks.source(bytes)
            let written = source.info.metadata.kept(
                under: policy, orientation: source.info.orientation, size: source.info.size, keepsThumbnail: true)
            let copy = try source.rewritten(
                metadata: written, keeping: policy == .all ? [.color, .attachments] : [.color], stop: nil)
            #expect(try checks.decoded(copy, .warning).image == checks.decoded(bytes, .warning).image)
            #expect(copy.contains([1, 2, 3, 4, 5, 6, 7, 8]))
            let info = try checks.source(copy).info
            #expect(info.orientation == .rotated180 && info.bitDepth == 16)
            let isKept = policy == .all
            #expect((info.metadata.exif?.hasGPS ?? false) == isKept)
            #expect((info.metadata.xmp != nil) == isKept)
            #expect(copy.contains(Array("GPSLatitude".utf8)) == isKept)
            #expect(copy.contains(Array("geographic position".utf8)) == isKept)
            #expect(copy.contains(order.bytes(UInt32(4_242))) == isKept)
            #expect((info.metadata.exif?.summary.exposureTime != nil) == (policy == .all || policy == .privacy))
            // Twice gives the same file.
            let again = try checks.source(copy).rewritten(
                metadata: written, keeping: policy == .all ? [.color, .attachments] : [.color], stop: nil)
            #expect(again == copy)
        }

        @Test func rewritingKeepsAllPages() throws {
            let source = try checks.source(Self.pages)
            let written = source.info.metadata.kept(
                under: .color, orientation: .identity, size: source.info.size, keepsThumbnail: true)
            let copy = try source.rewritten(metadata: written, keeping: [.color], stop: nil)
            let pages = try checks.source(copy)
            #expect(pages.info.pageCount == 3)
            #expect(pages.info.metadata.density == source.info.metadata.density)
            // Each page keeps its own orientation.
            #expect(try page(1, of: copy).info.orientation == .rotated90)
            for index in 0..<3 {
                let image = try page(index, of: copy).decodedAsStored().image
                #expect(try image == page(index).decodedAsStored().image)
            }
            // A page that is chosen becomes a file of its own.
            let second = try page(1)
            let alone = try second.rewritten(
                metadata: WrittenMetadata(exif: EXIF.block(orientation: .rotated90)), keeping: [], stop: nil)
            let info = try checks.source(alone).info
            #expect(info.pageCount == 1 && info.size == second.info.size && info.orientation == .rotated90)
        }

        /// Strips that share bytes share them in the new file too, so that it is not longer.
        @Test func sharedStripsStayShared() throws {
            let shared = TIFFFileMaker.file {
                $0.add(
                    width: 4, height: 3, rowsPerStrip: 1, parts: [[1, 2, 3, 4]],
                    [$0.long(273, 8, 8, 8), $0.long(279, 4, 4, 4)])
            }
            let copy = try checks.source(shared).rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
            #expect(try checks.decoded(copy).image == checks.decoded(shared).image)
            // Besides PlanarConfiguration, which the file does not have.
            #expect(copy.count <= shared.count + 12)
            let count = 200
            let overlapping = TIFFFileMaker.file { maker in
                maker.add(
                    width: 500, height: count, rowsPerStrip: 1, parts: [[UInt8](repeating: 1, count: 500 + count)],
                    [
                        TIFFValue(273, 4, (0..<count).map { 8 + $0 }, maker.order),
                        TIFFValue(279, 4, [Int](repeating: 500, count: count), maker.order),
                    ])
            }
            let again = try checks.source(overlapping).rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
            #expect(try checks.decoded(again).image == checks.decoded(overlapping).image)
            #expect(again.count <= overlapping.count + 12)
        }

        // MARK: Refusals

        @Test func unsupportedFieldsAreRefused() throws {
            func expect(_ error: TexelError, _ fields: TIFFValue...) {
                let strip = [UInt8](repeating: 0, count: 64)
                let bytes = TIFFFileMaker.file { $0.add(width: 4, height: 4, parts: [strip], fields) }
                #expect(throws: error) { try checks.decoded(bytes) }
            }
            let maker = TIFFFileMaker()
            expect(.unsupported("TIFF with old-style JPEG compression (6)"), maker.short(259, 6))
            expect(.unsupported("TIFF with compression 4711"), maker.short(259, 4711))
            expect(.unsupported("TIFF with 8-bit floating-point samples"), maker.short(339, 3))
            expect(.unsupported("TIFF with 32 bits per sample"), maker.short(258, 32))
            expect(.unsupported("TIFF in CIE L*a*b*"), maker.short(262, 8))
            expect(.unsupported("a camera raw image"), maker.short(262, 32_803))
            expect(.unsupported("a camera raw image"), maker.long(50_706, 1))
            expect(.tiff(.invalidValue(99, of: "PhotometricInterpretation")), maker.short(262, 99))
            expect(.tiff(.invalidValue(3, of: "PlanarConfiguration")), maker.short(284, 3))
            expect(.tiff(.invalidValue(0, of: "RowsPerStrip")), maker.short(278, 0))
            expect(.tiff(.invalidValue(0, of: "SamplesPerPixel")), maker.short(277, 0))
            expect(.tiff(.invalidDimensions(width: 0, height: 4)), maker.short(256, 0))
            expect(
                .tiff(.invalidValue(1, of: "SamplesPerPixel", context: "photometric interpretation 2")),
                maker.short(262, 2))
            expect(.tiff(.invalidValue(8, of: "bits per pixel", context: "CCITT T.6 (Group 4)")), maker.short(259, 4))
            expect(.tiff(.invalidValue(7, of: "Predictor")), maker.short(259, 8), maker.short(317, 7))
            expect(.tiff(.corrupt("a strip is missing")), maker.long(273, 0))
        }

        /// Files with old-style JPEG have one data stream or tables outside of it, and often no strips. Whatever they
        /// have, the error names the compression.
        @Test func oldStyleJPEG() throws {
            let maker = TIFFFileMaker()
            let fields = [
                maker.short(258, 8, 8, 8), maker.short(259, 6), maker.short(262, 6), maker.short(277, 3),
                maker.short(512, 1), maker.long(513, 8), maker.long(514, 64), maker.short(530, 2, 2),
            ]
            let strip = [UInt8](repeating: 0, count: 64)
            for others in [[], [maker.long(273, 0), maker.long(279, 0)], [maker.short(278, 0)]] {
                let bytes = TIFFFileMaker.file { $0.add(width: 4, height: 4, parts: [strip], fields + others) }
                let error = TexelError.unsupported("TIFF with old-style JPEG compression (6)")
                #expect(throws: error) { try checks.source(bytes) }
            }
        }

        @Test func damagedHeadersAreRefused() throws {
            let bytes = TIFFFileMaker.file { $0.add(width: 1, height: 1, parts: [[7]]) }
            func expect(_ error: TexelError, _ bytes: [UInt8]) {
                #expect(throws: error) { try checks.source(bytes) }
            }
            expect(.truncated(rowsRead: 0, rows: 0), Array(bytes.prefix(6)))
            var far = bytes
            (far[4], far[5], far[6]) = (0, 0, 1)
            expect(.truncated(rowsRead: 0, rows: 0), far)
            (far[4], far[5], far[6]) = (4, 0, 0)
            expect(.tiff(.invalidValue(4, of: "offset of the first directory")), far)
            expect(
                .unsupported("a camera raw image"), [0x49, 0x49, 42, 0, 16, 0, 0, 0] + Array("CR".utf8) + [2, 0, 0])
            let big: [UInt8] = [0x49, 0x49, 43, 0, 4, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0]
            expect(.tiff(.invalidValue(4, of: "offset size")), big)
        }

        /// A part for each pixel needs a file with that many offsets.
        @Test func tooFewOffsets() throws {
            let bytes = TIFFFileMaker.file {
                $0.add(width: 16_000, height: 16_000, parts: [[0]], [$0.long(322, 1), $0.long(323, 1)])
            }
            let error = TexelError.tiff(.corrupt("the file has 1 strips or tiles, but the image has more"))
            #expect(throws: error) { try checks.decoded(bytes, .none) }
            #expect(throws: error) {
                try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: [], stop: nil)
            }
        }

        /// The limit is checked before libtiff allocates.
        @Test func largeTilesAreRefusedBeforeAllocation() throws {
            var limits = Limits()
            limits.codecBytes = 1 << 20
            let bytes = TIFFFileMaker.file {
                $0.add(width: 8, height: 8, parts: [[0]], [$0.long(322, 1 << 20), $0.long(323, 1 << 20)])
            }
            #expect(throws: TexelError.limitExceeded(.codecBytes, value: 2 << 40, allowed: 1 << 20)) {
                try checks.source(bytes, limits)
            }
            limits = Limits()
            limits.metadataBytes = 10
            let text = TIFFFileMaker.file {
                $0.add(width: 1, height: 1, parts: [[0]], [$0.text(270, "more than ten bytes")])
            }
            #expect(throws: TexelError.limitExceeded(.metadataBytes, value: 20, allowed: 10)) {
                try checks.source(text, limits)
            }
            limits = Limits()
            limits.chunks = 3
            #expect(throws: TexelError.limitExceeded(.chunks, value: 10, allowed: 3)) {
                try checks.source(text, limits)
            }
        }
    }
#endif
