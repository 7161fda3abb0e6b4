public import TexelCodecs
public import TexelPixels

// Pixels as entries of a disk cache: a PNG, which takes a fraction of their bytes and gives back each of them. The colour
// space is noted beside it, because a PNG cannot hold every one.

extension DiskCache {
    /// Keeps a picture; every pixel and the colour space come back as they are.
    ///
    /// - Returns: whether it is kept: a premultiplied picture is not, because PNG has no such pixels.
    @discardableResult
    public func store(_ picture: PixelBuffer, for key: CacheKey) throws(CacheError) -> Bool {
        // Only a picture too large for a PNG cannot be encoded.
        guard picture.alphaMode != .premultiplied, let content = try? picture.cacheContent() else { return false }
        return try store(metadata: picture.cacheMetadata, content: content, for: key)
    }

    /// What was stored as a `PixelBuffer`.
    public func pixelBuffer(for key: CacheKey, limits: Limits = Limits()) -> PixelBuffer? {
        entry(for: key).flatMap { PixelBuffer($0, limits: limits) }
    }
}

extension PixelBuffer {
    /// Without a reduction: it would take time, and an alpha channel away from a straight picture that is opaque.
    func cacheContent() throws(CodecError) -> [UInt8] {
        var picture = self
        picture.colorSpace = .sRGB
        return try picture.encoded(as: .png(PNGOptions(reducesLosslessly: false, effort: .fast)))
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
        case .calibrated(let calibration):
            fields.append("calibrated")
            fields.append(calibration.gamma) { $0.append(UInt64($1)) }
            fields.append(calibration.chromaticities) { fields, chromaticities in
                for value in chromaticities.coordinates { fields.append(Int(value)) }
            }
        }
        return fields.bytes
    }

    /// The picture that an entry holds; `nil` where it holds something else, or a limit forbids it.
    public init?(_ entry: CacheEntry, limits: Limits = Limits()) {
        var fields = FieldReader(entry.metadata)
        guard fields.text() == "pixel buffer", let size = fields.size(), let isOpaque = fields.boolean(),
            let colorSpace = fields.colorSpace(), fields.isAtEnd
        else { return nil }
        var options = DecodeOptions()
        options.limits = limits
        options.strictness = .warning
        guard let source = try? ImageSource(entry.content, limits: limits), source.info.size == size,
            let decoded = try? source.decodedAsStored(options), (decoded.picture.alphaMode == .opaque) == isOpaque
        else { return nil }
        self = decoded.picture
        self.colorSpace = colorSpace
    }
}

extension FieldReader {
    fileprivate mutating func colorSpace() -> ColorSpace? {
        switch text() {
        case "sRGB": return .sRGB
        case "ICC profile": return list().flatMap(ICCProfile.init).map(ColorSpace.iccProfile)
        case "code points":
            guard let primaries = integer(), let transfer = integer() else { return nil }
            return CodePoints(primaries: primaries, transfer: transfer).map { .codePoints($0) }
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
