import Testing
import TexelPixels

/// Memory kept for the next image must never have two owners, nor be smaller than requested.
@Suite struct LargeMemoryTests {
    private static let megabyte = 1 << 20

    @Test(arguments: [1, 63, megabyte - 1, megabyte, 2 * megabyte, 3 * megabyte + 1, 20 * megabyte])
    func sizesAndAlignment(byteCount: Int) throws {
        for _ in 0..<3 {
            let memory = try #require(LargeMemory(byteCount: byteCount))
            #expect(memory.byteCount >= byteCount)
            #expect(Int(bitPattern: memory.base) % 64 == 0)
            // Every byte is writable.
            memory.base.initializeMemory(as: UInt8.self, repeating: 0xA5, count: memory.byteCount)
        }
    }

    @Test func livingBlocksNeverOverlap() throws {
        var generator = SystemRandomNumberGenerator()
        var living: [LargeMemory] = []
        for _ in 0..<200 {
            if living.count > 5 || (!living.isEmpty && Bool.random(using: &generator)) {
                living.remove(at: Int.random(in: living.indices, using: &generator))
            } else {
                let byteCount = Int.random(in: 1...(5 * Self.megabyte), using: &generator)
                living.append(try #require(LargeMemory(byteCount: byteCount)))
            }
            let ranges = living.map { Int(bitPattern: $0.base)..<(Int(bitPattern: $0.base) + $0.byteCount) }
            for (index, range) in ranges.enumerated() {
                #expect(!ranges[(index + 1)...].contains { $0.overlaps(range) })
            }
        }
    }

    /// Images that must be empty are, whatever their memory held before.
    @Test func zeroedImagesAreEmpty() throws {
        for _ in 0..<3 {
            var image = try PixelBuffer(width: 1024, height: 768)
            #expect(image.pixels.allSatisfy { $0 == 0 })
            image.withUnsafeMutablePixels { $0.update(repeating: 0xDEAD_BEEF) }
        }
    }
}
