import TexelCodecs
import TexelOperations
import TexelPixels

// Results of recipes as entries of a disk cache. An entry that cannot be parsed exactly is a miss.

extension DiskCache {
    /// Stores an encoded image.
    ///
    /// - Returns: whether it was stored.
    /// - Throws: `cannotWrite`.
    @discardableResult
    public func store(_ image: EncodedImage, for key: CacheKey) throws(CacheError) -> Bool {
        try store(metadata: image.cacheMetadata, content: image.bytes, for: key)
    }

    /// Looks up a stored ``EncodedImage``.
    public func encodedImage(for key: CacheKey) -> EncodedImage? {
        entry(for: key).flatMap(EncodedImage.init)
    }
}

extension EncodedImage {
    /// Everything but the bytes of the image.
    var cacheMetadata: [UInt8] {
        var fields = FieldWriter()
        fields.append("encoded image")
        fields.append(size)
        fields.append(format)
        fields.append(route)
        fields.append(isKept)
        fields.append(score) { $0.append($1) }
        fields.append(searchSummary) { $0.append($1) }
        fields.append(warnings.count)
        for warning in warnings { fields.append(warning) }
        return fields.bytes
    }

    /// Makes an image from an entry. Returns `nil` if the entry is not an encoded image.
    public init?(_ entry: CacheEntry) {
        var fields = FieldReader(entry.metadata)
        guard fields.text() == "encoded image", let size = fields.size(), let format = fields.value(ImageFormat.self),
            let route = fields.value(Route.self), let isKept = fields.boolean(),
            let score = fields.optional({ $0.double() }), let summary = fields.optional({ $0.text() }),
            let count = fields.integer()
        else { return nil }
        var warnings: [String] = []
        while warnings.count < count {
            guard let warning = fields.text() else { return nil }
            warnings.append(warning)
        }
        guard count >= 0, fields.isAtEnd else { return nil }
        self.init(
            .memory(Array(entry.content)), size: size, format: format, route: route, isKept: isKept, score: score,
            searchSummary: summary, warnings: warnings)
    }
}

extension FieldReader {
    mutating func size() -> PixelSize? {
        guard let width = integer(), let height = integer() else { return nil }
        let size = PixelSize(width: width, height: height)
        return size.isPositive ? size : nil
    }
}
