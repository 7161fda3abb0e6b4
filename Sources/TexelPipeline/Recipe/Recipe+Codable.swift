import TexelCodecs
import TexelOperations
import TexelPixels

extension Recipe {
    enum CodingKeys: String, CodingKey {
        case operations, output, appliesOrientation, frame, dithers, keepsAllParts
    }

    /// Decodes a recipe. Missing fields have their defaults, so that recipes which were stored by an earlier version
    /// can be read.
    public init(from decoder: any Decoder) throws {
        self.init()
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try fields.update(&operations, .operations)
        try fields.update(&output, .output)
        try fields.update(&appliesOrientation, .appliesOrientation)
        try fields.update(&frame, .frame)
        try fields.update(&dithers, .dithers)
        try fields.update(&keepsAllParts, .keepsAllParts)
    }
}

extension OutputOptions {
    enum CodingKeys: String, CodingKey {
        case format, quality, target, subsampling, palette, isProgressive, effort, metadata, colorSpace, density
        case background, compresses, isLossless, nearLossless, alphaQuality, trimsPartialBlocks, keepsSmallerOriginal
        case minimumGain
    }

    /// Decodes options. Missing fields have their defaults.
    public init(from decoder: any Decoder) throws {
        self.init()
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try fields.update(&format, .format)
        try fields.update(&quality, .quality)
        try fields.update(&target, .target)
        try fields.update(&subsampling, .subsampling)
        try fields.update(&palette, .palette)
        try fields.update(&isProgressive, .isProgressive)
        try fields.update(&effort, .effort)
        try fields.update(&metadata, .metadata)
        try fields.update(&colorSpace, .colorSpace)
        try fields.update(&density, .density)
        try fields.update(&background, .background)
        try fields.update(&compresses, .compresses)
        try fields.update(&isLossless, .isLossless)
        try fields.update(&nearLossless, .nearLossless)
        try fields.update(&alphaQuality, .alphaQuality)
        try fields.update(&trimsPartialBlocks, .trimsPartialBlocks)
        try fields.update(&keepsSmallerOriginal, .keepsSmallerOriginal)
        try fields.update(&minimumGain, .minimumGain)
    }
}

extension EncodingTarget {
    enum CodingKeys: String, CodingKey {
        case score, metric, byteLimit, allowsSmaller, isBestEffort
    }

    /// Decodes a target. Missing fields have their defaults.
    public init(from decoder: any Decoder) throws {
        self.init()
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        score = try fields.decodeIfPresent(Double.self, forKey: .score)
        try fields.update(&metric, .metric)
        byteLimit = try fields.decodeIfPresent(Int.self, forKey: .byteLimit)
        try fields.update(&allowsSmaller, .allowsSmaller)
        try fields.update(&isBestEffort, .isBestEffort)
    }
}

extension KeyedDecodingContainer {
    /// Replaces a value by the one under a key, if there is one.
    fileprivate func update<Value: Decodable>(_ value: inout Value, _ key: Key) throws {
        if let decoded = try decodeIfPresent(Value.self, forKey: key) { value = decoded }
    }
}
