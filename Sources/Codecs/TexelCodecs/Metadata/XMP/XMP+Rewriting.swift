public import TexelPixels

extension XMP {
    /// Returns the packet to write with pixels of the given size and orientation.
    ///
    /// - `none` and `color` keep no XMP.
    /// - `privacy` keeps only the copyright statement, dc:rights, in a new packet.
    /// - `all` corrects tiff:Orientation and the dimensions, removes outdated thumbnails, the descriptions of dropped
    ///   attachments and the reference to an extended packet, and keeps every other byte.
    ///
    /// - Parameters:
    ///   - policy: which properties are kept, as above.
    ///   - orientation: the transform from the written pixels to the displayed image.
    ///   - size: the size of the written pixels, as stored.
    ///   - keepsThumbnail: false if the pixels changed, because xmp:Thumbnails would show the old image.
    ///   - keepsAttachments: false if gain maps, videos and other images are dropped, because the packet would still
    ///     declare them.
    ///   - keepsDensity: false if the file gets another density, because tiff:XResolution would contradict it.
    /// - Returns: `nil` if the policy keeps no packet, or if the packet is not well-formed UTF-8 XML and so cannot be
    ///   corrected.
    public func rewritten(
        for policy: MetadataPolicy, orientation: Orientation, size: PixelSize, keepsThumbnail: Bool,
        keepsAttachments: Bool = true, keepsDensity: Bool = true
    ) -> [UInt8]? {
        switch policy {
        case .none, .color: nil
        case .privacy: reader.flatMap { rightsPacket($0) }
        case .all:
            corrected(
                removing: Set<XMPProperty>([.extensionNote])
                    .union(keepsThumbnail ? [] : [.thumbnails]).union(keepsAttachments ? [] : [.attachment])
                    .union(keepsDensity ? [] : [.density])
            ) { property in
                switch property {
                case .orientation: orientation.rawValue
                case .width: size.width
                case .height: size.height
                default: nil
                }
            }
        }
    }

    /// Returns the packet with another orientation, if it has one; all other bytes stay. For formats that store the
    /// orientation elsewhere.
    ///
    /// - Returns: `nil` for a malformed packet.
    package func corrected(orientation: Orientation) -> [UInt8]? {
        corrected(removing: []) { $0 == .orientation ? orientation.rawValue : nil }
    }

    /// Returns the packet without some properties, and with other numbers for those that have a `truth`; `nil` for a
    /// malformed packet.
    private func corrected(removing removed: Set<XMPProperty>, truth: (XMPProperty) -> Int?) -> [UInt8]? {
        guard let reader else { return nil }
        var edits: [(range: Range<Int>, replacement: String)] = []
        for attribute in reader.attributes {
            if let number = truth(attribute.property) {
                edits.append((attribute.value, "\(number)"))
            } else if removed.contains(attribute.property) {
                edits.append((attribute.extent, ""))
            }
        }
        for element in reader.elements {
            if let number = truth(element.property) {
                // A number in another form than plain text is legal but rare; it is removed, because it cannot be
                // corrected.
                if !element.isPlainText {
                    edits.append((element.extent, ""))
                } else if !element.content.isEmpty {
                    edits.append((element.content, "\(number)"))
                }
            } else if removed.contains(element.property) {
                edits.append((element.extent, ""))
            }
        }

        var result: [UInt8] = []
        var position = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += bytes[position..<edit.range.lowerBound]
            result += edit.replacement.utf8
            position = edit.range.upperBound
        }
        return result + bytes[position...]
    }
}

// MARK: Copyright

extension XMP {
    /// The maximum size of a copyright statement, in bytes; real statements are shorter.
    private static let maximumRightsSize = 2048

    private func rightsPacket(_ reader: XMPReader) -> [UInt8]? {
        guard let rights = reader.rights.first(where: \.isDefault) ?? reader.rights.first,
            rights.content.count <= Self.maximumRightsSize,
            bytes[rights.content].contains(where: { !XMLScanner.isSpace($0) }),
            let text = String(validating: bytes[rights.content], as: UTF8.self), Self.isPlain(text)
        else { return nil }
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:rights><rdf:Alt>\
            <rdf:li xml:lang="x-default">\(text)</rdf:li>\
            </rdf:Alt></dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>
            """
        // The packet wrapper (XMP specification part 1, 7.3.2); its begin attribute holds a byte order mark.
        let begin = "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
        return Array("\(begin)\(packet)<?xpacket end=\"w\"?>".utf8)
    }

    /// Whether the text has the same meaning in every XML document: no markup, no control characters, and no entities
    /// except the five that XML predefines.
    private static func isPlain(_ text: String) -> Bool {
        let isAllowed = text.unicodeScalars.allSatisfy {
            ($0.properties.generalCategory != .control || "\t\n\r".unicodeScalars.contains($0)) && $0 != "<"
        }
        let entities = text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).dropFirst()
        return isAllowed
            && entities.allSatisfy { tail in
                ["amp;", "lt;", "gt;", "quot;", "apos;"].contains { tail.starts(with: $0.utf8) }
            }
    }
}
