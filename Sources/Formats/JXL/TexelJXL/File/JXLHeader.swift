import TexelCodecs
import TexelCore
import TexelPixels

/// The header of a codestream, as far as Texel needs it (ISO/IEC 18181-1, annex D).
struct JXLHeader: Sendable {
    /// The colours of the image, as the header gives them.
    enum Colors: Sendable, Hashable {
        /// Numbers that Texel knows in the terms of ITU-T H.273.
        case known(ColorSpace)
        /// Other numbers, from which libjxl can make a profile.
        case other
        /// An ICC profile.
        case profile
    }

    /// How a frame is coded.
    enum Coding: String, Sendable, Hashable {
        case varDCT = "VarDCT"
        case modular = "Modular"
    }

    struct Animation: Sendable, Hashable {
        /// Ticks per second, as a fraction.
        var numerator: Int
        var denominator: Int
        var playCount: Int
    }

    private(set) var size: PixelSize
    private(set) var orientation = Orientation.identity
    private(set) var animation: Animation?
    private(set) var bitDepth = 8
    private(set) var isFloat = false
    private(set) var hasAlpha = false
    /// Whether there is a channel of black, so that the others are inks.
    private(set) var hasBlack = false
    private(set) var extraChannelCount = 0
    private(set) var isGray = false
    /// Whether colours are stored as XYB, from which a decoder makes any others.
    private(set) var isXYB = true
    private(set) var colors = Colors.known(.sRGB)
    /// How the first frame is coded; `nil` if that cannot be read without decompressing a profile or a preview.
    private(set) var coding: Coding?
    private var hasPreview = false

    /// Reads the header.
    ///
    /// - Throws: `truncated`, `damaged`, `limitExceeded`, `stopped`.
    init(_ bits: inout JXLBitReader, limits: Limits) throws(TexelError) {
        let signature = try bits.bits(16)
        guard signature == 0x0AFF else {
            throw .jxl(.invalidSignature([UInt8(signature & 255), UInt8(signature >> 8)]))
        }
        size = try Self.size(&bits)
        // Before channels are read: each costs memory.
        try limits.check(size)
        try readMetadata(&bits)
        if colors != .profile, !hasPreview { coding = try? Self.coding(&bits, isXYB: isXYB) }
    }

    // MARK: Sizes

    private static func size(_ bits: inout JXLBitReader) throws(TexelError) -> PixelSize {
        let isSmall = try bits.bool()
        func side(_ bits: inout JXLBitReader) throws(TexelError) -> Int {
            if isSmall { return 8 * (1 + (try bits.bits(5))) }
            return try bits.number((1, 9), (1, 13), (1, 18), (1, 30))
        }
        let height = try side(&bits)
        let ratio = try bits.bits(3)
        let width = ratio == 0 ? try side(&bits) : Self.width(height, ratio)
        return PixelSize(width: width, height: height)
    }

    /// The width that belongs to a height, by one of seven ratios.
    private static func width(_ height: Int, _ ratio: Int) -> Int {
        let ratios = [(1, 1), (6, 5), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        let (numerator, denominator) = ratios[ratio - 1]
        return height * numerator / denominator
    }

    private static func skipPreviewSize(_ bits: inout JXLBitReader) throws(TexelError) {
        let isDivided = try bits.bool()
        func skipSide(_ bits: inout JXLBitReader) throws(TexelError) {
            _ =
                isDivided
                ? try bits.number((16, 0), (32, 0), (1, 5), (33, 9))
                : try bits.number((1, 6), (65, 8), (321, 10), (1345, 12))
        }
        try skipSide(&bits)
        if try bits.bits(3) == 0 { try skipSide(&bits) }
    }

    // MARK: Metadata

    private mutating func readMetadata(_ bits: inout JXLBitReader) throws(TexelError) {
        if try bits.bool() { return }
        let hasExtraFields = try bits.bool()
        if hasExtraFields {
            orientation = Orientation(rawValue: 1 + (try bits.bits(3))) ?? .identity
            if try bits.bool() { _ = try Self.size(&bits) }
            hasPreview = try bits.bool()
            if hasPreview { try Self.skipPreviewSize(&bits) }
            if try bits.bool() { animation = try Self.animation(&bits) }
        }
        (bitDepth, isFloat) = try Self.bitDepth(&bits)
        // Whether 16 bits are enough for the buffers.
        _ = try bits.bool()
        extraChannelCount = try bits.number((0, 0), (1, 0), (2, 4), (1, 12))
        for _ in 0..<extraChannelCount { try readExtraChannel(&bits) }
        isXYB = try bits.bool()
        try readColors(&bits)
        if hasExtraFields, try !bits.bool() {
            // The tone mapping: the intensity target, its minimum, and below which light is kept.
            try bits.skipHalf(2)
            _ = try bits.bool()
            try bits.skipHalf()
        }
        try Self.skipExtensions(&bits)
    }

    private static func animation(_ bits: inout JXLBitReader) throws(TexelError) -> Animation {
        let numerator = try bits.number((100, 0), (1000, 0), (1, 10), (1, 30))
        let denominator = try bits.number((1, 0), (1001, 0), (1, 8), (1, 10))
        let playCount = try bits.number((0, 0), (0, 3), (0, 16), (0, 32))
        // Whether frames have time codes.
        _ = try bits.bool()
        return Animation(numerator: numerator, denominator: denominator, playCount: playCount)
    }

    private static func bitDepth(_ bits: inout JXLBitReader) throws(TexelError) -> (Int, isFloat: Bool) {
        if try bits.bool() {
            let depth = try bits.number((32, 0), (16, 0), (24, 0), (1, 6))
            _ = try bits.bits(4)
            return (depth, true)
        }
        return (try bits.number((8, 0), (10, 0), (12, 0), (1, 6)), false)
    }

    private mutating func readExtraChannel(_ bits: inout JXLBitReader) throws(TexelError) {
        let (alpha, spotColor, black, colorFilter) = (0, 2, 4, 5)
        if try bits.bool() {
            hasAlpha = true
            return
        }
        let type = try bits.enumeration()
        _ = try Self.bitDepth(&bits)
        // By how much it is smaller than the image.
        _ = try bits.number((0, 0), (3, 0), (4, 0), (1, 3))
        for _ in 0..<(try bits.number((0, 0), (0, 4), (16, 5), (48, 10))) { _ = try bits.bits(8) }
        switch type {
        case alpha:
            hasAlpha = true
            // Whether the colours are premultiplied.
            _ = try bits.bool()
        case spotColor: try bits.skipHalf(4)
        case black: hasBlack = true
        case colorFilter: _ = try bits.number((1, 0), (0, 2), (3, 4), (19, 8))
        default: break
        }
    }

    /// Skips extensions, which no version of the format defines.
    private static func skipExtensions(_ bits: inout JXLBitReader) throws(TexelError) {
        let extensions = try bits.longNumber()
        guard extensions != 0 else { return }
        var count = 0
        for index in 0..<63 where extensions >> index & 1 == 1 {
            count = min(count + min(try bits.longNumber(), 1 << 20), 1 << 20)
        }
        for _ in 0..<count { _ = try bits.bool() }
    }

    // MARK: Colours

    private mutating func readColors(_ bits: inout JXLBitReader) throws(TexelError) {
        if try bits.bool() { return }
        let hasProfile = try bits.bool()
        let (gray, xyb, unknown) = (1, 2, 3)
        let colorSpace = try bits.enumeration()
        isGray = colorSpace == gray
        if hasProfile {
            colors = .profile
            return
        }
        let custom = 2
        var (whitePoint, primaries, transfer): (Int, Int, Int?) = (1, 1, 13)
        if colorSpace != xyb {
            whitePoint = try bits.enumeration()
            if whitePoint == custom { try Self.skipChromaticity(&bits) }
            if !isGray {
                primaries = try bits.enumeration()
                if primaries == custom { for _ in 0..<3 { try Self.skipChromaticity(&bits) } }
            }
            let hasGamma = try bits.bool()
            if hasGamma { _ = try bits.bits(24) }
            transfer = hasGamma ? nil : try bits.enumeration()
        }
        // The rendering intent.
        _ = try bits.enumeration()
        let points = transfer.flatMap { Self.codePoints(whitePoint: whitePoint, primaries: primaries, transfer: $0) }
        guard colorSpace != xyb, colorSpace != unknown, let points else {
            colors = .other
            return
        }
        colors = .known(points.primaries == 1 && points.transfer == 13 ? .sRGB : .codePoints(points))
    }

    /// The format has the numbers of ITU-T H.273, but for primaries that H.273 defines together with the white point.
    private static func codePoints(whitePoint: Int, primaries: Int, transfer: Int) -> CICP? {
        let (d65, dci) = (1, 11)
        return switch (primaries, whitePoint) {
        case (1, d65), (9, d65): CICP(primaries: primaries, transfer: transfer)
        case (11, d65): CICP(primaries: 12, transfer: transfer)
        case (11, dci): CICP(primaries: 11, transfer: transfer)
        default: nil
        }
    }

    private static func skipChromaticity(_ bits: inout JXLBitReader) throws(TexelError) {
        for _ in 0..<2 { _ = try bits.number((0, 19), (524_288, 19), (1_048_576, 20), (2_097_152, 21)) }
    }

    // MARK: The first frame

    /// Reads how the first frame is coded; what follows the image's metadata precedes it.
    private static func coding(_ bits: inout JXLBitReader, isXYB: Bool) throws(TexelError) -> Coding {
        if try !bits.bool() {
            if isXYB, try !bits.bool() { try bits.skipHalf(16) }
            let weights = try bits.bits(3)
            for (index, count) in [15, 55, 210].enumerated() where weights >> index & 1 == 1 {
                try bits.skipHalf(count)
            }
        }
        bits.align()
        if try bits.bool() { return .varDCT }
        // The kind of frame.
        _ = try bits.bits(2)
        return try bits.bool() ? .modular : .varDCT
    }
}
