/// A `meta` box that is written: the kept items of another one, and new items.
struct ISOMetaWriting {
    /// An item whose data are in the file.
    struct NewItem {
        var type: BoxType
        /// The media type of an item "mime".
        var contentType = ""
        var data: [UInt8]

        static func exif(_ block: [UInt8]) -> NewItem {
            // The offset of the TIFF header comes first (ISO/IEC 23008-12, A.2.1).
            NewItem(type: "Exif", data: [0, 0, 0, 0] + block)
        }

        static func xmp(_ packet: [UInt8]) -> NewItem {
            NewItem(type: "mime", contentType: "application/rdf+xml", data: packet)
        }
    }

    /// The box whose items are kept; `nil` for a new one.
    let original: ISOMeta?
    let bytes: InputBytes
    /// The identifiers of the items that are left out.
    let dropped: Set<Int>
    let newItems: [NewItem]
    /// Whether ICC profiles are left out.
    let dropsProfiles: Bool
    /// Whether positions need eight bytes.
    let isLarge: Bool

    private var kept: [ISOItem] { original?.items.filter { !dropped.contains($0.id) } ?? [] }

    private func ids() -> [Int] {
        let first = (original?.items.map(\.id).max() ?? 0) + 1
        return Array(first..<(first + newItems.count))
    }

    private var hasLongIDs: Bool { (original?.items.map(\.id).max() ?? 0) + newItems.count > 0xFFFF }

    /// Returns the box.
    ///
    /// - Parameters:
    ///   - positions: where the data of the new items are in the new file.
    ///   - moved: returns where a byte of the file is in the new one.
    func box(positions: [Int], moved: (Int) -> Int) -> [UInt8] {
        var content: [UInt8] = []
        var hasReferences = false
        for child in original?.children ?? [] {
            switch child.type {
            case "iinf": content += information()
            case "iloc": content += locations(positions, moved)
            case "iref":
                hasReferences = true
                content += references()
            case "iprp": content += properties(child)
            case "idat": content += itemData(child)
            // Padding may be what is left of other metadata.
            case "free", "skip": break
            default: content += bytes[child.range]
            }
        }
        if original == nil { content = ISOBytes.imageHandler + information() + locations(positions, moved) }
        if !hasReferences { content += references() }
        return ISOBytes.box("meta", version: 0, content)
    }

    private func information() -> [UInt8] {
        let kept = kept
        var content = ISOBytes.number(kept.count + newItems.count, hasLongIDs ? 4 : 2)
        for item in kept { content += bytes[item.entry] }
        for (id, item) in zip(ids(), newItems) {
            var fields = ISOBytes.number(id, hasLongIDs ? 4 : 2) + [0, 0] + item.type.bytes + [0]
            if item.type == "mime" { fields += item.contentType.utf8 + [0] }
            content += ISOBytes.box("infe", version: hasLongIDs ? 3 : 2, fields)
        }
        return ISOBytes.box("iinf", version: hasLongIDs ? 1 : 0, content)
    }

    private func locations(_ positions: [Int], _ moved: (Int) -> Int) -> [UInt8] {
        let size = isLarge ? 8 : 4
        let located = kept.filter { !$0.extents.isEmpty }
        // Construction 1 is relative to the data in the box.
        let data = original?.children.first { $0.type == "idat" }?.payload.lowerBound ?? 0
        let version = hasLongIDs ? 2 : located.contains { $0.construction != 0 } ? 1 : 0
        func entry(_ id: Int, _ construction: Int, _ extents: [(start: Int, count: Int)]) -> [UInt8] {
            var fields = ISOBytes.number(id, hasLongIDs ? 4 : 2)
            if version > 0 { fields += ISOBytes.number(construction, 2) }
            fields += [0, 0] + ISOBytes.number(extents.count, 2)
            for extent in extents {
                fields += ISOBytes.number(extent.start, size) + ISOBytes.number(extent.count, size)
            }
            return fields
        }
        var content = [UInt8(size << 4 | size), 0]
        content += ISOBytes.number(located.count + newItems.count, hasLongIDs ? 4 : 2)
        for item in located {
            content += entry(
                item.id, item.construction,
                item.extents.map {
                    (item.construction == 0 ? moved($0.lowerBound) : $0.lowerBound - data, $0.count)
                })
        }
        for (index, id) in ids().enumerated() {
            content += entry(id, 0, [(positions[index], newItems[index].data.count)])
        }
        return ISOBytes.box("iloc", version: version, content)
    }

    private func references() -> [UInt8] {
        let idSize = hasLongIDs ? 4 : 2
        func entry(_ type: BoxType, _ from: Int, _ to: [Int]) -> [UInt8] {
            ISOBytes.box(
                type,
                ISOBytes.number(from, idSize) + ISOBytes.number(to.count, 2)
                    + to.flatMap { ISOBytes.number($0, idSize) })
        }
        var content: [UInt8] = []
        for reference in original?.references ?? [] where !dropped.contains(reference.from) {
            let to = reference.to.filter { !dropped.contains($0) }
            if !to.isEmpty { content += entry(reference.type, reference.from, to) }
        }
        if let primary = original?.primaryID { for id in ids() { content += entry("cdsc", id, [primary]) } }
        return content.isEmpty ? [] : ISOBytes.box("iref", version: hasLongIDs ? 1 : 0, content)
    }

    private func properties(_ box: ISOBox) -> [UInt8] {
        guard let original else { return [] }
        var container: [UInt8] = []
        for property in original.properties {
            if dropsProfiles, case .profile = property.value {
                // The indices of the other properties stay.
                container += ISOBytes.box("free", [])
            } else {
                container += bytes[property.box.range]
            }
        }
        let isWide = original.properties.count > 127
        let associated = kept.filter { !$0.associations.isEmpty }.sorted { $0.id < $1.id }
        var content = ISOBytes.number(associated.count, 4)
        for item in associated {
            // The count has eight bits.
            let associations = item.associations.prefix(255)
            content += ISOBytes.number(item.id, hasLongIDs ? 4 : 2) + [UInt8(associations.count)]
            for association in associations {
                let size = isWide ? 2 : 1
                let flag = association.isEssential ? 1 << (8 * size - 1) : 0
                content += ISOBytes.number(flag | (association.index + 1), size)
            }
        }
        return ISOBytes.box(
            "iprp",
            ISOBytes.box("ipco", container)
                + ISOBytes.box("ipma", version: hasLongIDs ? 1 : 0, flags: isWide ? 1 : 0, content))
    }

    /// Returns the box with zeros instead of the data of dropped items.
    private func itemData(_ box: ISOBox) -> [UInt8] {
        var data = Array(bytes[box.range])
        let items = original?.items.filter { $0.construction == 1 } ?? []
        let unused = ByteRanges(items.filter { dropped.contains($0.id) }.flatMap(\.extents))
            .subtracting(ByteRanges(items.filter { !dropped.contains($0.id) }.flatMap(\.extents)))
        for range in unused {
            for position in range where box.range.contains(position) { data[position - box.range.lowerBound] = 0 }
        }
        return data
    }
}
