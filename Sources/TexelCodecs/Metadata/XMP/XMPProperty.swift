/// The properties that Texel reads or corrects (XMP specification part 2).
enum XMPProperty: Hashable {
    case orientation, width, height, density, thumbnails, extensionNote, rights

    /// The namespaces of these properties, and RDF's own.
    enum Namespace: Hashable {
        case rdf, tiff, exif, xmp, xmpNote, dublinCore, other

        init(uri: ArraySlice<UInt8>) {
            self =
                switch String(decoding: uri.prefix(64), as: UTF8.self) {
                case "http://www.w3.org/1999/02/22-rdf-syntax-ns#": .rdf
                case "http://ns.adobe.com/tiff/1.0/": .tiff
                case "http://ns.adobe.com/exif/1.0/": .exif
                case "http://ns.adobe.com/xap/1.0/": .xmp
                case "http://ns.adobe.com/xmp/note/": .xmpNote
                case "http://purl.org/dc/elements/1.1/": .dublinCore
                default: .other
                }
        }
    }

    /// A name with its prefix resolved to a namespace.
    struct Name: Hashable {
        let namespace: Namespace
        let local: String
    }

    init?(_ name: Name) {
        switch (name.namespace, name.local) {
        case (.tiff, "Orientation"): self = .orientation
        case (.tiff, "ImageWidth"), (.exif, "PixelXDimension"): self = .width
        case (.tiff, "ImageLength"), (.exif, "PixelYDimension"): self = .height
        case (.tiff, "XResolution"), (.tiff, "YResolution"), (.tiff, "ResolutionUnit"): self = .density
        case (.xmp, "Thumbnails"): self = .thumbnails
        case (.xmpNote, "HasExtendedXMP"): self = .extensionNote
        case (.dublinCore, "rights"): self = .rights
        default: return nil
        }
    }
}
