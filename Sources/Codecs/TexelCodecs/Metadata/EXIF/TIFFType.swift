/// The type of an entry's value (TIFF 6.0, section 2; CIPA DC-008, 4.6.2).
package enum TIFFType: UInt16, Sendable, Hashable {
    case byte = 1
    case ascii = 2
    case short = 3
    case long = 4
    case rational = 5
    case signedByte = 6
    case undefined = 7
    case signedShort = 8
    case signedLong = 9
    case signedRational = 10
    case float = 11
    case double = 12
    /// IFD: a LONG that points to a directory (TIFF technical note 1).
    case directory = 13
    /// New in EXIF 3.0.
    case utf8 = 129

    /// The size of one element in bytes.
    package var size: Int {
        switch self {
        case .byte, .ascii, .signedByte, .undefined, .utf8: 1
        case .short, .signedShort: 2
        case .long, .signedLong, .float, .directory: 4
        case .rational, .signedRational, .double: 8
        }
    }
}
