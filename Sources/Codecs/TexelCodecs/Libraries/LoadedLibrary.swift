import CCodecShims
package import TexelCore

/// A shared library that a codec loads when it is first used, so that it costs nothing before.
package struct LoadedLibrary: Sendable {
    private let name: String
    private let package: String
    private let load: @Sendable (UnsafeMutablePointer<CChar>) -> Bool
    private let version: @Sendable () -> String
    private let path: @Sendable () -> String

    /// - Parameters:
    ///   - name: such as "libwebp".
    ///   - package: the name of Debian's package.
    ///   - load: loads the library; on failure writes a reason of at most `TEXEL_CODEC_MESSAGE_SIZE` bytes.
    ///   - version: returns the version of the loaded library.
    ///   - path: returns the file of the loaded library.
    package init(
        _ name: String, package: String, load: @escaping @Sendable (UnsafeMutablePointer<CChar>) -> Bool,
        version: @escaping @Sendable () -> String, path: @escaping @Sendable () -> String
    ) {
        self.name = name
        self.package = package
        self.load = load
        self.version = version
        self.path = path
    }

    /// Lets libraries that are loaded later write messages of their own to standard error.
    package static func showMessages() { texel_library_show_messages() }

    /// Loads the library, unless it is loaded.
    ///
    /// - Throws: `missingLibrary`.
    package func require() throws(TexelError) {
        let (isLoaded, reason) = LibraryMessage.result(of: load)
        if !isLoaded { throw .missingLibrary(name, package: package, reason: reason) }
    }

    /// The library's version and file; loads it.
    package var description: LinkedLibrary {
        do throws(TexelError) {
            try require()
            return LinkedLibrary(name: name, version: version(), path: path())
        } catch {
            return LinkedLibrary(name: name, version: nil)
        }
    }
}
