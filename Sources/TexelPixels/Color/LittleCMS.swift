import CLittleCMS

/// The library that converts colours.
package enum LittleCMS {
    /// Of the library that is loaded, as it writes it: 2.14, 2.13.1.
    package static var version: String {
        // Thousands, two digits, one digit.
        let encoded = cmsGetEncodedCMMversion()
        let version = "\(encoded / 1000).\(encoded % 1000 / 10)"
        return encoded % 10 == 0 ? version : "\(version).\(encoded % 10)"
    }
}
