package import TexelPixels

/// The colour profile of a file, after the check that it describes the file's pixels. Every profile that is read from
/// a file passes this check, so that all commands and formats agree on it: a profile that fails is neither used nor
/// written, and the file gets one warning (``ImageInfo/colorFault``).
package struct EmbeddedProfile: Sendable, Hashable {
    /// The profile that is used; `nil` without one.
    package let profile: ICCProfile?
    /// Why the file's profile is not used; `nil` if it is, or if the file has none.
    package let fault: String?

    /// A file without a profile.
    package static let absent = EmbeddedProfile(profile: nil, fault: nil)

    /// A profile of which parts are missing.
    package static let damaged = EmbeddedProfile(
        profile: nil, fault: "the colour profile is damaged or truncated and was ignored")

    private init(profile: ICCProfile?, fault: String?) { (self.profile, self.fault) = (profile, fault) }

    /// Checks a profile.
    ///
    /// - Parameters:
    ///   - bytes: the whole profile.
    ///   - models: the colour models that fit the file's pixels.
    package init(_ bytes: [UInt8], for models: Set<ICCProfile.ColorModel>) {
        // The header begins with the size. Other readers refuse profiles of another size, so that bytes after it, which
        // some writers add, are left out.
        let size = bytes.count < 4 ? 0 : bytes.bigEndian(4, at: 0)
        guard size <= bytes.count, let profile = ICCProfile(Array(bytes.prefix(size))) else {
            self = .damaged
            return
        }
        guard models.contains(profile.colorModel) else {
            self.init(profile: nil, fault: "the colour profile does not fit the pixels and was ignored")
            return
        }
        self = profile.isUsable ? EmbeddedProfile(profile: profile, fault: nil) : .damaged
    }

    /// The colour space of pixels with this profile.
    ///
    /// - Parameter other: the colour space if no profile is used.
    package func colorSpace(orElse other: ColorSpace = .sRGB) -> ColorSpace {
        profile.map { .iccProfile($0) } ?? other
    }
}
