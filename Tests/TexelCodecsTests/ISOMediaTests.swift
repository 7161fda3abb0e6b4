import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelCodecs

/// Files of the ISO base media format: their structure, limits on it, and the replacement of metadata.
@Suite struct ISOMediaTests {
    private let format = ImageFormat(rawValue: "toy")
    private let brands = ISOMediaFile.Brands(still: ["mif1"], sequence: ["msf1"])

    private func read(_ bytes: [UInt8], _ limits: Limits = Limits()) throws(TexelError) -> ISOMediaFile {
        try ISOMediaFile(InputBytes(bytes), format: format, brands: brands, limits: limits, stop: nil)
    }

    // MARK: Files

    private static func number(_ value: Int, _ count: Int) -> [UInt8] { ISOBytes.number(value, count) }

    private static func item(_ id: Int, _ type: BoxType, _ rest: [UInt8] = []) -> [UInt8] {
        ISOBytes.box("infe", version: 2, number(id, 2) + [0, 0] + type.bytes + [0] + rest)
    }

    /// The parts of a handmade file that can be varied.
    private struct Parts {
        var brand: BoxType = "mif1"
        var items: [[UInt8]] = [
            item(1, "av01"), item(2, "Exif"), item(3, "mime", Array("application/rdf+xml".utf8) + [0]),
        ]
        /// The data of each item, in `mdat`, in this order.
        var data: [(id: Int, bytes: [UInt8])] = [
            (2, [0, 0, 0, 0] + Array("EXIFBLOCK".utf8)), (1, Array("PIXELDATA".utf8)), (3, Array("<xmp/>".utf8)),
        ]
        var references: [(BoxType, Int, [Int])] = [("cdsc", 2, [1]), ("cdsc", 3, [1])]
        var properties: [[UInt8]] = [
            ISOBytes.box("ispe", version: 0, number(60, 4) + number(40, 4)), ISOBytes.box("irot", [1]),
            ISOBytes.box("imir", [1]), ISOBytes.box("colr", Array("prof".utf8) + [1, 2, 3]),
        ]
        /// The indices of item 1's properties; the highest bit says that it is essential.
        var associations: [UInt8] = [1, 0x82, 0x83, 4]
        var inItemData = false
        var after: [UInt8] = []

        func file() -> [UInt8] {
            let head = ISOBytes.box("ftyp", brand.bytes + number(0, 4) + BoxType("mif1").bytes)
            // The size of the box does not depend on positions.
            let draft = meta(dataStart: 0)
            let payload = data.flatMap(\.bytes)
            return head + meta(dataStart: head.count + draft.count + 8)
                + (inItemData ? [] : ISOBytes.box("mdat", payload)) + after
        }

        private func meta(dataStart: Int) -> [UInt8] {
            var position = inItemData ? 0 : dataStart
            var locations: [UInt8] = [0x44, 0] + number(data.count, 2)
            for (id, bytes) in data {
                locations += number(id, 2) + number(inItemData ? 1 : 0, 2) + [0, 0] + number(1, 2)
                locations += number(position, 4) + number(bytes.count, 4)
                position += bytes.count
            }
            let content =
                ISOBytes.imageHandler + ISOBytes.box("pitm", version: 0, number(1, 2))
                + ISOBytes.box("iinf", version: 0, number(items.count, 2) + items.flatMap { $0 })
                + ISOBytes.box("iloc", version: 1, locations)
                + ISOBytes.box(
                    "iref", version: 0,
                    references.flatMap { type, from, to in
                        ISOBytes.box(type, number(from, 2) + number(to.count, 2) + to.flatMap { number($0, 2) })
                    })
                + ISOBytes.box(
                    "iprp",
                    ISOBytes.box("ipco", properties.flatMap { $0 })
                        + ISOBytes.box(
                            "ipma", version: 0,
                            number(1, 4) + number(1, 2) + [UInt8(associations.count)] + associations))
                + (inItemData ? ISOBytes.box("idat", data.flatMap(\.bytes)) : [])
            return ISOBytes.box("meta", version: 0, content)
        }
    }

    // MARK: Reading

    @Test(arguments: [true, false]) func itemsAreFound(inItemData: Bool) throws {
        var parts = Parts()
        parts.inItemData = inItemData
        let file = try read(parts.file())
        let meta = try #require(file.meta)
        #expect(!file.isSequence)
        #expect(meta.handler == "pict")
        #expect(meta.items.map(\.id) == [1, 2, 3])
        let image = try #require(meta.primaryItem)
        #expect(image.type == "av01")
        #expect(meta.size(of: image) == PixelSize(width: 60, height: 40))
        #expect(meta.properties(of: image).map(\.type) == ["ispe", "irot", "imir", "colr"])
        #expect(image.associations.map(\.isEssential) == [false, true, true, false])
        #expect(meta.properties(of: image).orientation == .transversed)
        #expect(try file.data(of: image, limits: Limits(), stop: nil) == Array("PIXELDATA".utf8))
        #expect(meta.sources("cdsc", to: 1).map(\.id) == [2, 3])
        #expect(meta.sources("cdsc", to: 1).map(\.isEXIF) == [true, false])
        #expect(meta.sources("cdsc", to: 1).map(\.isXMP) == [false, true])
    }

    @Test func brandsDecideBetweenItemsAndTracks() throws {
        var parts = Parts()
        parts.brand = "msf1"
        // Without tracks, items are all there is.
        #expect(try !read(parts.file()).isSequence)
        #expect(throws: TexelError.damaged(format, .corrupt("the file does not begin with the box ftyp"))) {
            try read(Array(Parts().file().dropFirst(20)))
        }
    }

    @Test(arguments: 0..<4) func mirrorsApplyAfterRotations(turns: Int) {
        func property(_ type: BoxType, _ value: ISOProperty.Value) -> ISOProperty {
            let box = ISOBox(type: type, range: 0..<0, payload: 0..<0, extendsToEnd: false)
            return ISOProperty(type: type, box: box, value: value)
        }
        let rotation = property("irot", .rotation(turns))
        let rotated: [Orientation] = [.identity, .rotated270, .rotated180, .rotated90]
        #expect([rotation].orientation == rotated[turns])
        // The mirror comes after the rotation, wherever it is in the list.
        for columns in [true, false] {
            let mirror = property("imir", .mirror(exchangesColumns: columns))
            let flip: Orientation = columns ? .flippedHorizontally : .flippedVertically
            #expect([mirror, rotation].orientation == rotated[turns].followed(by: flip))
            #expect([rotation, mirror, mirror].orientation == rotated[turns].followed(by: flip))
        }
    }

    @Test func onlyWholePixelAperturesGiveRectangles() {
        func aperture(_ width: (Int, Int), _ height: (Int, Int), _ x: (Int, Int), _ y: (Int, Int)) -> PixelRectangle? {
            CleanAperture(
                width: .init(numerator: width.0, denominator: width.1),
                height: .init(numerator: height.0, denominator: height.1),
                horizontalOffset: .init(numerator: x.0, denominator: x.1),
                verticalOffset: .init(numerator: y.0, denominator: y.1)
            ).rectangle(in: PixelSize(width: 100, height: 60))
        }
        #expect(aperture((100, 1), (60, 1), (0, 1), (0, 1)) == PixelRectangle(x: 0, y: 0, width: 100, height: 60))
        #expect(aperture((40, 1), (30, 2), (-30, 1), (1, 2)) == PixelRectangle(x: 0, y: 23, width: 40, height: 15))
        // Half a pixel, outside, empty, no number.
        #expect(aperture((41, 1), (60, 1), (0, 1), (0, 1)) == nil)
        #expect(aperture((40, 1), (60, 1), (31, 1), (0, 1)) == nil)
        #expect(aperture((0, 1), (60, 1), (0, 1), (0, 1)) == nil)
        #expect(aperture((40, 0), (60, 1), (0, 1), (0, 1)) == nil)
        #expect(aperture((40, 1), (60, 1), (0, 0), (0, 1)) == nil)
        #expect(aperture((0xFFFF_FFFF, 1), (60, 1), (0, 1), (0, 1)) == nil)
        #expect(aperture((40, 1), (60, 1), (Int(Int32.min), 0xFFFF_FFFF), (0, 1)) == nil)
    }

    // MARK: Damage and limits

    @Test func everyTruncationIsRefused() throws {
        let bytes = Parts().file()
        let header = try #require(read(bytes).meta).box.range.upperBound
        for count in 0..<bytes.count {
            let result = Result { () throws(TexelError) in try read(Array(bytes[..<count])) }
            if count < header {
                guard case .failure(let error) = result, error.kind == .truncated else {
                    Issue.record("\(count) bytes: \(result)")
                    continue
                }
            } else {
                guard case .success(let file) = result, let meta = file.meta, let item = meta.primaryItem else {
                    Issue.record("\(count) bytes: \(result)")
                    continue
                }
                let isThere = try file.data(of: item, limits: Limits(), stop: nil) != nil
                #expect(isThere == (count >= item.end))
            }
        }
    }

    /// Damaged files give errors; what can be read can be rewritten, or not, but without a trap.
    @Test func mutationsAreHarmless() {
        var generator = SeededGenerator(seed: 11)
        var parts = Parts()
        for round in 0..<4000 {
            parts.inItemData = round % 4 == 0
            let bytes = CodecChecks.mutated(parts.file(), using: &generator)
            do throws(TexelError) {
                let file = try read(bytes)
                for item in file.meta?.items ?? [] {
                    _ = try file.data(of: item, limits: Limits(), stop: nil)
                }
                var rewriting = ISORewriting(
                    try file.completed(limits: Limits(), stop: nil), limits: Limits(), stop: nil)
                (rewriting.exif, rewriting.keepsProfiles) = ([1, 2, 3], round % 2 == 0)
                _ = try read(try rewriting.rewritten())
            } catch {
                #expect(!"\(error)".isEmpty)
            }
        }
    }

    /// Tables can declare more entries than bytes.
    @Test func countsAreLimited() throws {
        // Extents of an item without a byte each.
        let locations = [0, 0] + Self.number(1, 2) + Self.number(1, 2) + Self.number(0, 2) + [0, 0] + [0xFF, 0xFF]
        let meta = ISOBytes.box(
            "meta", version: 0,
            ISOBytes.box("iinf", version: 0, Self.number(1, 2) + Self.item(1, "av01"))
                + ISOBytes.box("iloc", version: 1, locations))
        let file = ISOBytes.box("ftyp", BoxType("mif1").bytes + Self.number(0, 4)) + meta
        var limits = Limits()
        limits.chunks = 60_000
        #expect(throws: TexelError.limitExceeded(.chunks, value: 65_541, allowed: 60_000)) {
            try read(file, limits)
        }
        #expect(try read(file).meta?.items.first?.extents.isEmpty == true)
    }

    @Test func boxesMustFitTheirContainers() throws {
        var bytes = Parts().file()
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "ipco".utf8) })
        bytes[place - 2] = 0xFF
        #expect(throws: TexelError.damaged(format, .corrupt("the box ipco is larger than its container"))) {
            try read(bytes)
        }
        bytes = Parts().file()
        bytes.replaceSubrange((place - 4)..<place, with: [0, 0, 0, 4])
        #expect(throws: TexelError.damaged(format, .corrupt("the box ipco has an invalid size"))) { try read(bytes) }
        var parts = Parts()
        parts.associations = [9]
        #expect(
            throws: TexelError.damaged(format, .corrupt("item 1 refers to a property that does not exist"))
        ) { try read(parts.file()) }
    }

    @Test func profilesAreLimited() throws {
        var limits = Limits()
        limits.metadataBytes = 2
        #expect(throws: TexelError.limitExceeded(.metadataBytes, value: 3, allowed: 2)) {
            try read(Parts().file(), limits)
        }
    }

    /// Sizes and positions near the largest number do not overflow.
    @Test func distantPositionsAreHarmless() throws {
        var parts = Parts()
        let whole = parts.file()
        let head = ISOBytes.box("ftyp", BoxType("mif1").bytes + Self.number(0, 4))
        for size in [Int.max - head.count, Int.max - head.count - 7, Int.max - head.count - 16] {
            let box = Self.number(1, 4) + BoxType("skip").bytes + Self.number(size, 8)
            #expect(throws: TexelError.truncated(rowsRead: 0, rows: 0)) { try read(head + box) }
        }
        func far(_ start: Int) -> [UInt8] {
            let locations = [0x88, 0] + Self.number(1, 2) + Self.number(1, 2) + Self.number(0, 2) + Self.number(1, 2)
            return head
                + ISOBytes.box(
                    "meta", version: 0,
                    ISOBytes.box("iinf", version: 0, Self.number(1, 2) + Self.item(1, "av01"))
                        + ISOBytes.box(
                            "iloc", version: 0, locations + Self.number(start, 8) + Self.number(9, 8)))
        }
        let copy = try rewritten(far(1 << 40), exif: [1, 2, 3])
        #expect(try data(copy) { $0.isEXIF } == [0, 0, 0, 0, 1, 2, 3])
        #expect(try data(copy) { $0.type == "av01" } == nil)
        #expect(throws: TexelError.unsupported("changing the metadata of a file whose data are outside of it")) {
            try rewritten(far(Int.max - 9), exif: [1, 2, 3])
        }
        #expect(throws: TexelError.damaged(format, .corrupt("an item is outside of the file"))) {
            try read(far(Int.max - 3))
        }
        parts.after = ISOBytes.box("uuid", Array("PRIVATE, AND MORE".utf8))
        let cut = Array(parts.file().dropLast(8))
        #expect(cut.count > whole.count)
        #expect(try !holds(rewritten(cut), "PRIVATE"))
    }

    // MARK: Tracks

    /// A track with `samples` of five bytes at `start`, in two chunks.
    private static func track(
        sampleCount: Int, declared: Int? = nil, start: Int, runs: [(Int, Int)] = [(1, 2), (2, 1)]
    ) -> [UInt8] {
        let entry = ISOBytes.box("av01", [UInt8](repeating: 0, count: 78) + ISOBytes.box("irot", [2]))
        let chunkCount = 1 + max(0, sampleCount - 2)
        let chunks = (0..<chunkCount).map { start + 5 * ($0 == 0 ? 0 : $0 + 1) }
        let table =
            ISOBytes.box("stsd", version: 0, number(1, 4) + entry)
            + ISOBytes.box("stts", version: 0, number(2, 4) + number(1, 4) + number(7, 4) + number(1, 4) + number(9, 4))
            + ISOBytes.box(
                "stsc", version: 0,
                number(runs.count, 4) + runs.flatMap { number($0.0, 4) + number($0.1, 4) + number(1, 4) })
            + ISOBytes.box("stsz", version: 0, number(5, 4) + number(declared ?? sampleCount, 4))
            + ISOBytes.box("stco", version: 0, number(chunkCount, 4) + chunks.flatMap { number($0, 4) })
        let media = ISOBytes.box(
            "mdia",
            ISOBytes.box("mdhd", version: 0, number(0, 8) + number(30, 4) + number(25, 4) + number(0, 4))
                + ISOBytes.imageHandler + ISOBytes.box("minf", ISOBytes.box("stbl", table)))
        let header =
            number(0, 8) + number(1, 4) + number(0, 4) + number(50, 4) + number(0, 52) + number(60 << 16, 4)
            + number(40 << 16, 4)
        let edits = ISOBytes.box(
            "edts",
            ISOBytes.box(
                "elst", version: 0, flags: 1, number(1, 4) + number(25, 4) + number(0, 4) + number(0x1_0000, 4)))
        return ISOBytes.box("trak", ISOBytes.box("tkhd", version: 0, header) + edits + media)
    }

    private static func sequence(_ track: (Int) -> [UInt8], data: [UInt8]) -> [UInt8] {
        let head = ISOBytes.box("ftyp", BoxType("msf1").bytes + number(0, 4))
        let movieHeader = ISOBytes.box("mvhd", version: 0, number(0, 8) + number(30, 4) + number(50, 4))
        let count = ISOBytes.box("moov", movieHeader + track(0)).count
        return head + ISOBytes.box("moov", movieHeader + track(head.count + count + 8)) + ISOBytes.box("mdat", data)
    }

    @Test func samplesAreFound() throws {
        let bytes = Self.sequence(
            { Self.track(sampleCount: 4, start: $0) }, data: (0..<4).flatMap { [UInt8](repeating: $0, count: 5) })
        let file = try read(bytes)
        #expect(file.isSequence)
        let track = try #require(file.movie?.tracks.first)
        #expect(track.id == 1)
        #expect(track.size == PixelSize(width: 60, height: 40))
        #expect(track.timescale == 30)
        #expect(track.codingType == "av01")
        #expect(track.properties.orientation == .rotated180)
        #expect(track.samples.map(\.duration) == [7, 9, 9, 9])
        #expect(track.samples.map { Array(bytes[$0.range]) } == (0..<4).map { [UInt8](repeating: $0, count: 5) })
        // An edit of 25 ticks in a track of 50.
        #expect(track.playCount == 2)
    }

    @Test func samplesAreLimited() throws {
        let many = Self.sequence({ Self.track(sampleCount: 4, declared: 20_000, start: $0) }, data: [])
        #expect(throws: TexelError.limitExceeded(.frames, value: 20_000, allowed: 10_000)) { try read(many) }
        // A run of four billion samples for each chunk, with 4 declared.
        let long = Self.sequence(
            { Self.track(sampleCount: 4, start: $0, runs: [(1, 0xFFFF_FFFF), (0xFFFF_FFF0, 0xFFFF_FFFF)]) }, data: [])
        #expect(try read(long).movie?.tracks.first?.samples.count == 4)
        let unordered = Self.sequence({ Self.track(sampleCount: 4, start: $0, runs: [(2, 1), (1, 1)]) }, data: [])
        #expect(throws: TexelError.damaged(format, .corrupt("the chunks of a track are not in order"))) {
            try read(unordered)
        }
    }

    @Test func truncatedAndMutatedTracksAreHarmless() {
        let bytes = Self.sequence({ Self.track(sampleCount: 4, start: $0) }, data: [UInt8](repeating: 1, count: 20))
        for count in 0..<(bytes.count - 28) {
            #expect(throws: TexelError.truncated(rowsRead: 0, rows: 0)) { try read(Array(bytes[..<count])) }
        }
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<4000 {
            do throws(TexelError) {
                let file = try read(CodecChecks.mutated(bytes, using: &generator))
                var rewriting = ISORewriting(
                    try file.completed(limits: Limits(), stop: nil), limits: Limits(), stop: nil)
                rewriting.xmp = [1, 2, 3]
                _ = try read(try rewriting.rewritten())
                _ = try ISOTiming(file).corrected(playCount: 7)
            } catch {
                #expect(!"\(error)".isEmpty)
            }
        }
    }

    @Test(arguments: [0, 1, 5, 70_000]) func timesAreCorrected(playCount: Int) throws {
        let bytes = Self.sequence(
            { Self.track(sampleCount: 4, start: $0) }, data: (0..<4).flatMap { [UInt8](repeating: $0, count: 5) })
        let corrected = try ISOTiming(try read(bytes)).corrected(playCount: playCount)
        let track = try #require(try read(corrected).movie?.tracks.first)
        #expect(track.playCount == playCount)
        #expect(track.samples.map { Array(corrected[$0.range]) } == (0..<4).map { [UInt8](repeating: $0, count: 5) })
    }

    // MARK: Rewriting

    private func rewritten(
        _ bytes: [UInt8], exif: [UInt8]? = nil, xmp: [UInt8]? = nil, keepsProfiles: Bool = true,
        keepsOthers: Bool = false
    ) throws(TexelError) -> [UInt8] {
        var rewriting = ISORewriting(
            try read(bytes).completed(limits: Limits(), stop: nil), limits: Limits(), stop: nil)
        (rewriting.exif, rewriting.xmp) = (exif, xmp)
        (rewriting.keepsProfiles, rewriting.keepsOthers) = (keepsProfiles, keepsOthers)
        return try rewriting.rewritten()
    }

    private func data(_ bytes: [UInt8], _ isItem: (ISOItem) -> Bool) throws -> [UInt8]? {
        let file = try read(bytes)
        guard let item = file.meta?.items.first(where: isItem) else { return nil }
        return try file.data(of: item, limits: Limits(), stop: nil)
    }

    private func holds(_ bytes: [UInt8], _ text: String) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: text.utf8) }
    }

    @Test(arguments: [true, false]) func metadataAreReplaced(inItemData: Bool) throws {
        var parts = Parts()
        parts.inItemData = inItemData
        let copy = try rewritten(parts.file(), exif: Array("NEWBLOCK".utf8), xmp: Array("<new/>".utf8))
        #expect(!holds(copy, "EXIFBLOCK"))
        #expect(!holds(copy, "<xmp/>"))
        #expect(try data(copy) { $0.isEXIF } == [0, 0, 0, 0] + Array("NEWBLOCK".utf8))
        #expect(try data(copy) { $0.isXMP } == Array("<new/>".utf8))
        #expect(try data(copy) { $0.type == "av01" } == Array("PIXELDATA".utf8))
        let meta = try #require(try read(copy).meta)
        let image = try #require(meta.primaryItem)
        #expect(meta.properties(of: image).map(\.type) == ["ispe", "irot", "imir", "colr"])
        #expect(image.associations.map(\.isEssential) == [false, true, true, false])
        #expect(meta.sources("cdsc", to: 1).count == 2)
        // Written again without metadata, and with them: the same bytes.
        let plain = try rewritten(copy)
        #expect(!holds(plain, "NEWBLOCK"))
        #expect(try read(plain).meta?.items.count == 1)
        #expect(try rewritten(try rewritten(plain), exif: Array("A".utf8)) == rewritten(plain, exif: Array("A".utf8)))
    }

    @Test func profilesAreRemoved() throws {
        let copy = try rewritten(Parts().file(), keepsProfiles: false)
        let meta = try #require(try read(copy).meta)
        let image = try #require(meta.primaryItem)
        #expect(meta.properties(of: image).map(\.type) == ["ispe", "irot", "imir", "free"])
        #expect(!holds(copy, "prof"))
    }

    /// Bytes that an image needs stay, even if metadata claim them.
    @Test func sharedBytesStay() throws {
        var bytes = Parts().file()
        let meta = try #require(try read(bytes).meta)
        let image = try #require(meta.primaryItem?.extents.first)
        // The EXIF item's position becomes that of the image.
        let exif = try #require(meta[2]?.extents.first)
        let place = try #require(
            bytes.indices.first { bytes[$0...].starts(with: ISOBytes.number(exif.lowerBound, 4)) })
        bytes.replaceSubrange(place..<(place + 4), with: ISOBytes.number(image.lowerBound, 4))
        let copy = try rewritten(bytes)
        #expect(try data(copy) { $0.type == "av01" } == Array("PIXELDATA".utf8))
    }

    /// Boxes that a program may have left behind, and metadata of other kinds.
    @Test func otherMetadataAreRemovedOnRequest() throws {
        var parts = Parts()
        parts.items.append(Self.item(4, "mime", Array("text/plain".utf8) + [0]))
        parts.data.append((4, Array("A NOTE".utf8)))
        parts.references.append(("cdsc", 4, [1]))
        parts.after = ISOBytes.box("free", Array("OLD EXIF".utf8)) + ISOBytes.box("uuid", Array("PRIVATE".utf8))
        let kept = try rewritten(parts.file(), keepsOthers: true)
        #expect(["A NOTE", "OLD EXIF", "PRIVATE"].allSatisfy { holds(kept, $0) })
        let copy = try rewritten(parts.file())
        #expect(!["A NOTE", "OLD EXIF", "PRIVATE"].contains { holds(copy, $0) })
        #expect(try data(copy) { $0.type == "av01" } == Array("PIXELDATA".utf8))
    }

    @Test func positionsInTracksFollow() throws {
        let bytes = Self.sequence(
            { Self.track(sampleCount: 4, start: $0) }, data: (0..<4).flatMap { [UInt8](repeating: $0, count: 5) })
        let copy = try rewritten(bytes, exif: Array("NEWBLOCK".utf8))
        let track = try #require(try read(copy).movie?.tracks.first)
        #expect(track.samples.map { Array(copy[$0.range]) } == (0..<4).map { [UInt8](repeating: $0, count: 5) })
        let item = try #require(track.meta?.items.first { $0.isEXIF })
        #expect(item.extents.map { Array(copy[$0]) } == [[0, 0, 0, 0] + Array("NEWBLOCK".utf8)])
        let plain = try rewritten(copy)
        #expect(!holds(plain, "NEWBLOCK"))
        #expect(try read(plain).movie?.tracks.first?.samples.map { Array(plain[$0.range]) }.first == [0, 0, 0, 0, 0])
    }

    @Test func fragmentedFilesAreNotRewritten() throws {
        var parts = Parts()
        parts.after = ISOBytes.box("moof", [])
        #expect(throws: TexelError.unsupported("changing the metadata of a fragmented file")) {
            try rewritten(parts.file())
        }
    }
}
