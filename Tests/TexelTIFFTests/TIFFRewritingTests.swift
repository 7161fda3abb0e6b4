#if TIFF
    import TestSupport
    import Testing
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelTIFF

    /// Copies have the fields that TIFF 6.0 defines, whatever those of the file are.
    @Suite struct TIFFRewritingTests {
        private let checks = CodecChecks(TIFFCodec())

        private func copied(_ bytes: [UInt8], keeping: KeptParts = [.color]) throws -> [UInt8] {
            try checks.source(bytes).rewritten(metadata: WrittenMetadata(), keeping: keeping, stop: nil)
        }

        /// The fields of a directory: type, count and integers.
        private func fields(_ bytes: [UInt8], page: Int = 0) throws -> [UInt16: [Int]] {
            let input = try TIFFInput(InputBytes(bytes), limits: Limits(), stop: nil)
            var directory = try #require(try input.directory(at: input.firstDirectory, nil))
            for _ in 0..<page {
                let next = try #require(directory.next)
                directory = try #require(try input.directory(at: next, nil))
            }
            var fields: [UInt16: [Int]] = [:]
            for entry in directory.entries {
                let integers = try input.integers(entry.tag, in: directory, limit: 16, nil)
                fields[entry.tag] = [Int(entry.type), entry.count] + integers
            }
            return fields
        }

        private func rgba(_ fields: (TIFFFileMaker) -> [TIFFValue], removing: Set<UInt16> = []) -> [UInt8] {
            TIFFFileMaker.file { maker in
                maker.add(
                    width: 2, height: 2, samples: 4, photometric: 2, parts: [(0..<16).map { UInt8($0 * 9) }],
                    fields(maker))
                maker.pages[0].fields.removeAll { removing.contains($0.tag) }
            }
        }

        @Test func pixelFieldsAreWrittenAnew() throws {
            let bytes = rgba(
                { maker in
                    [
                        maker.rational(266, 2, 1), TIFFValue(278, 3, [], maker.order), maker.short(284, 1, 1, 1),
                        TIFFValue(258, 4, [8, 8, 8, 8], maker.order), maker.short(338, 2, 0, 0),
                        maker.short(339, 1, 1, 1, 1, 1), maker.short(317, 1, 7),
                    ]
                }, removing: [262])
            let copy = try copied(bytes)
            #expect(try checks.decoded(copy, .warning).image == checks.decoded(bytes).image)
            let fields = try fields(copy)
            #expect(fields[258] == [3, 4, 8, 8, 8, 8] && fields[262] == [3, 1, 2] && fields[277] == [3, 1, 4])
            #expect(fields[278] == [3, 1, 2] && fields[284] == [3, 1, 1] && fields[338] == [3, 1, 2])
            #expect(fields[266] == nil && fields[339] == nil && fields[317] == nil)
        }

        /// A sample whose meaning is assumed stays unspecified, but is declared.
        @Test func assumedAlphaIsUnspecified() throws {
            for extra in [[], [0], [257]] {
                let bytes = rgba({ maker in extra.isEmpty ? [] : [TIFFValue(338, 3, extra, maker.order)] })
                let copy = try copied(bytes)
                #expect(try fields(copy)[338] == [3, 1, 0])
                #expect(try checks.decoded(copy).image == checks.decoded(bytes).image)
            }
        }

        @Test func palettesAreWhole() throws {
            let colors = (0..<9).map { $0 * 7000 }
            let bytes = TIFFFileMaker.file { maker in
                maker.add(
                    width: 4, height: 1, bits: 2, photometric: 3, parts: [[0b00_01_10_11]],
                    [TIFFValue(320, 4, colors, maker.order)])
            }
            let copy = try copied(bytes)
            let palette = Array(colors[0..<3] + [0] + colors[3..<6] + [0] + colors[6..<9] + [0])
            #expect(try fields(copy)[320] == [3, 12] + palette)
            #expect(try checks.decoded(copy).image == checks.decoded(bytes).image)
        }

        /// Other fields lose values that are too many, and are dropped with too few or of another type.
        @Test(arguments: [KeptParts.color, [.color, .attachments]]) func otherFieldsAreWellFormed(
            keeping: KeptParts
        ) throws {
            let bytes = TIFFFileMaker.file { maker in
                maker.add(
                    width: 1, height: 1, parts: [[1]],
                    [
                        maker.rational(318, 3127, 10_000, 3290, 10_000, 1, 1), maker.rational(319, 1, 2, 1, 2),
                        maker.short(301, 1, 2, 3), maker.short(254, 0), maker.short(269, 65, 66), maker.long(263, 1),
                        maker.short(280, 0, 0), maker.short(65_000, 1, 2, 3),
                    ])
            }
            let fields = try fields(copied(bytes, keeping: keeping))
            #expect(fields[318] == [5, 2])
            for tag in [319, 301, 254, 269, 263] as [UInt16] { #expect(fields[tag] == nil, "\(tag)") }
            let keepsAll = keeping.contains(.attachments)
            #expect(fields[280] == (keepsAll ? [3, 1, 0] : nil))
            #expect(fields[65_000] == (keepsAll ? [3, 3, 1, 2, 3] : nil))
        }

        /// Values that libtiff refuses are dropped.
        @Test func otherFieldsHaveDefinedValues() throws {
            for (count, names) in [(4, "a\0b\0c\0d"), (5, "a\0b"), (3, "a")] {
                let bytes = rgba { maker in
                    [maker.short(262, 5), maker.short(332, 1), maker.short(334, count), maker.text(333, names)]
                }
                let fields = try fields(copied(bytes, keeping: [.color, .attachments]))
                #expect(fields[334] == (count == 4 ? [3, 1, 4] : nil))
                #expect((fields[333] != nil) == (count == 4))
            }
        }

        /// A density is written as it was understood, with EXIF and on further pages.
        @Test(arguments: [1, 2, 3, 0, 42, nil] as [Int?]) func densitiesHaveAUnit(unit: Int?) throws {
            let isValid = unit.map { (1...3).contains($0) } ?? true
            var exif = EXIFBuilder(byteOrder: .bigEndian)
            exif.add(EXIFTag.xResolution, .rational([300, 1]), to: \.image)
            exif.add(EXIFTag.yResolution, .rational([300, 1]), to: \.image)
            if let unit { exif.add(EXIFTag.resolutionUnit, .short([UInt16(unit)]), to: \.image) }
            exif.add(EXIFTag.orientation, .short([6]), to: \.image)
            let bytes = TIFFFileMaker.file { maker in
                maker.add(width: 1, height: 1, parts: [[1]])
                maker.add(
                    width: 1, height: 1, parts: [[1]],
                    [maker.rational(282, 72, 1), maker.rational(283, 72, 1), maker.short(274, isValid ? 3 : 9)]
                        + (unit.map { [maker.short(296, $0)] } ?? []))
            }
            let copy = try checks.source(bytes).rewritten(
                metadata: WrittenMetadata(exif: exif.block()), keeping: [.color], stop: nil)
            let density = try checks.source(copy).info.metadata.density
            #expect(density?.horizontal == (isValid ? Rational(300) : nil))
            for (page, orientation) in [(0, 6), (1, isValid ? 3 : nil)] {
                let fields = try fields(copy, page: page)
                #expect(fields[296] == (isValid ? [3, 1, unit ?? 2] : nil))
                #expect(fields[282]?.prefix(2) == (isValid ? [5, 1] : nil))
                #expect((fields[283] != nil) == isValid)
                #expect(fields[274] == orientation.map { [3, 1, $0] })
            }
        }
    }
#endif
