public import TexelCodecs
import TexelFormats
import TexelPNG
import TexelOperations
public import TexelPixels

// Pixels as entries of a disk cache: as a PNG, which is lossless and takes a fraction of the bytes. The colour space
// is stored separately, because PNG cannot represent all of them.

extension DiskCache {
    /// Stores an image; its pixels and its colour space are restored exactly.
    ///
    /// - Returns: whether it was stored; premultiplied images are not, because PNG has no such pixels.
    /// - Throws: `cannotWrite`.
    @discardableResult
    public func store(_ image: PixelBuffer, for key: CacheKey) throws(CacheError) -> Bool {
        // Encoding fails only for images too large for a PNG.
        guard image.alphaMode != .premultiplied, let content = try? image.cacheContent() else { return false }
        return try store(metadata: image.cacheMetadata, content: content, for: key)
    }

    /// Looks up a stored `PixelBuffer`.
    public func pixelBuffer(for key: CacheKey, limits: Limits = Limits()) -> PixelBuffer? {
        entry(for: key).flatMap { PixelBuffer($0, limits: limits) }
    }
}

extension PixelBuffer {
    /// Encodes without lossless reductions, which take time and would remove an opaque image's alpha channel.
    func cacheContent() throws(CodecError) -> [UInt8] {
        var image = self
        image.colorSpace = .sRGB
        return try image.encoded(as: .png(PNGOptions(reducesLosslessly: false, effort: .fast)))
    }

    var cacheMetadata: [UInt8] {
        var fields = FieldWriter()
        fields.append("pixel buffer")
        fields.append(size)
        fields.append(alphaMode == .opaque)
        switch colorSpace {
        case .sRGB: fields.append("sRGB")
        case .iccProfile(let profile):
            fields.append("ICC profile")
            fields.append(profile.bytes)
        case .codePoints(let points):
            fields.append("code points")
            fields.append(points.primaries)
            fields.append(points.transfer)
            fields.append(points.isFullRange)
        case .calibrated(let calibration):
            fields.append("calibrated")
            fields.append(calibration.gamma) { $0.append(UInt64($1)) }
            fields.append(calibration.chromaticities) { fields, chromaticities in
                for value in chromaticities.coordinates { fields.append(Int(value)) }
            }
        }
        return fields.bytes
    }

    /// Makes an image from an entry. Returns `nil` if the entry is not a pixel buffer, or if it exceeds a limit.
    public init?(_ entry: CacheEntry, limits: Limits = Limits()) {
        var fields = FieldReader(entry.metadata)
        guard fields.text() == "pixel buffer", let size = fields.size(), let isOpaque = fields.boolean(),
            let colorSpace = fields.colorSpace(), fields.isAtEnd
        else { return nil }
        var options = DecodeOptions()
        options.policy = DecodePolicy(limits: limits, strictness: .warning)
        guard let source = try? ImageSource(entry.content, limits: limits), source.info.size == size,
            let decoded = try? source.decodedAsStored(options), (decoded.image.alphaMode == .opaque) == isOpaque
        else { return nil }
        self = decoded.image
        self.colorSpace = colorSpace
    }
}

extension FieldReader {
    fileprivate mutating func colorSpace() -> ColorSpace? {
        switch text() {
        case "sRGB": return .sRGB
        case "ICC profile": return list().flatMap(ICCProfile.init).map(ColorSpace.iccProfile)
        case "code points":
            guard let primaries = integer(), let transfer = integer(), let isFullRange = boolean() else { return nil }
            return CodePoints(primaries: primaries, transfer: transfer, isFullRange: isFullRange).map {
                .codePoints($0)
            }
        case "calibrated":
            guard let hasGamma = boolean() else { return nil }
            var gamma: UInt32?
            if hasGamma {
                guard let value = unsigned().flatMap(UInt32.init(exactly:)) else { return nil }
                gamma = value
            }
            guard let hasChromaticities = boolean() else { return nil }
            if !hasChromaticities { return .calibrated(Calibration(gamma: gamma, chromaticities: nil)) }
            guard let white = pair(), let red = pair(), let green = pair(), let blue = pair() else { return nil }
            let chromaticities = Calibration.Chromaticities(white: white, red: red, green: green, blue: blue)
            return .calibrated(Calibration(gamma: gamma, chromaticities: chromaticities))
        default: return nil
        }
    }

    private mutating func pair() -> (Int32, Int32)? {
        guard let x = integer().flatMap(Int32.init(exactly:)), let y = integer().flatMap(Int32.init(exactly:)) else {
            return nil
        }
        return (x, y)
    }
}
