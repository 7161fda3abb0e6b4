import TexelCodecs

/// Finds what an AVIF file holds besides its image.
enum AVIFAttachments {
    /// Returns the attachments of a file whose structure has been read to the end.
    static func attachments(of container: ISOMediaFile) -> Set<ImageAttachment> {
        var attachments: Set<ImageAttachment> = []
        if let meta = container.meta {
            if meta.items.contains(where: { $0.type == "tmap" }) { attachments.insert(.gainMap) }
            if !container.isSequence, hasOtherImage(meta) { attachments.insert(.image) }
        }
        // A still image may come with a sequence; players show sound and video.
        let tracks = container.movie?.tracks ?? []
        if container.isSequence ? tracks.contains(where: { $0.handler == "soun" }) : !tracks.isEmpty {
            attachments.insert(.video)
        }
        return attachments
    }

    /// Whether there is an image that is displayed by itself: not a cell, a preview, or a part of another one.
    private static func hasOtherImage(_ meta: ISOMeta) -> Bool {
        var parts: Set<Int> = []
        for reference in meta.references {
            switch reference.type {
            case "dimg": parts.formUnion(reference.to)
            case "thmb", "auxl", "cdsc": parts.insert(reference.from)
            default: break
            }
        }
        return meta.items.contains { item in
            ["av01", "grid", "iovl"].contains(item.type) && item.id != meta.primaryID && !item.isHidden
                && !parts.contains(item.id)
        }
    }
}
