/// Finds what a file holds besides its image.
package enum ISOAttachments {
    /// The types of auxiliary images that are gain maps of phones from before `tmap`.
    private static let gainMapTypes: Set = ["urn:com:apple:photo:2020:aux:hdrgainmap"]

    /// Returns the attachments of a file whose structure has been read to the end.
    ///
    /// - Parameter coding: the type of coded images, such as "av01".
    package static func attachments(of container: ISOMediaFile, coding: BoxType) -> Set<ImageAttachment> {
        var attachments: Set<ImageAttachment> = []
        if let meta = container.meta {
            if meta.items.contains(where: { $0.type == "tmap" || isGainMap($0, meta) }) { attachments.insert(.gainMap) }
            if !container.isSequence, hasOtherImage(meta, coding) { attachments.insert(.image) }
        }
        // A still image may come with a sequence; players show sound and video.
        let tracks = container.movie?.tracks ?? []
        if container.isSequence ? tracks.contains(where: { $0.handler == "soun" }) : !tracks.isEmpty {
            attachments.insert(.video)
        }
        return attachments
    }

    private static func isGainMap(_ item: ISOItem, _ meta: ISOMeta) -> Bool {
        guard case .auxiliaryType(let type)? = meta.property("auxC", of: item)?.value else { return false }
        return gainMapTypes.contains(type)
    }

    /// Whether there is an image that is displayed by itself: not a cell, a preview, or a part of another one.
    private static func hasOtherImage(_ meta: ISOMeta, _ coding: BoxType) -> Bool {
        var parts: Set<Int> = []
        for reference in meta.references {
            switch reference.type {
            case "dimg": parts.formUnion(reference.to)
            case "thmb", "auxl", "cdsc": parts.insert(reference.from)
            default: break
            }
        }
        return meta.items.contains { item in
            [coding, "grid", "iovl"].contains(item.type) && item.id != meta.primaryID && !item.isHidden
                && !parts.contains(item.id)
        }
    }
}
