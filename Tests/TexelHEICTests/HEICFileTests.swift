#if HEIC
    import TestSupport
    import Testing
    import TexelCore
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelHEIC

    /// HEIC files of all kinds that are read, and those that are refused.
    @Suite struct HEICFileTests {
        private let checks = CodecChecks(HEICCodec())
        private let size = PixelSize(width: 64, height: 64)

        private func gradient(_ size: PixelSize, alphaMode: AlphaMode = .opaque) throws -> PixelBuffer {
            try PixelBuffer.make(width: size.width, height: size.height, alphaMode: alphaMode) { x, y in
                let alpha = alphaMode == .opaque ? 255 : UInt32(255 - 3 * (x % 64))
                return alpha << 24 | UInt32(60 + 2 * (x % 64)) << 16 | UInt32(40 + 3 * (y % 64)) << 8 | 120
            }
        }

        private func decoded(_ parts: HEICParts) throws -> PixelBuffer { try checks.decoded(parts.file()).image }

        private static let samples: [(bytes: [UInt8], depth: Int, chroma: String?, profile: String)] = [
            (HEICSamples.halved, 8, "4:2:0", "Main Still Picture profile"),
            (HEICSamples.halvedColumns, 8, "4:2:2", "format range extensions profile"),
            (HEICSamples.whole, 8, "4:4:4", "format range extensions profile"),
            (HEICSamples.lossless, 8, "4:4:4", "format range extensions profile"),
            (HEICSamples.tenBits, 10, "4:2:0", "format range extensions profile"),
            (HEICSamples.twelveBits, 12, "4:4:4", "format range extensions profile"),
        ]

        // MARK: Samples

        @Test(arguments: samples.indices) func samplesAreRead(index: Int) throws {
            let (bytes, depth, chroma, profile) = Self.samples[index]
            let info = try checks.source(bytes).info
            #expect(info.format == .heic)
            #expect(info.size == size)
            #expect(info.bitDepth == depth)
            #expect(info.chromaSubsampling == chroma)
            #expect(info.coding == "HEVC, \(profile)")
            #expect(info.colorModel == .yCbCr)
            #expect(!info.hasAlpha)
            #expect(info.colorSpace == .sRGB)
            #expect(info.decodeScales == [1, 2, 4, 8])
            let image = try checks.decoded(bytes, .warning).image
            expectPixelsEqual(image, try gradient(size), tolerance: index == 3 ? 1 : 6)
            #expect(meanDifference(image, try gradient(size)) < 1.5)
        }

        @Test func grayIsRead() throws {
            let info = try checks.source(HEICSamples.gray).info
            #expect(info.colorModel == .gray)
            #expect(info.chromaSubsampling == nil)
            let expected = try PixelBuffer.make(width: 64, height: 64) { x, _ in
                0xFF00_0000 | UInt32(30 + 3 * x) * 0x01_0101
            }
            expectPixelsEqual(try checks.decoded(HEICSamples.gray).image, expected, tolerance: 3)
        }

        @Test func alphaIsRead() throws {
            let info = try checks.source(HEICSamples.alpha).info
            #expect(info.hasAlpha)
            #expect(info.decodeScales == [1])
            let image = try checks.decoded(HEICSamples.alpha).image
            #expect(image.alphaMode == .straight)
            expectPixelsEqual(image, try gradient(size, alphaMode: .straight), tolerance: 6)
        }

        /// Alpha is in an image of its own; colours are divided by it if the file says that they are multiplied.
        @Test(arguments: [false, true]) func premultipliedColorsAreDividedByAlpha(isPremultiplied: Bool) throws {
            let color = try HEICParts.Coded(HEICSamples.halved)
            let alpha = try HEICParts.Coded(HEICSamples.alpha, isAlpha: true)
            var parts = HEICParts()
            parts.items = [color.item(size), alpha.item(size, [HEICParts.auxiliary(HEICParts.alphaType)])]
            parts.references = [("auxl", 2, [1])]
            if isPremultiplied { parts.references.append(("prem", 1, [2])) }
            let image = try decoded(parts)
            let plain = try checks.decoded(HEICSamples.halved).image
            let alphas = try checks.decoded(HEICSamples.alpha).image
            for y in 0..<64 {
                for x in 0..<64 {
                    let alpha = alphas[x, y] >> 24
                    #expect(image[x, y] >> 24 == alpha)
                    let blue = plain[x, y] & 255
                    let expected = isPremultiplied ? min(255, (blue * 255 + alpha / 2) / alpha) : blue
                    #expect(image[x, y] & 255 == expected)
                }
            }
            // Auxiliary images of other kinds are not alpha.
            parts.items[1].properties[2] = HEICParts.auxiliary("urn:mpeg:hevc:2015:auxid:2")
            #expect(try !checks.source(parts.file()).info.hasAlpha)
            parts.items[1].properties[2] = HEICParts.auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap")
            #expect(try checks.source(parts.file()).attachments(nil) == [.gainMap])
        }

        @Test func oddSizesAreRead() throws {
            let info = try checks.source(HEICSamples.odd).info
            #expect(info.size == PixelSize(width: 37, height: 29))
            #expect(info.coding == "HEVC, Main Still Picture profile, grid of 1 × 1")
            let expected = try PixelBuffer.make(width: 37, height: 29) { x, y in
                0xFF00_0000 | UInt32(60 + 4 * x) << 16 | UInt32(40 + 6 * y) << 8 | 120
            }
            expectPixelsEqual(try checks.decoded(HEICSamples.odd).image, expected, tolerance: 6)
        }

        // MARK: Grids

        private func grid(_ sample: [UInt8], _ size: PixelSize, properties: [[UInt8]] = []) throws -> HEICParts {
            .grid(try HEICParts.Coded(sample), rows: 2, columns: 3, size, properties)
        }

        @Test(arguments: samples.indices) func gridCellsDecodeInPlace(index: Int) throws {
            // The cells at the right and the bottom extend beyond the image.
            let size = PixelSize(width: 151, height: 101)
            let parts = try grid(Self.samples[index].bytes, size)
            #expect(try checks.source(parts.file()).info.coding.hasSuffix(", grid of 3 × 2"))
            let image = try decoded(parts)
            #expect(image.size == size)
            let cell = try checks.decoded(Self.samples[index].bytes).image
            for y in 0..<101 {
                for x in 0..<151 {
                    // At the edges of cells, chroma is interpolated with that of the next one.
                    if [0, 63].contains(x % 64) || [0, 63].contains(y % 64) || x == 150 || y == 100 { continue }
                    #expect(image[x, y] == cell[x % 64, y % 64], "\(x), \(y)")
                }
            }
        }

        /// Rows do not depend on how many are read at a time.
        @Test(arguments: [1, 2, 3, 7, 64, 65, 101]) func bandsDoNotChangeThePixels(count: Int) throws {
            let (width, height) = (151, 101)
            let bytes = try grid(HEICSamples.halved, PixelSize(width: width, height: height)).file()
            let whole = try checks.decoded(bytes).image
            let decoder = try checks.source(bytes).decoder(1)
            var rows = [UInt32](repeating: 0, count: width * height)
            try rows.withUnsafeMutableBytes { memory in
                let base = try #require(memory.baseAddress)
                for y in Swift.stride(from: 0, to: height, by: count) {
                    try decoder.readRows(min(count, height - y), into: base + y * width * 4, bytesPerRow: width * 4)
                }
            }
            #expect(rows == whole.pixels)
        }

        /// Of a file that is cut off, the complete rows of cells are shown.
        @Test(arguments: [1, 2, 4, 8]) func completeRowsOfCutGridsAreShown(shrink: Int) throws {
            let bytes = try grid(HEICSamples.halved, PixelSize(width: 151, height: 101)).file()
            let cut = Array(bytes.dropLast(8))
            #expect(throws: TexelError.truncated(rowsRead: 64, rows: 101)) { try checks.decoded(cut, shrink: shrink) }
            let whole = try checks.decoded(bytes, shrink: shrink).image
            let part = try checks.decoded(cut, .none, shrink: shrink)
            #expect(part.warnings == ["the image is truncated"])
            #expect(part.image.size == whole.size)
            for y in 0..<whole.height {
                // The last row of the cells is interpolated with the missing ones.
                if y == 64 / shrink - 1 { continue }
                let expected = y < 64 / shrink ? (0..<whole.width).map { whole[$0, y] } : []
                let row = (0..<whole.width).map { part.image[$0, y] }
                #expect(y < 64 / shrink ? row == expected : row.allSatisfy { $0 == 0xFF00_0000 }, "row \(y)")
            }
            // Of the cells, one byte is there.
            let cells = 6 * (try HEICParts.Coded(HEICSamples.halved).data.count)
            let none = try checks.decoded(Array(bytes.dropLast(cells - 1)), .none, shrink: shrink).image
            #expect(none.pixels.allSatisfy { $0 == 0xFF00_0000 })
        }

        @Test func inconsistentGridsAreRefused() throws {
            let size = PixelSize(width: 151, height: 101)
            let good = try grid(HEICSamples.halved, size)
            func expect(_ message: String, _ change: (inout HEICParts) -> Void) {
                var parts = good
                change(&parts)
                #expect(throws: TexelError.heic(.corrupt(message)), "\(message)") { try checks.source(parts.file()) }
            }
            expect("a grid of 2 × 3 cells has 5") { $0.references[0].to.removeLast() }
            expect("the grid has 151×101 pixels, but the image 150×101") {
                $0.items[0].properties[0] = HEICParts.size(PixelSize(width: 150, height: 101))
            }
            expect("the grid is damaged") { $0.items[0].data.removeLast() }
            expect("the cells of the grid have no common size") {
                $0.items[3].properties[0] = HEICParts.size(PixelSize(width: 63, height: 64))
            }
            expect("cells of 64×64 pixels do not fit a grid of 128×101") { parts in
                parts.items[0].data.replaceSubrange(4..<6, with: [0, 128])
                parts.items[0].properties[0] = HEICParts.size(PixelSize(width: 128, height: 101))
            }
            var parts = good
            parts.items[4].type = "av01"
            #expect(throws: TexelError.unsupported("a HEIC image whose cells have the type av01")) {
                try checks.source(parts.file())
            }
            parts = good
            parts.items[4] = try HEICParts.Coded(HEICSamples.whole).item(PixelSize(width: 64, height: 64))
            #expect(throws: TexelError.unsupported("a HEIC image whose cells have different kinds of samples")) {
                try checks.source(parts.file())
            }
        }

        // MARK: Properties

        /// Rotation and mirroring are the orientation, and that of EXIF is ignored.
        @Test func containerOrientationOverridesEXIF() throws {
            let coded = try HEICParts.Coded(HEICSamples.halved)
            var parts = HEICParts()
            parts.items = [
                coded.item(size, [ISOBytes.box("irot", [3]), ISOBytes.box("imir", [1])]),
                HEICParts.Item(type: "Exif", data: [0, 0, 0, 0] + TestEXIF.block(orientation: .rotated180)),
                HEICParts.Item(
                    type: "mime", data: Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8),
                    contentType: "application/rdf+xml"),
            ]
            parts.references = [("cdsc", 2, [1]), ("cdsc", 3, [1])]
            let info = try checks.source(parts.file()).info
            #expect(info.orientation == Orientation.rotated90.followed(by: .flippedHorizontally))
            #expect(info.metadata.exif?.hasGPS == true)
            #expect(info.metadata.xmp != nil)
            #expect(try decoded(parts) == checks.decoded(HEICSamples.halved).image)
            // Other metadata, the same pixels and orientation, and no byte of the position.
            let copy = try checks.source(parts.file()).rewritten(
                metadata: WrittenMetadata(), keeping: [.color], stop: nil)
            let plain = try checks.source(copy).info
            #expect(plain.metadata.exif == nil && plain.metadata.xmp == nil)
            #expect(plain.orientation == info.orientation)
            #expect(!copy.contains([0, 0, 0, 48, 0, 0, 0, 1, 0, 0, 0, 51, 0, 0, 0, 1]))
            #expect(try checks.decoded(copy).image == decoded(parts))
        }

        @Test func cropsSelectTheCleanAperture() throws {
            let coded = try HEICParts.Coded(HEICSamples.halved)
            func aperture(_ width: Int, _ height: Int, _ x: Int, _ y: Int) -> [UInt8] {
                ISOBytes.box("clap", [width, 1, height, 1, x, 2, y, 2].flatMap { ISOBytes.number($0, 4) })
            }
            var parts = HEICParts()
            // From 5 and 16 on.
            parts.items = [coded.item(size, [aperture(31, 20, -23, -12)])]
            let info = try checks.source(parts.file()).info
            #expect(info.size == PixelSize(width: 31, height: 20))
            #expect(info.decodeScales == [1])
            let area = PixelRectangle(x: 5, y: 16, width: 31, height: 20)
            #expect(try decoded(parts) == checks.decoded(HEICSamples.halved).image.cropped(to: area))
            parts.items = [coded.item(size, [aperture(31, 20, 50, 0)])]
            let warning = "the clean aperture is not inside the image; the whole image is shown"
            #expect(try checks.decoded(parts.file()).warnings == [warning])
            #expect(throws: TexelError.warning(warning)) { try checks.decoded(parts.file(), .warning) }
        }

        @Test func containerColorsAreRead() throws {
            let coded = try HEICParts.Coded(HEICSamples.halved)
            let points = try #require(CICP(primaries: 12, transfer: 13))
            let profile = try #require(try ColorSpace.codePoints(points).embeddableProfile())
            let numbers = ISOBytes.box("colr", Array("nclx".utf8) + [0, 12, 0, 13, 0, 6, 0x80])
            let embedded = ISOBytes.box("colr", Array("prof".utf8) + profile.bytes)
            var parts = HEICParts()
            parts.items = [coded.item(size, [numbers])]
            #expect(try checks.source(parts.file()).info.colorSpace == .codePoints(points))
            parts.items = [coded.item(size, [numbers, embedded])]
            #expect(try checks.source(parts.file()).info.colorSpace == .iccProfile(profile))
            parts.items = [coded.item(size, [ISOBytes.box("colr", Array("nclx".utf8) + [0, 9, 0, 1, 0, 10, 0])])]
            #expect(throws: TexelError.unsupported("the colour matrix 10 of this HEIC")) { try decoded(parts) }
            // Chroma of half the resolution cannot be blue and red.
            parts.items = [coded.item(size, [ISOBytes.box("colr", Array("nclx".utf8) + [0, 1, 0, 13, 0, 0, 0x80])])]
            #expect(throws: TexelError.unsupported("the colour matrix 0 of this HEIC")) { try decoded(parts) }
        }

        /// The matrix and the range of the container count.
        @Test func containerMatricesAndRangesApply() throws {
            func decoded(_ sample: [UInt8], _ matrix: UInt8, isFull: Bool) throws -> PixelBuffer {
                let numbers: [UInt8] = [0, 1, 0, 13, 0, matrix, isFull ? 0x80 : 0]
                var parts = HEICParts()
                parts.items = [
                    try HEICParts.Coded(sample).item(
                        size, [ISOBytes.box("colr", Array("nclx".utf8) + numbers)])
                ]
                return try self.decoded(parts)
            }
            let gray = try checks.decoded(HEICSamples.gray).image
            let limited = try PixelBuffer.make(width: 64, height: 64) { x, y in
                let level = (Double(gray[x, y] & 255) - 16) * 255 / 219
                return 0xFF00_0000 | UInt32(min(max(level, 0), 255).rounded()) * 0x01_0101
            }
            expectPixelsEqual(try decoded(HEICSamples.gray, 6, isFull: false), limited, tolerance: 1)
            // The samples themselves: green is luma, blue and red are chroma.
            let planes = try decoded(HEICSamples.lossless, 0, isFull: true)
            let expected = try PixelBuffer.make(width: 64, height: 64) { x, y in
                let (red, green, blue) = (Double(60 + 2 * x), Double(40 + 3 * y), 120.0)
                let luma = 0.299 * red + 0.587 * green + 0.114 * blue
                let (u, v) = (128 + (blue - luma) / 1.772, 128 + (red - luma) / 1.402)
                return 0xFF00_0000 | UInt32(v.rounded()) << 16 | UInt32(luma.rounded()) << 8 | UInt32(u.rounded())
            }
            expectPixelsEqual(planes, expected, tolerance: 1)
        }

        /// Previews are not other images; a second image is one.
        @Test func previewsAreNotOtherImages() throws {
            let coded = try HEICParts.Coded(HEICSamples.halved)
            var parts = HEICParts()
            parts.items = [coded.item(size), coded.item(size)]
            #expect(try checks.source(parts.file()).attachments(nil) == [.image])
            parts.references = [("thmb", 2, [1])]
            #expect(try checks.source(parts.file()).attachments(nil).isEmpty)
        }

        // MARK: Streams

        /// The lengths of units may have 1, 2 or 4 bytes.
        @Test func lengthsOfUnits() throws {
            var coded = try HEICParts.Coded(HEICSamples.gray)
            coded.configuration[21] = coded.configuration[21] & 0xFC | 1
            var (short, position): ([UInt8], Int) = ([], 0)
            while position < coded.data.count {
                let length = coded.data[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
                short += ISOBytes.number(length, 2) + coded.data[(position + 4)..<(position + 4 + length)]
                position += 4 + length
            }
            coded.data = short
            var parts = HEICParts()
            parts.items = [coded.item(size)]
            #expect(try decoded(parts) == checks.decoded(HEICSamples.gray).image)
            coded.configuration[21] = coded.configuration[21] & 0xFC | 2
            parts.items = [coded.item(size)]
            #expect(throws: TexelError.heic(.invalidValue(3, of: "size of lengths in the box hvcC"))) {
                try decoded(parts)
            }
        }

        /// The decoder gets one image of the size that was checked, whatever the stream has.
        @Test func otherImagesInTheStream() throws {
            let coded = try HEICParts.Coded(HEICSamples.halved)
            let image = try checks.decoded(HEICSamples.halved).image
            var parts = HEICParts()
            var other = coded
            other.data += coded.data
            parts.items = [other.item(size)]
            #expect(try decoded(parts) == image)
            // Units of another layer are left out.
            other.data = [0, 0, 0, 4, 2, 9, 0x80, 0] + coded.data
            parts.items = [other.item(size)]
            #expect(try decoded(parts) == image)
            // Other sequence parameters.
            let gray = try HEICFile(InputBytes(HEICSamples.gray), limits: Limits(), stop: nil)
            let set = try #require(Self.sequenceParameters(in: gray.main.configurations[0].units))
            other.data = ISOBytes.number(set.count, 4) + set + coded.data
            parts.items = [other.item(size)]
            #expect(
                throws: TexelError.heic(.corrupt("the stream has other sequence parameters than the box hvcC"))
            ) { try decoded(parts) }
            other.data = []
            parts.items = [other.item(size)]
            #expect(throws: TexelError.heic(.missing("data of the image"))) { try decoded(parts) }
            other.data = [0, 0, 0, 3, 0x46, 1, 0]
            parts.items = [other.item(size)]
            #expect(throws: TexelError.heic(.missing("slice of the image"))) { try decoded(parts) }
        }

        private static func sequenceParameters(in units: [UInt8]) -> [UInt8]? {
            guard let start = units.indices.first(where: { units[$0...].starts(with: [0x42, 1, 1]) }) else {
                return nil
            }
            let count = Int(units[start - 2]) << 8 | Int(units[start - 1])
            return Array(units[start..<(start + count)])
        }

        @Test func sequenceParametersAreRead() throws {
            for (bytes, depth, chroma, _) in Self.samples {
                let file = try HEICFile(InputBytes(bytes), limits: Limits(), stop: nil)
                let parameters = file.main.parameters
                #expect(parameters.size == size && parameters.codedSize == size)
                #expect(parameters.bitDepth == depth)
                #expect(parameters.chromaFormat == ["4:2:0", "4:2:2", "4:4:4"].firstIndex(of: chroma).map { $0 + 1 })
                // Cut off anywhere, they are refused.
                let set = try #require(Self.sequenceParameters(in: file.main.configurations[0].units))
                for count in 0..<set.count {
                    let part = HEVCSequenceParameters(unit: set.prefix(count))
                    #expect(part == nil || part == parameters && count > set.count / 2, "\(count) of \(set.count)")
                }
            }
        }

        // MARK: Limits and damage

        @Test func threadsDoNotChangeThePixels() throws {
            try checks.checkParallelism(HEICSamples.halved)
            try checks.checkParallelism(try grid(HEICSamples.halved, PixelSize(width: 151, height: 101)).file())
        }

        @Test func largeImagesAreRefusedBeforeDecoding() throws {
            try checks.checkLimits(HEICSamples.halved)
            try checks.checkLimits(try grid(HEICSamples.halved, PixelSize(width: 151, height: 101)).file())
            var limits = Limits()
            // Planes, the image in libde265, and its copy there.
            limits.codecBytes = 64 * 64 * 9 / 2 - 1
            #expect(
                throws: TexelError.limitExceeded(.codecBytes, value: 64 * 64 * 9 / 2, allowed: limits.codecBytes)
            ) { try checks.decoded(HEICSamples.halved, limits: limits) }
            limits.codecBytes += 1
            #expect(throws: Never.self) { try checks.decoded(HEICSamples.halved, limits: limits) }
            limits = Limits()
            limits.chunks = 10
            #expect(throws: TexelError.limitExceeded(.chunks, value: 11, allowed: 10)) {
                try checks.source(HEICSamples.halved, limits)
            }
        }

        /// The size that the container declares is that of the stream, which the decoder allocates.
        @Test func sizesMustAgree() throws {
            var parts = HEICParts()
            parts.items = [try HEICParts.Coded(HEICSamples.halved).item(PixelSize(width: 32, height: 64))]
            #expect(throws: TexelError.heic(.corrupt("the HEVC image has 64×64 pixels instead of 32×64"))) {
                try checks.source(parts.file())
            }
        }

        @Test(arguments: [HEICSamples.gray, HEICSamples.alpha, HEICSamples.tenBits]) func damagedFilesNeverTrap(
            bytes: [UInt8]
        ) throws {
            try checks.checkTruncations(of: bytes)
            checks.checkMutations(of: bytes, count: 400, seed: UInt64(bytes.count))
        }

        @Test func damagedGridsNeverTrap() throws {
            let bytes = try grid(HEICSamples.gray, PixelSize(width: 151, height: 101)).file()
            try checks.checkTruncations(of: bytes, count: 200)
            checks.checkMutations(of: bytes, count: 300, seed: 5)
        }

        @Test func arrivingFilesDecodeLikeWholeFiles() async throws {
            let bytes = try grid(HEICSamples.halved, PixelSize(width: 151, height: 101)).file()
            for seed in 1...3 {
                try await checks.checkArriving(bytes, seed: UInt64(seed))
                try await checks.checkArriving(Array(bytes.dropLast(300)), seed: UInt64(seed))
            }
        }

        @Test func stoppedDecodingThrows() throws {
            let stop = StopToken()
            stop.cancel()
            var options = DecodeOptions()
            options.stop = stop
            let source = try checks.source(HEICSamples.halved)
            #expect(throws: TexelError.stopped(.cancelled)) { try source.decodedAsStored(options) }
        }

        // MARK: Refused files

        @Test(arguments: [
            ("av01", "HEIC with an image of the type av01"), ("jpeg", "HEIC with an image of the type jpeg"),
            ("iovl", "HEIC with several images on one canvas (iovl)"),
            ("iden", "HEIC with an image derived from another one (iden)"),
            ("unci", "HEIC with an image of the type unci"),
        ])
        func otherCodingsAreUnsupported(type: String, feature: String) throws {
            var parts = HEICParts()
            parts.items = [try HEICParts.Coded(HEICSamples.halved).item(size)]
            parts.items[0].type = BoxType(stringLiteral: type)
            #expect(throws: TexelError.unsupported(feature)) {
                try checks.source(parts.file())
            }
        }

        @Test func incompleteFilesAndSequencesAreRefused() throws {
            var parts = HEICParts()
            parts.items = [try HEICParts.Coded(HEICSamples.halved).item(size)]
            parts.items[0].properties.remove(at: 1)
            #expect(throws: TexelError.heic(.missing("box hvcC"))) { try checks.source(parts.file()) }
            parts.items[0].properties = []
            #expect(throws: TexelError.heic(.missing("box ispe"))) { try checks.source(parts.file()) }
            parts.primary = 9
            #expect(throws: TexelError.heic(.missing("primary item"))) { try checks.source(parts.file()) }
            let sequence = ISOBytes.box("ftyp", Array("hevc".utf8) + [0, 0, 0, 0]) + ISOBytes.box("moov", [])
            #expect(throws: TexelError.unsupported("a HEIC image sequence")) { try checks.source(sequence) }
        }

        @Test func brandsDecide() {
            let codec = HEICCodec()
            func head(_ brands: String...) -> [UInt8] {
                [0, 0, 0, UInt8(12 + 4 * brands.count)]
                    + Array("ftyp\(brands[0])\u{0}\u{0}\u{0}\u{0}\(brands.dropFirst().joined())".utf8)
            }
            for brand in ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"] {
                #expect(codec.recognizes(head(brand)), "\(brand)")
            }
            #expect(codec.recognizes(head("mif1", "miaf", "heic")))
            #expect(!codec.recognizes(head("mif1", "avif", "heic")))
            #expect(!codec.recognizes(head("avif", "mif1", "heic")))
            #expect(!codec.recognizes(head("isom", "mp42")))
            #expect(!codec.recognizes(Array("ftypheic".utf8)))
        }

        @Test func heicIsNotWritten() throws {
            #expect(!HEICCodec().capabilities.writes)
            #expect(HEICCodec().options(for: EncodingSettings()) == nil)
            #expect(HEICCodec().adviceOnWriting?.contains("AVIF") == true)
        }

        @Test func libraryIsKnown() throws {
            let library = try #require(HEICCodec().libraries.first)
            #expect(library.name == "libde265")
            #expect(library.path?.contains("libde265") == true)
        }

        // MARK: Scales

        /// Of an image without a grid, the planes of the library are reduced.
        @Test(arguments: [2, 4, 8], [0, 1, 2, 4]) func singleImagesShrinkToBlockMeans(shrink: Int, sample: Int) throws {
            let whole = try checks.decoded(Self.samples[sample].bytes).image
            let small = try checks.decoded(Self.samples[sample].bytes, shrink: shrink).image
            expectPixelsEqual(small, try whole.blockMeans(shrink), tolerance: 20)
        }

        /// Shrinking gives about the mean of the pixels, also if the sides are not divisible.
        @Test(arguments: [2, 4, 8], [0, 1, 2, 4]) func shrunkDecodesAreMeansOfThePixels(shrink: Int, sample: Int) throws
        {
            let (width, height) = (151, 101)
            let bytes = try grid(Self.samples[sample].bytes, PixelSize(width: width, height: height)).file()
            let whole = try checks.decoded(bytes).image
            let small = try checks.decoded(bytes, shrink: shrink).image
            let mean = try whole.blockMeans(shrink)
            #expect(small.size == mean.size)
            #expect(meanDifference(small, mean) < 1)
            // Where cells meet, colours change a lot between samples of chroma that are interpolated.
            expectPixelsEqual(small, mean, tolerance: 40)
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
