/// The meaning of an image's colour bytes.
public enum ColorSpace: Sendable, Hashable, Codable {
    /// IEC 61966-2-1; assumed if a file does not specify its colours.
    case sRGB
    /// A transfer exponent and primaries without a profile, as PNG's gAMA and cHRM chunks give them.
    case calibrated(Calibration)
    /// Code points of ITU-T H.273.
    case codePoints(CICP)
    /// An ICC profile, which is kept with the pixels.
    case iccProfile(ICCProfile)
}

extension ColorSpace {
    /// Display P3: the primaries of DCI-P3 with the white point D65 and the transfer curve of sRGB (SMPTE EG 432-1).
    public static let displayP3 = CICP(primaries: 12, transfer: 13).map(ColorSpace.codePoints) ?? .sRGB

    /// Such as "sRGB", "Display P3", "BT.2020, PQ" or "calibrated, gamma 1/2.2"; the name of a profile, or "ICC
    /// profile" if it has none.
    public var name: String {
        switch self {
        case .sRGB: "sRGB"
        case .calibrated(let calibration):
            "calibrated" + (calibration.gamma.map { ", gamma 1/\(Double(100_000) / Double($0))" } ?? "")
        case .codePoints(let points): points.name
        case .iccProfile(let profile): profile.name ?? "ICC profile"
        }
    }
}

/// PNG's description of a display: gAMA and cHRM (PNG specification, third edition, 11.3.2).
public struct Calibration: Sendable, Hashable, Codable {
    /// CIE xy chromaticities, each × 100,000.
    public struct Chromaticities: Sendable, Hashable, Codable {
        /// The white point: x, y.
        public var white: [Int32]
        /// The primary red: x, y.
        public var red: [Int32]
        /// The primary green: x, y.
        public var green: [Int32]
        /// The primary blue: x, y.
        public var blue: [Int32]

        /// Creates chromaticities from (x, y) pairs × 100,000.
        public init(white: (Int32, Int32), red: (Int32, Int32), green: (Int32, Int32), blue: (Int32, Int32)) {
            self.white = [white.0, white.1]
            self.red = [red.0, red.1]
            self.green = [green.0, green.1]
            self.blue = [blue.0, blue.1]
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let numbers = try container.decode([Int32].self)
            guard numbers.count == 8 else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected eight numbers")
            }
            self.init(
                white: (numbers[0], numbers[1]), red: (numbers[2], numbers[3]), green: (numbers[4], numbers[5]),
                blue: (numbers[6], numbers[7]))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(coordinates)
        }

        /// White, red, green, blue, x before y: the order of PNG's cHRM chunk.
        package var coordinates: [Int32] { white + red + green + blue }

        /// The primaries of sRGB and the white point D65.
        public static let sRGB = Chromaticities(
            white: (31270, 32900), red: (64000, 33000), green: (30000, 60000), blue: (15000, 6000))
    }

    /// The file's exponent × 100,000: 45,455 is 1/2.2. `nil` if only primaries are given.
    public var gamma: UInt32?
    /// The white point and primaries; `nil` if only the exponent is given.
    public var chromaticities: Chromaticities?

    /// Creates a calibration; missing values count as sRGB's.
    public init(gamma: UInt32?, chromaticities: Chromaticities?) {
        self.gamma = gamma
        self.chromaticities = chromaticities
    }
}
