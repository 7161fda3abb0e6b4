import TexelCodecs
import TexelPixels

/// A sequence parameter set of an HEVC stream (ITU-T H.265, 7.3.2.2): the size and the kind of its images. Only what
/// describes the image is kept.
struct HEVCSequenceParameters: Sendable, Hashable {
    /// The size of the decoded image, before cropping.
    private(set) var codedSize = PixelSize(width: 0, height: 0)
    /// The size after cropping.
    private(set) var size = PixelSize(width: 0, height: 0)
    /// 0 without chroma, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
    private(set) var chromaFormat = 1
    private(set) var bitDepth = 8
    private(set) var chromaBitDepth = 8
    /// The numbers of ITU-T H.273; 2 if unspecified.
    private(set) var primaries = 2
    private(set) var transfer = 2
    private(set) var matrix = 2
    private(set) var isFullRange = false

    /// Reads a NAL unit; `nil` if it is not complete or has invalid numbers.
    init?(unit: some Sequence<UInt8>) {
        var bits = BitReader(unit: unit)
        // The header of the NAL unit, the identifier of the video parameter set.
        bits.skip(16 + 4)
        let subLayers = bits.number(3)
        bits.skip(1)
        Self.skipProfile(&bits, subLayers)
        _ = bits.golomb()
        guard readFormat(&bits), Self.skipCoding(&bits, subLayers) else { return nil }
        if bits.flag() { readUsability(&bits) }
        guard !bits.isExhausted else { return nil }
    }

    /// Skips the profile, tier and level (7.3.3).
    private static func skipProfile(_ bits: inout BitReader, _ subLayers: Int) {
        bits.skip(88 + 8)
        guard subLayers > 0 else { return }
        let parts = (0..<8).map { _ in (bits.flag(), bits.flag()) }
        for (hasProfile, hasLevel) in parts.prefix(subLayers) {
            bits.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0))
        }
    }

    private mutating func readFormat(_ bits: inout BitReader) -> Bool {
        chromaFormat = bits.golomb()
        guard chromaFormat <= 3 else { return false }
        // Separate planes are coded like images without chroma.
        if chromaFormat == 3, bits.flag() { return false }
        codedSize = PixelSize(width: bits.golomb(), height: bits.golomb())
        size = codedSize
        if bits.flag() {
            let (left, right, top, bottom) = (bits.golomb(), bits.golomb(), bits.golomb(), bits.golomb())
            let (unitX, unitY) = ([1, 2, 2, 1][chromaFormat], [1, 2, 1, 1][chromaFormat])
            size = PixelSize(
                width: codedSize.width - unitX * (left + right), height: codedSize.height - unitY * (top + bottom))
        }
        (bitDepth, chromaBitDepth) = (bits.golomb() + 8, bits.golomb() + 8)
        return size.isPositive && bitDepth <= 16 && chromaBitDepth <= 16
    }

    /// Skips what follows up to the usability information.
    private static func skipCoding(_ bits: inout BitReader, _ subLayers: Int) -> Bool {
        let orderBits = bits.golomb() + 4
        guard orderBits <= 16 else { return false }
        for _ in (bits.flag() ? 0 : subLayers)...subLayers {
            for _ in 0..<3 { _ = bits.golomb() }
        }
        for _ in 0..<6 { _ = bits.golomb() }
        if bits.flag(), bits.flag() { skipScalingLists(&bits) }
        bits.skip(2)
        // Samples without prediction.
        if bits.flag() {
            bits.skip(8)
            for _ in 0..<2 { _ = bits.golomb() }
            bits.skip(1)
        }
        guard skipReferenceSets(&bits) else { return false }
        if bits.flag() {
            let count = bits.golomb()
            guard count <= 32 else { return false }
            bits.skip(count * (orderBits + 1))
        }
        bits.skip(2)
        return !bits.isExhausted
    }

    /// 7.3.4.
    private static func skipScalingLists(_ bits: inout BitReader) {
        for size in 0..<4 {
            for _ in 0..<(size == 3 ? 2 : 6) {
                guard bits.flag() else {
                    _ = bits.golomb()
                    continue
                }
                if size > 1 { _ = bits.golomb() }
                for _ in 0..<min(64, 1 << (4 + 2 * size)) { _ = bits.golomb() }
            }
        }
    }

    /// 7.3.7.
    private static func skipReferenceSets(_ bits: inout BitReader) -> Bool {
        let count = bits.golomb()
        guard count <= 64 else { return false }
        // The number of images in each set.
        var sizes: [Int] = []
        for index in 0..<count {
            if index > 0, bits.flag() {
                bits.skip(1)
                _ = bits.golomb()
                var size = 0
                for _ in 0...sizes[index - 1] {
                    let isUsed = bits.flag()
                    if isUsed || bits.flag() { size += 1 }
                }
                sizes.append(size)
            } else {
                let (negative, positive) = (bits.golomb(), bits.golomb())
                guard negative <= 16, positive <= 16 else { return false }
                for _ in 0..<(negative + positive) {
                    _ = bits.golomb()
                    bits.skip(1)
                }
                sizes.append(negative + positive)
            }
            if bits.isExhausted { return false }
        }
        return true
    }

    /// Reads the beginning of the video usability information (E.2.1).
    private mutating func readUsability(_ bits: inout BitReader) {
        // The aspect ratio of pixels; 255 means that it follows.
        if bits.flag(), bits.number(8) == 255 { bits.skip(32) }
        if bits.flag() { bits.skip(1) }
        guard bits.flag() else { return }
        bits.skip(3)
        isFullRange = bits.flag()
        if bits.flag() { (primaries, transfer, matrix) = (bits.number(8), bits.number(8), bits.number(8)) }
    }
}

// MARK: Planes

extension HEVCSequenceParameters {
    /// The binary logarithms of the number of luma samples per chroma sample.
    var chromaShift: (x: Int, y: Int) { [(0, 0), (1, 1), (1, 0), (0, 0)][chromaFormat] }

    /// Returns the size of a plane of an image.
    func planeSize(_ plane: Int, of size: PixelSize) -> PixelSize {
        guard plane > 0 else { return size }
        let shift = chromaShift
        return PixelSize(width: (size.width + shift.x) >> shift.x, height: (size.height + shift.y) >> shift.y)
    }
}
