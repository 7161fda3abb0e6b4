/// The descriptions of the image in a packet: the `rdf:Description` elements that are direct children of `rdf:RDF`, and
/// their properties, as ranges of the packet.
struct XMPDescriptions {
    struct Description {
        /// The name with its prefix, as written.
        let name: Range<Int>
        let attributes: [XMLScanner.Attribute]
        /// The properties that are elements.
        fileprivate(set) var elements: [Range<Int>] = []
        /// From the start of its start tag to the end of its end tag.
        fileprivate(set) var extent: Range<Int>
    }

    private(set) var descriptions: [Description] = []
    /// The content of `rdf:RDF`; `nil` in a packet without one.
    private(set) var content: Range<Int>?
    /// The namespace declarations of `rdf:RDF` and of the elements around it; an inner one replaces an outer one.
    private var declarations: [XMLScanner.Attribute] = []

    /// An element that is not closed yet.
    private struct Open {
        let name: Range<Int>
        let attributes: [XMLScanner.Attribute]
        let start: Int
        let contentStart: Int
    }

    private var open: [Open] = []
    /// The number of open elements around a description; `nil` outside of `rdf:RDF`.
    private var depth: Int?
    private let bytes: [UInt8]

    /// The largest number of attributes of `rdf:RDF` and of the elements around it: they have few, and each is compared
    /// with others.
    private static let maximumOuterAttributes = 64

    /// - Throws: `Malformed` also for a second `rdf:RDF`.
    init(_ bytes: [UInt8]) throws(XMLScanner.Malformed) {
        self.bytes = bytes
        var scanner = XMLScanner(bytes)
        while let markup = try scanner.next() {
            switch markup {
            case .start(let name, let attributes, let extent, let isEmpty):
                try enter(name, attributes, extent)
                if isEmpty { try leave(name, extent.upperBound..<extent.upperBound) }
            case .end(let name, let extent): try leave(name, extent)
            case .other: break
            }
        }
        guard open.isEmpty else { throw XMLScanner.Malformed() }
    }

    private mutating func enter(
        _ name: Range<Int>, _ attributes: [XMLScanner.Attribute], _ extent: Range<Int>
    ) throws(XMLScanner.Malformed) {
        if depth == nil, localName(name).elementsEqual("RDF".utf8) {
            let outer = open.flatMap(\.attributes) + attributes
            guard content == nil, outer.count <= Self.maximumOuterAttributes else { throw XMLScanner.Malformed() }
            if isRDF(name, outer) {
                declare(outer)
                depth = open.count + 1
            }
        } else if open.count == depth {
            descriptions.append(Description(name: name, attributes: attributes, extent: extent))
        }
        open.append(
            Open(name: name, attributes: attributes, start: extent.lowerBound, contentStart: extent.upperBound))
    }

    private mutating func leave(_ name: Range<Int>, _ extent: Range<Int>) throws(XMLScanner.Malformed) {
        guard let element = open.popLast(), bytes[element.name].elementsEqual(bytes[name]) else {
            throw XMLScanner.Malformed()
        }
        guard let depth else { return }
        let whole = element.start..<extent.upperBound
        if open.count == depth - 1 {
            content = element.contentStart..<extent.lowerBound
            self.depth = nil
        } else if open.count == depth {
            descriptions[descriptions.count - 1].extent = whole
        } else if open.count == depth + 1 {
            descriptions[descriptions.count - 1].elements.append(whole)
        }
    }

    // MARK: Names

    /// A name without its prefix.
    func localName(_ name: Range<Int>) -> ArraySlice<UInt8> {
        let whole = bytes[name]
        return whole.firstIndex(of: UInt8(ascii: ":")).map { whole[($0 + 1)...] } ?? whole
    }

    func isDeclaration(_ attribute: XMLScanner.Attribute) -> Bool {
        let name = bytes[attribute.name]
        return name.elementsEqual("xmlns".utf8) || name.starts(with: "xmlns:".utf8)
    }

    /// Whether the prefix of a name is bound to the namespace of RDF.
    private func isRDF(_ name: Range<Int>, _ declarations: [XMLScanner.Attribute]) -> Bool {
        let prefix = bytes[name].dropLast(localName(name).count + 1)
        let declaration = Array("xmlns".utf8) + (prefix.isEmpty ? [] : [UInt8(ascii: ":")] + prefix)
        let binding = declarations.last { bytes[$0.name].elementsEqual(declaration) }
        return binding.map { XMPProperty.Namespace(uri: bytes[$0.value]) == .rdf } ?? false
    }

    private mutating func declare(_ attributes: [XMLScanner.Attribute]) {
        for attribute in attributes where isDeclaration(attribute) {
            declarations.removeAll { bytes[$0.name].elementsEqual(bytes[attribute.name]) }
            declarations.append(attribute)
        }
    }

    /// The start tag of a description up to its name, and all declarations that apply to it and are not its own.
    func opening(_ description: Description) -> [UInt8] {
        let own = description.attributes.filter { isDeclaration($0) }.map { bytes[$0.name] }
        let inherited = declarations.filter { declaration in
            !own.contains { $0.elementsEqual(bytes[declaration.name]) }
        }
        return [UInt8(ascii: "<")] + bytes[description.name] + inherited.flatMap { bytes[$0.extent] }
    }
}
