import CLittleCMS

/// The library for colour conversion.
package enum LittleCMS {
    /// The version of the loaded library, such as 2.14 or 2.13.1.
    package static var version: String {
        // Encoded as 1000 × major + 10 × minor + patch.
        let encoded = cmsGetEncodedCMMversion()
        let version = "\(encoded / 1000).\(encoded % 1000 / 10)"
        return encoded % 10 == 0 ? version : "\(version).\(encoded % 10)"
    }
}
