import TexelPixels

/// A result that caches keep.
protocol CacheableOutput: RecipeOutput {
    /// The memory that the result takes, in bytes.
    var cacheCost: Int { get }

    /// Looks up a result on disk. Returns `nil` if there is none of this kind.
    init?(cachedIn disk: DiskCache, for key: CacheKey)

    /// Writes the result to disk.
    func store(in disk: DiskCache, for key: CacheKey) throws(CacheError)
}

extension PixelBuffer: CacheableOutput {
    var cacheCost: Int { height * bytesPerRow }

    init?(cachedIn disk: DiskCache, for key: CacheKey) {
        guard let found = disk.pixelBuffer(for: key) else { return nil }
        self = found
    }

    func store(in disk: DiskCache, for key: CacheKey) throws(CacheError) { try disk.store(self, for: key) }
}

extension EncodedImage: CacheableOutput {
    var cacheCost: Int { bytes.count }

    init?(cachedIn disk: DiskCache, for key: CacheKey) {
        guard let found = disk.encodedImage(for: key) else { return nil }
        self = found
    }

    func store(in disk: DiskCache, for key: CacheKey) throws(CacheError) { try disk.store(self, for: key) }
}
