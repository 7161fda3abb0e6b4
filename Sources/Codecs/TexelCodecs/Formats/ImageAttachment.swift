/// Something that a file holds besides its image, and that is lost if the image is encoded again.
public enum ImageAttachment: String, Sendable, Hashable, Codable, CaseIterable {
    /// A gain map, from which a viewer makes an image of high dynamic range.
    case gainMap = "gain map"
    /// The video of a motion photo.
    case video
    /// Another image, such as one of a stereo pair. Previews of the same image are not reported.
    case image
}
