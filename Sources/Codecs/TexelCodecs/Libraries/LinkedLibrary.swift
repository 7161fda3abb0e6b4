/// A C library that Texel uses, with its version, for bug reports.
public struct LinkedLibrary: Sendable, Hashable {
    /// The name of the library, such as "libpng".
    public let name: String
    /// The version, as the library writes it; `nil` if the library is loaded when it is first used and is not
    /// installed.
    public let version: String?
    /// The file from which the library was loaded; `nil` if it is linked to the program.
    public let path: String?

    /// Creates a description of a library.
    public init(name: String, version: String?, path: String? = nil) {
        self.name = name
        self.version = version
        self.path = path
    }
}
