/// Which metadata a written picture keeps.
public enum MetadataPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing; the pixels are converted to sRGB first, so that colours do not shift.
    case none
    /// The colour profile and the pixel density.
    case color
    /// `color`, and what a person wants kept: date, copyright, camera, lens, exposure. No place, serial number,
    /// owner's name, thumbnail or maker note.
    case privacy
    /// Everything that is still true for the pixels written.
    case all
}
