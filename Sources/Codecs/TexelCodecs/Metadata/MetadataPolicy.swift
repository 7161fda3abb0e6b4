/// Selects the metadata that a written image keeps.
public enum MetadataPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing. The pixels are converted to sRGB first, so that the colours stay the same.
    case none
    /// The colour profile and the pixel density.
    case color
    /// `color`, and date, copyright, camera, lens and exposure. No location, serial number, owner's name, thumbnail or
    /// maker note.
    case privacy
    /// Everything that is still correct for the written pixels.
    case all
}
