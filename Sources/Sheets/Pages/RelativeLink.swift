import PlatformLibc
import SystemPackage

/// Makes relative URLs from a page to other files, so that all can be moved together.
struct RelativeLink {
    /// The absolute path of the page's folder.
    private let folder: [FilePath.Component]
    private let workingDirectory: FilePath

    /// Creates links relative to a page.
    init(from page: FilePath) { self.init(from: page, workingDirectory: Self.currentDirectory()) }

    /// Creates links relative to a page, for a given working directory, which relative paths are resolved against.
    init(from page: FilePath, workingDirectory: FilePath) {
        self.workingDirectory = workingDirectory
        folder = Array(workingDirectory.pushing(page).lexicallyNormalized().removingLastComponent().components)
    }

    private static func currentDirectory() -> FilePath {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return FilePath(platformString: path)
    }

    /// Returns the URL of a file for `href` or `src`. All bytes except unreserved characters are percent-encoded,
    /// including non-ASCII ones, since file names need not be UTF-8.
    func address(of file: FilePath) -> String {
        let components = Array(workingDirectory.pushing(file).lexicallyNormalized().components)
        let shared = zip(folder, components).prefix { $0 == $1 }.count
        let ups = Array(repeating: "..", count: folder.count - shared)
        return (ups + components.dropFirst(shared).map(Self.encoded)).joined(separator: "/")
    }

    /// Percent-encodes all but the unreserved characters of RFC 3986, section 2.3.
    ///
    /// FoundationEssentials encodes strings only, which cannot hold every file name.
    private static func encoded(_ component: FilePath.Component) -> String {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        var result = String.UnicodeScalarView()
        component.withPlatformString { pointer in
            for byte in UnsafeBufferPointer(start: pointer, count: strlen(pointer)).map(UInt8.init(bitPattern:)) {
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: result.append(Unicode.Scalar(byte))
                default:
                    result.append("%")
                    result.append(digits[Int(byte >> 4)])
                    result.append(digits[Int(byte & 15)])
                }
            }
        }
        return String(result)
    }
}
