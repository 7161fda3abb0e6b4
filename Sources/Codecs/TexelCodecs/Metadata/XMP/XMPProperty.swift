/// The properties that Texel reads or corrects (XMP specification part 2).
enum XMPProperty: Hashable {
    case orientation, width, height, density, thumbnails, extensionNote, rights
    /// Describes an ``ImageAttachment``: that it exists, where it begins, how it is applied.
    case attachment

    /// The namespaces of these properties, and RDF's own.
    enum Namespace: Hashable {
        case rdf, tiff, exif, xmp, xmpNote, dublinCore, camera, attachment, other

        init(uri: ArraySlice<UInt8>) {
            self =
                switch String(decoding: uri.prefix(64), as: UTF8.self) {
                case "http://www.w3.org/1999/02/22-rdf-syntax-ns#": .rdf
                case "http://ns.adobe.com/tiff/1.0/": .tiff
                case "http://ns.adobe.com/exif/1.0/": .exif
                case "http://ns.adobe.com/xap/1.0/": .xmp
                case "http://ns.adobe.com/xmp/note/": .xmpNote
                case "http://purl.org/dc/elements/1.1/": .dublinCore
                // Google's and Adobe's Ultra HDR, Apple's gain maps, and the depth maps of Google's Dynamic Depth.
                case "http://ns.adobe.com/hdr-gain-map/1.0/", "http://ns.apple.com/HDRGainMap/1.0/",
                    "http://ns.google.com/photos/1.0/container/", "http://ns.google.com/photos/1.0/container/item/",
                    "http://ns.google.com/photos/dd/1.0/device/", "http://ns.google.com/photos/dd/1.0/container/":
                    .attachment
                // The cameras of Google and others that use its motion photos.
                case "http://ns.google.com/photos/1.0/camera/", "http://ns.oplus.com/photos/1.0/camera/": .camera
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
        case (.attachment, _): self = .attachment
        case (.camera, let name) where name.contains("MotionPhoto") || name.contains("MicroVideo"): self = .attachment
        case (.camera, "OLivePhotoVersion"), (.camera, "VideoLength"): self = .attachment
        default: return nil
        }
    }
}
