import TexelCore
package import TexelPixels

/// The items of a file or of a track: a `meta` box (ISO/IEC 14496-12, 8.11).
package struct ISOMeta: Sendable {
    package let box: ISOBox
    /// The boxes inside, in order.
    package fileprivate(set) var children: [ISOBox] = []
    /// The kind of the items: "pict" for images.
    package fileprivate(set) var handler: BoxType?
    package fileprivate(set) var primaryID: Int?
    /// The items, in the order of `iinf`.
    package fileprivate(set) var items: [ISOItem] = []
    package fileprivate(set) var references: [ISOReference] = []
    /// All properties, in the order of `ipco`. Items refer to them by index.
    package fileprivate(set) var properties: [ISOProperty] = []
    private var places: [Int: Int] = [:]

    fileprivate init(_ box: ISOBox) { self.box = box }

    /// The item with an identifier.
    package subscript(id: Int) -> ISOItem? { places[id].map { items[$0] } }

    package var primaryItem: ISOItem? { primaryID.flatMap { self[$0] } }

    /// Returns the properties of an item, in order.
    package func properties(of item: ISOItem) -> [ISOProperty] { item.associations.map { properties[$0.index] } }

    /// Returns the first property of a type.
    package func property(_ type: BoxType, of item: ISOItem) -> ISOProperty? {
        item.associations.lazy.map { properties[$0.index] }.first { $0.type == type }
    }

    /// The size in `ispe`.
    package func size(of item: ISOItem) -> PixelSize? {
        if case .size(let size)? = property("ispe", of: item)?.value { size } else { nil }
    }

    /// Returns the items that an item refers to, in order.
    package func targets(_ type: BoxType, from id: Int) -> [Int] {
        references.filter { $0.type == type && $0.from == id }.flatMap(\.to)
    }

    /// Returns the items that refer to an item.
    package func sources(_ type: BoxType, to id: Int) -> [ISOItem] {
        references.filter { $0.type == type && $0.to.contains(id) }.compactMap { self[$0.from] }
    }

    /// Adds an item; a repeated identifier is ignored.
    fileprivate mutating func add(_ item: ISOItem) {
        guard places[item.id] == nil else { return }
        places[item.id] = items.count
        items.append(item)
    }

    fileprivate mutating func update(_ id: Int, _ change: (inout ISOItem) -> Void) {
        if let place = places[id] { change(&items[place]) }
    }
}

/// An item: an image, a block of metadata, or a description of how to make an image from others.
package struct ISOItem: Sendable {
    package let id: Int
    package let type: BoxType
    /// The media type of an item "mime".
    package let contentType: String
    package let isHidden: Bool
    /// Its `infe` box.
    let entry: Range<Int>
    /// Where the data are: 0 in the file, 1 in the `meta` box, 2 in another item.
    package fileprivate(set) var construction = 0
    /// The ranges of the file that hold the data, in order; the file may end before. Empty for data in other items or
    /// other files.
    package fileprivate(set) var extents: [Range<Int>] = []
    /// Whether data are in another item or in another file.
    package fileprivate(set) var isElsewhere = false
    package fileprivate(set) var associations: [Association] = []

    package struct Association: Sendable {
        /// The index in ``ISOMeta/properties``.
        package let index: Int
        /// Whether a reader that does not know the property must not show the item.
        package let isEssential: Bool
    }

    /// The number of bytes; `nil` if they overflow.
    package var byteCount: Int? {
        var total = 0
        for extent in extents {
            let (sum, isTooLarge) = total.addingReportingOverflow(extent.count)
            if isTooLarge { return nil }
            total = sum
        }
        return total
    }

    /// The end of the last byte in the file.
    package var end: Int { extents.map(\.upperBound).max() ?? 0 }

    package var isEXIF: Bool { type == "Exif" }
    package var isXMP: Bool { type == "mime" && contentType == "application/rdf+xml" }
}

/// A reference from one item to others: `iref` (ISO/IEC 14496-12, 8.11.12).
package struct ISOReference: Sendable, Hashable {
    package let type: BoxType
    package let from: Int
    package let to: [Int]
}

extension ISOParser {
    /// Reads a `meta` box that has arrived.
    func meta(_ box: ISOBox) throws(TexelError) -> ISOMeta {
        var meta = ISOMeta(box)
        guard box.payload.count >= 4 else { throw corrupt("the box meta is too short") }
        meta.children = try boxes(in: box.payload.skipping(4))
        // Items exist before other boxes say something about them.
        for child in meta.children where child.type == "iinf" { try readItems(child, &meta) }
        let data = meta.children.first { $0.type == "idat" }?.payload
        for child in meta.children {
            var reader = reader(child.payload)
            switch child.type {
            case "hdlr":
                try reader.skip(8)
                meta.handler = try reader.type()
            case "pitm":
                let version = try reader.versionAndFlags().version
                meta.primaryID = try reader.unsigned(version == 0 ? 2 : 4)
            case "iloc": try readLocations(&reader, data, &meta)
            case "iref": try readReferences(child, &meta)
            case "iprp": try readProperties(child, &meta)
            default: break
            }
        }
        return meta
    }

    private func readItems(_ box: ISOBox, _ meta: inout ISOMeta) throws(TexelError) {
        var reader = reader(box.payload)
        let version = try reader.versionAndFlags().version
        _ = try reader.unsigned(version == 0 ? 2 : 4)
        for entry in try boxes(in: reader.position..<reader.end) where entry.type == "infe" {
            var reader = self.reader(entry.payload)
            let (version, flags) = try reader.versionAndFlags()
            // Older versions have no type.
            guard version >= 2 else { continue }
            let id = try reader.unsigned(version == 2 ? 2 : 4)
            try reader.skip(2)
            let type = try reader.type()
            _ = reader.text()
            meta.add(
                ISOItem(
                    id: id, type: type, contentType: type == "mime" ? reader.text() : "", isHidden: flags & 1 == 1,
                    entry: entry.range))
        }
    }

    private func readLocations(
        _ reader: inout ISOReader, _ itemData: Range<Int>?, _ meta: inout ISOMeta
    ) throws(TexelError) {
        let version = try reader.versionAndFlags().version
        guard version <= 2 else { throw corrupt("the box iloc has version \(version)") }
        let sizes = try reader.unsigned(2)
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version > 0 ? sizes & 15 : 0)
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }) else {
            throw corrupt("the box iloc has fields of an invalid size")
        }
        let count = try reader.unsigned(version < 2 ? 2 : 4)
        for _ in 0..<count {
            let id = try reader.unsigned(version < 2 ? 2 : 4)
            let construction = version > 0 ? try reader.unsigned(2) & 15 : 0
            let dataReference = try reader.unsigned(2)
            let base = try reader.unsigned(baseSize)
            let extentCount = try reader.unsigned(2)
            try self.count(extentCount + 1)
            var extents: [Range<Int>] = []
            for _ in 0..<extentCount {
                try reader.skip(indexSize)
                let offset = try reader.unsigned(offsetSize)
                let length = try reader.unsigned(lengthSize)
                let extent = try extent(base, offset, length, in: construction == 1 ? itemData : nil)
                if construction < 2, dataReference == 0, construction == 0 || itemData != nil, length > 0 {
                    extents.append(extent)
                }
            }
            meta.update(id) { item in
                guard item.extents.isEmpty else { return }
                (item.construction, item.extents) = (construction, extents)
                item.isElsewhere = construction > 1 || dataReference != 0
            }
        }
    }

    private func extent(
        _ base: Int, _ offset: Int, _ length: Int, in data: Range<Int>?
    ) throws(TexelError) -> Range<Int> {
        let start = (data?.lowerBound ?? 0).addingReportingOverflow(base)
        let place = start.partialValue.addingReportingOverflow(offset)
        let end = place.partialValue.addingReportingOverflow(length)
        guard !start.overflow, !place.overflow, !end.overflow, end.partialValue <= data?.upperBound ?? .max else {
            throw corrupt("an item is outside of the file")
        }
        return place.partialValue..<end.partialValue
    }

    private func readReferences(_ box: ISOBox, _ meta: inout ISOMeta) throws(TexelError) {
        var reader = reader(box.payload)
        let idSize = try reader.versionAndFlags().version == 0 ? 2 : 4
        for entry in try boxes(in: reader.position..<reader.end) {
            var reader = self.reader(entry.payload)
            let from = try reader.unsigned(idSize)
            let count = try reader.unsigned(2)
            try self.count(count)
            var to: [Int] = []
            for _ in 0..<count { to.append(try reader.unsigned(idSize)) }
            meta.references.append(ISOReference(type: entry.type, from: from, to: to))
        }
    }

    private func readProperties(_ box: ISOBox, _ meta: inout ISOMeta) throws(TexelError) {
        let parts = try boxes(in: box.payload)
        guard meta.properties.isEmpty, let container = parts.first(where: { $0.type == "ipco" }) else { return }
        for box in try boxes(in: container.payload) { meta.properties.append(try property(box)) }
        for part in parts where part.type == "ipma" {
            var reader = reader(part.payload)
            let (version, flags) = try reader.versionAndFlags()
            let count = try reader.unsigned(4)
            for _ in 0..<count {
                let id = try reader.unsigned(version == 0 ? 2 : 4)
                let associationCount = try reader.unsigned(1)
                try self.count(associationCount + 1)
                var associations: [ISOItem.Association] = []
                for _ in 0..<associationCount {
                    let size = flags & 1 == 1 ? 2 : 1
                    let field = try reader.unsigned(size)
                    let mask = size == 2 ? 0x7FFF : 0x7F
                    // Index 0 means that there is no property.
                    guard field & mask > 0 else { continue }
                    guard field & mask <= meta.properties.count else {
                        throw corrupt("item \(id) refers to a property that does not exist")
                    }
                    associations.append(.init(index: field & mask - 1, isEssential: field > mask))
                }
                meta.update(id) { $0.associations += associations }
            }
        }
    }
}

extension Range<Int> {
    /// The range without its first `count` numbers.
    func skipping(_ count: Int) -> Range<Int> { Swift.min(lowerBound + count, upperBound)..<upperBound }
}
