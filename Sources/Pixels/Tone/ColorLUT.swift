/// A table of colours, as editors store looks in: one curve for each channel, or a cube of colours.
///
/// Colours between the entries are interpolated, and those outside of the domain are moved to its border. Values are
/// from 0 (black) to 1, as stored; no transfer curve is undone.
public struct ColorLUT: Sendable {
    /// The arrangement of the entries.
    public enum Shape: String, Sendable, Codable {
        /// Each channel has a curve of its own.
        case curves
        /// Each entry is the result for a colour: red changes fastest, then green, then blue.
        case cube

        /// The numbers of entries on an axis that are allowed, as in the specification of `.cube` files.
        public var sizes: ClosedRange<Int> {
            switch self {
            case .curves: 2...65_536
            case .cube: 2...256
            }
        }
    }

    /// The colours from which and up to which the entries reach, for each of red, green and blue.
    struct Domain: Sendable, Hashable {
        var lower: [Float] = [0, 0, 0]
        var upper: [Float] = [1, 1, 1]

        /// Whether each channel reaches from a finite number to a larger one.
        var isValid: Bool {
            lower.count == 3 && upper.count == 3
                && zip(lower, upper).allSatisfy { $0 < $1 && $0.isFinite && $1.isFinite && ($1 - $0).isFinite }
        }
    }

    /// The title, if there is one.
    public let title: String?
    /// The arrangement of the entries.
    public let shape: Shape
    /// The number of entries on an axis.
    public let size: Int
    let domain: Domain
    /// Red, green and blue of all entries.
    let values: [Float]

    /// - Parameters:
    ///   - size: one of the sizes of the shape.
    ///   - domain: valid.
    ///   - values: finite numbers, three for each entry.
    init(title: String?, shape: Shape, size: Int, domain: Domain, values: [Float]) {
        precondition(values.count == 3 * Self.entryCount(shape, size) && domain.isValid, "the table is not complete")
        self.title = title
        self.shape = shape
        self.size = size
        self.domain = domain
        self.values = values
    }

    /// The number of entries of a table of a valid size.
    static func entryCount(_ shape: Shape, _ size: Int) -> Int { shape == .curves ? size : size * size * size }

    /// Returns the place of a value on an axis, from 0 to the last entry.
    func place(of value: Double, channel: Int) -> Double {
        let (lower, upper) = (Double(domain.lower[channel]), Double(domain.upper[channel]))
        return min(max((value - lower) / (upper - lower), 0), 1) * Double(size - 1)
    }

    /// Returns the result of the curve of a channel (0 for red), interpolated linearly.
    func curveValue(_ value: Double, channel: Int) -> Double {
        let place = place(of: value, channel: channel)
        let index = min(Int(place), size - 2)
        let (low, high) = (Double(values[index * 3 + channel]), Double(values[index * 3 + 3 + channel]))
        return low + (high - low) * (place - Double(index))
    }

    /// The changes of colours that apply the curves; `nil` if the table is a cube.
    package var curves: ColorChange? {
        guard shape == .curves else { return nil }
        return .curves(
            { curveValue($0, channel: 0) }, { curveValue($0, channel: 1) }, { curveValue($0, channel: 2) })
    }

    /// The bits of all numbers that decide about colours, in the same order on every machine. Negative zero counts as
    /// zero, because they are equal.
    package var contents: [UInt8] {
        (domain.lower + domain.upper + values).map { ($0 == 0 ? 0 : $0).bitPattern.littleEndian }
            .withUnsafeBytes(Array.init)
    }
}

extension ColorLUT: Hashable {
    /// Tables are equal if they give the same colours from the same numbers; the title is ignored.
    public static func == (a: ColorLUT, b: ColorLUT) -> Bool {
        a.shape == b.shape && a.size == b.size && a.domain == b.domain && a.values == b.values
    }

    /// Hashes the domain, and some of the entries of large tables.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(shape)
        hasher.combine(size)
        hasher.combine(domain)
        for index in stride(from: 0, to: values.count, by: max(1, values.count / 100)) { hasher.combine(values[index]) }
    }
}

extension ColorLUT: Codable {
    private enum Key: String, CodingKey { case title, shape, size, domainMinimum, domainMaximum, values }

    /// Writes the shape, the size, the domain and all values.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(title, forKey: .title)
        try container.encode(shape, forKey: .shape)
        try container.encode(size, forKey: .size)
        try container.encode(domain.lower, forKey: .domainMinimum)
        try container.encode(domain.upper, forKey: .domainMaximum)
        try container.encode(values, forKey: .values)
    }

    /// Reads a table, and checks that it is complete.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let shape = try container.decode(Shape.self, forKey: .shape)
        let size = try container.decode(Int.self, forKey: .size)
        guard shape.sizes.contains(size) else {
            throw DecodingError.dataCorruptedError(
                forKey: .size, in: container,
                debugDescription: "not from \(shape.sizes.lowerBound) to "
                    + "\(shape.sizes.upperBound)")
        }
        let domain = Domain(
            lower: try container.decode([Float].self, forKey: .domainMinimum),
            upper: try container.decode([Float].self, forKey: .domainMaximum))
        guard domain.isValid else {
            throw DecodingError.dataCorruptedError(
                forKey: .domainMaximum, in: container, debugDescription: "not more than the minimum")
        }
        let values = try container.decode([Float].self, forKey: .values)
        guard values.count == 3 * Self.entryCount(shape, size), values.allSatisfy(\.isFinite) else {
            throw DecodingError.dataCorruptedError(
                forKey: .values, in: container, debugDescription: "not three finite numbers for each entry")
        }
        self.init(
            title: try container.decodeIfPresent(String.self, forKey: .title), shape: shape, size: size,
            domain: domain, values: values)
    }
}
