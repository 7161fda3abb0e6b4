// Packets of more than 64 KiB in JPEGs: the largest properties are in a second packet, the extension, which the first
// one refers to by its MD5 digest (XMP specification part 3, 1.1.3.1).

extension XMP {
    /// The name of the extension that the packet refers to; `nil` if it has none.
    package var extensionName: String? {
        guard let reader else { return nil }
        let attributes = reader.attributes.filter { $0.property == .extensionNote }.map(\.value)
        let elements = reader.elements.filter { $0.property == .extensionNote && $0.isPlainText }.map(\.content)
        return (attributes + elements).first.map { range in
            String(decoding: bytes[range].filter { !XMLScanner.isSpace($0) }.prefix(64), as: UTF8.self)
        }
    }

    /// Returns one packet with the properties of this one and of its extension; `nil` if one of them is malformed.
    func joined(with extended: [UInt8]) -> XMP? {
        guard !bytes.contains(0), !extended.contains(0), let own = try? XMPDescriptions(bytes),
            let content = own.content, let other = try? XMPDescriptions(extended), other.content != nil
        else { return nil }
        // Descriptions whose properties were moved, and the one that only refers to the extension.
        let empty = own.descriptions.filter { description in
            description.elements.isEmpty && own.localName(description.name).elementsEqual("Description".utf8)
                && description.attributes.allSatisfy { attribute in
                    !isProperty(attribute, in: own)
                        || own.localName(attribute.name).elementsEqual("HasExtendedXMP".utf8)
                }
        }
        var joined = prefix(content.upperBound, without: empty.map(\.extent))
        for description in other.descriptions {
            joined += other.opening(description)
            joined += extended[description.name.upperBound..<description.extent.upperBound]
        }
        return XMP(joined + bytes[content.upperBound...])
    }

    /// A property that can move to the extension.
    private struct Property {
        /// The index of its description.
        let description: Int
        let range: Range<Int>
        let isElement: Bool
    }

    /// Splits a packet into one of at most `limit` bytes and its extension, to which it refers. The largest properties
    /// move first.
    ///
    /// - Returns: `nil` if the packet is malformed, or is too large without its properties.
    package func split(limit: Int) -> (packet: [UInt8], extended: [UInt8])? {
        guard !bytes.contains(0), let whole = try? XMPDescriptions(bytes), let content = whole.content else {
            return nil
        }
        var properties: [Property] = []
        for (index, description) in whole.descriptions.enumerated() {
            for attribute in description.attributes where isProperty(attribute, in: whole) {
                properties.append(Property(description: index, range: attribute.extent, isElement: false))
            }
            for element in description.elements {
                properties.append(Property(description: index, range: element, isElement: true))
            }
        }
        var count = bytes.count + note("", whole).count + MD5.nameLength
        var moved: [Property] = []
        for property in properties.sorted(by: { $0.range.count > $1.range.count }) {
            if count <= limit { break }
            moved.append(property)
            count -= property.range.count
        }
        guard count <= limit else { return nil }
        moved.sort { $0.range.lowerBound < $1.range.lowerBound }

        let extended = extensionPacket(moved, of: whole)
        let packet = prefix(content.upperBound, without: moved.map(\.range))
        return (packet + note(MD5.name(of: extended), whole) + bytes[content.upperBound...], extended)
    }

    /// The bytes before `end` that are not in these ranges, which are sorted and do not overlap.
    private func prefix(_ end: Int, without ranges: [Range<Int>]) -> [UInt8] {
        var kept: [UInt8] = []
        var position = 0
        for range in ranges {
            kept += bytes[position..<range.lowerBound]
            position = range.upperBound
        }
        return kept + bytes[position..<end]
    }

    private func extensionPacket(_ moved: [Property], of whole: XMPDescriptions) -> [UInt8] {
        let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        var packet = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(rdf)\">".utf8)
        let groups = Dictionary(grouping: moved, by: \.description)
        for (index, description) in whole.descriptions.enumerated() {
            guard let group = groups[index] else { continue }
            packet += whole.opening(description)
            for attribute in description.attributes where !isProperty(attribute, in: whole) {
                packet += bytes[attribute.extent]
            }
            for property in group where !property.isElement { packet += bytes[property.range] }
            packet += ">".utf8
            for property in group where property.isElement { packet += bytes[property.range] }
            packet += "</".utf8
            packet += bytes[description.name]
            packet += ">".utf8
        }
        return packet + Array("</rdf:RDF></x:xmpmeta>".utf8)
    }

    /// Whether an attribute of a description is a property, and not a namespace, the resource, or XML's own.
    private func isProperty(_ attribute: XMLScanner.Attribute, in whole: XMPDescriptions) -> Bool {
        let name = bytes[attribute.name]
        return name.contains(UInt8(ascii: ":")) && !whole.isDeclaration(attribute) && !name.starts(with: "xml:".utf8)
            && !whole.localName(attribute.name).elementsEqual("about".utf8)
    }

    /// The description that refers to an extension.
    private func note(_ name: String, _ whole: XMPDescriptions) -> [UInt8] {
        let about = whole.descriptions.first?.attributes.first {
            whole.localName($0.name).elementsEqual("about".utf8)
        }
        let start = "<rdf:Description xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" rdf:about="
        let end = " xmlns:xmpNote=\"http://ns.adobe.com/xmp/note/\" xmpNote:HasExtendedXMP=\"\(name)\"/>"
        // With its quotes.
        let resource = about.map { Array(bytes[($0.value.lowerBound - 1)...$0.value.upperBound]) }
        return Array(start.utf8) + (resource ?? Array("\"\"".utf8)) + Array(end.utf8)
    }
}
