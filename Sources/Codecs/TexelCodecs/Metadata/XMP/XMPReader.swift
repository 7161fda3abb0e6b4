/// Finds the properties of the image itself in a packet: attributes and children of the `rdf:Description` elements that
/// are direct children of `rdf:RDF`. The same names at deeper levels describe other images, such as ingredients.
struct XMPReader {
    struct Attribute {
        let property: XMPProperty
        /// The bytes between the quotes.
        let value: Range<Int>
        /// Includes the white space before the name.
        let extent: Range<Int>
    }

    struct Element {
        let property: XMPProperty
        let extent: Range<Int>
        /// The bytes between the tags.
        let content: Range<Int>
        /// Whether the element is `<name>text</name>` and nothing else.
        let isPlainText: Bool
    }

    /// The text of `dc:rights` in one language.
    struct Rights {
        let isDefault: Bool
        let content: Range<Int>
    }

    private(set) var attributes: [Attribute] = []
    private(set) var elements: [Element] = []
    private(set) var rights: [Rights] = []

    /// An element that is not closed yet.
    private struct Open {
        let rawName: Range<Int>
        let name: XMPProperty.Name
        let start: Int
        let contentStart: Int
        let prefixes: [ArraySlice<UInt8>]
        var isPlainText: Bool
        let language: Range<Int>?
    }

    private var open: [Open] = []
    /// The index of the outermost `rdf:RDF` in `open`. A nested one describes another image.
    private var root: Int?
    /// The namespaces bound to each prefix, innermost last.
    private var namespaces: [ArraySlice<UInt8>: [XMPProperty.Namespace]] = [:]
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(XMLScanner.Malformed) {
        self.bytes = bytes
        var scanner = XMLScanner(bytes)
        while let markup = try scanner.next() {
            switch markup {
            case .start(let name, let attributes, let extent, let isEmpty):
                enter(name, attributes, extent: extent)
                if isEmpty { try leave(name, extent: extent.upperBound..<extent.upperBound) }
            case .end(let name, let extent):
                try leave(name, extent: extent)
            case .other:
                markParentAsMixed()
            }
        }
        guard open.isEmpty else { throw XMLScanner.Malformed() }
    }

    private mutating func enter(_ rawName: Range<Int>, _ attributes: [XMLScanner.Attribute], extent: Range<Int>) {
        var prefixes: [ArraySlice<UInt8>] = []
        var language: Range<Int>?
        for attribute in attributes {
            let (prefix, local) = split(attribute.name)
            let isDefault = prefix.isEmpty && local.elementsEqual("xmlns".utf8)
            if isDefault || prefix.elementsEqual("xmlns".utf8) {
                let declared = isDefault ? [] : local
                namespaces[declared, default: []].append(XMPProperty.Namespace(uri: bytes[attribute.value]))
                prefixes.append(declared)
            } else if prefix.elementsEqual("xml".utf8), local.elementsEqual("lang".utf8) {
                language = attribute.value
            }
        }
        markParentAsMixed()
        let name = resolved(rawName)
        if name == .description, let root, root == open.count - 1 {
            for attribute in attributes {
                // An attribute without a prefix has no namespace; the default namespace does not apply to it.
                guard bytes[attribute.name].contains(UInt8(ascii: ":")),
                    let property = XMPProperty(resolved(attribute.name))
                else { continue }
                self.attributes.append(
                    Attribute(property: property, value: attribute.value, extent: attribute.extent))
            }
        }
        if name == .rdf, root == nil { root = open.count }
        open.append(
            Open(
                rawName: rawName, name: name, start: extent.lowerBound, contentStart: extent.upperBound,
                prefixes: prefixes, isPlainText: attributes.count == prefixes.count, language: language))
    }

    private mutating func leave(_ rawName: Range<Int>, extent: Range<Int>) throws(XMLScanner.Malformed) {
        guard let element = open.popLast(), bytes[element.rawName].elementsEqual(bytes[rawName]) else {
            throw XMLScanner.Malformed()
        }
        if root == open.count { root = nil }
        record(element, content: element.contentStart..<extent.lowerBound, end: extent.upperBound)
        for prefix in element.prefixes { _ = namespaces[prefix]?.popLast() }
    }

    private mutating func record(_ element: Open, content: Range<Int>, end: Int) {
        guard let root else { return }
        let path = open.dropFirst(root).prefix(5).map(\.name)
        if path == [.rdf, .description], let property = XMPProperty(element.name) {
            elements.append(
                Element(
                    property: property, extent: element.start..<end, content: content,
                    isPlainText: element.isPlainText))
        } else if path == [.rdf, .description, .rights, .alternatives], element.name == .item {
            let isDefault = element.language.map { bytes[$0].elementsEqual("x-default".utf8) } ?? false
            rights.append(Rights(isDefault: isDefault, content: content))
        }
    }

    /// Notes that the innermost open element contains more than text.
    private mutating func markParentAsMixed() {
        if !open.isEmpty { open[open.count - 1].isPlainText = false }
    }

    // MARK: Names

    private func split(_ name: Range<Int>) -> (prefix: ArraySlice<UInt8>, local: ArraySlice<UInt8>) {
        let whole = bytes[name]
        guard let colon = whole.firstIndex(of: UInt8(ascii: ":")) else { return ([], whole) }
        return (whole[..<colon], whole[(colon + 1)...])
    }

    private func resolved(_ name: Range<Int>) -> XMPProperty.Name {
        let (prefix, local) = split(name)
        // Longer names are not needed, and a malicious file could make copying them expensive.
        let text = local.count <= 32 ? String(decoding: local, as: UTF8.self) : ""
        return XMPProperty.Name(namespace: namespaces[prefix]?.last ?? .other, local: text)
    }
}

extension XMPProperty.Name {
    fileprivate static let rdf = Self(namespace: .rdf, local: "RDF")
    fileprivate static let description = Self(namespace: .rdf, local: "Description")
    fileprivate static let alternatives = Self(namespace: .rdf, local: "Alt")
    fileprivate static let item = Self(namespace: .rdf, local: "li")
    fileprivate static let rights = Self(namespace: .dublinCore, local: "rights")
}
