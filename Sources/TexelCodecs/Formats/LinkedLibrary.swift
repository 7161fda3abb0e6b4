/// A library that Texel links, with its version, for bug reports.
public struct LinkedLibrary: Sendable, Hashable {
    /// The name of the library, such as "libpng".
    public let name: String
    /// The version, as the library writes it.
    public let version: String

    /// Creates a description of a library.
    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}
