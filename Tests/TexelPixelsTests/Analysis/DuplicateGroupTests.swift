import TestSupport
import Testing

@testable import TexelMetrics
@testable import TexelPixels

/// The search for similar hashes, and the check of what it finds.
@Suite struct DuplicateGroupTests {
    /// Random hashes, each with neighbours that differ in 0…24 bits.
    private func hashes(_ count: Int, seed: UInt64) -> [UInt64] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt64.random(in: 0 ... .max, using: &generator) }.flatMap { hash in
            (0..<3).map { _ in
                let flips = Int.random(in: 0...24, using: &generator)
                return (0..<flips).reduce(hash) { bits, _ in bits ^ 1 << UInt64.random(in: 0..<64, using: &generator) }
            }
        }
    }

    @Test(arguments: [0, 1, 2, 3, 4, 7, 10, 16]) func indexFindsWhatComparingAllPairsFinds(distance: Int) {
        // So many that small radii use the tables and large ones compare all.
        let hashes = hashes(400, seed: UInt64(distance + 1)) + [0, .max, 0]
        let index = HammingIndex(hashes)
        for first in stride(from: 0, to: hashes.count, by: 3) {
            let expected = ((first + 1)..<hashes.count).filter {
                (hashes[$0] ^ hashes[first]).nonzeroBitCount <= distance
            }
            #expect(index.laterNeighbors(of: first, within: distance) == expected)
        }
    }

    @Test func indexOfFewHashes() {
        #expect(HammingIndex([7]).laterNeighbors(of: 0, within: 64) == [])
        #expect(HammingIndex([0, .max]).laterNeighbors(of: 0, within: 64) == [1])
        #expect(HammingIndex([0, 1]).laterNeighbors(of: 0, within: -1) == [])
    }

    @Test func setsAreJoined() {
        var sets = DisjointSets(count: 6)
        for (first, second) in [(4, 1), (5, 4), (0, 2)] { sets.join(first, second) }
        #expect(sets.groups == [[0, 2], [1, 4, 5], [3]])
        #expect(sets.root(of: 5) == 1)
    }

    /// An image with shapes of several sizes, which `seed` moves.
    private func scene(_ seed: UInt64, size: PixelSize = PixelSize(width: 240, height: 160)) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: seed)
        let shapes = (0..<14).map { _ in
            (
                x: Int.random(in: 0..<size.width, using: &generator),
                y: Int.random(in: 0..<size.height, using: &generator),
                radius: Int.random(in: 8..<50, using: &generator),
                color: UInt32.random(in: 0..<0xFF_FFFF, using: &generator)
            )
        }
        return try PixelBuffer.make(width: size.width, height: size.height) { x, y in
            shapes.reduce(0xFF00_0000 | UInt32(x / 2 % 256 << 8)) { pixel, shape in
                let (u, v) = (x - shape.x, y - shape.y)
                return u * u + v * v < shape.radius * shape.radius ? 0xFF00_0000 | shape.color : pixel
            }
        }
    }

    private func fingerprint(_ image: PixelBuffer) throws -> ImageFingerprint {
        try ImageFingerprint(image, size: image.size)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func copiesResembleTheirOriginal(seed: UInt64) throws {
        let image = try scene(seed)
        let original = try fingerprint(image)
        let copies = [
            try image.resized(to: PixelSize(width: 120, height: 80)),
            try image.resized(to: PixelSize(width: 480, height: 320), filter: .bilinear),
            try image.cropped(to: PixelRectangle(x: 0, y: 0, width: 228, height: 152)),
            try image.cropped(to: PixelRectangle(x: 12, y: 0, width: 228, height: 160)),
            try PixelBuffer.make(width: 240, height: 160) { x, y in
                [16, 8, 0].reduce(0xFF00_0000) { $0 | min(255, (image[x, y] >> $1 & 255) * 6 / 5) << $1 }
            },
        ]
        for (index, copy) in copies.enumerated() {
            let copy = try fingerprint(copy)
            #expect(original.resembles(copy) && copy.resembles(original), "\(index)")
        }
    }

    @Test func othersDoNotResemble() throws {
        let scenes = try (1...8).map { try fingerprint(scene($0)) }
        for first in scenes.indices {
            for second in scenes.indices { #expect(scenes[first].resembles(scenes[second]) == (first == second)) }
        }
        let image = try scene(1)
        let original = try fingerprint(image)
        #expect(!original.resembles(try fingerprint(image.rotated(quarterTurns: 2))))
        #expect(!original.resembles(try ImageFingerprint(image, size: PixelSize(width: 300, height: 160))))
        // The same shapes in other colours.
        let recolored = try PixelBuffer.make(width: 240, height: 160) { x, y in
            image[x, y] & 0xFF00_FF00 | (image[x, y] & 255) << 16 | image[x, y] >> 16 & 255
        }
        #expect(!original.resembles(try fingerprint(recolored)))
    }

    /// Images without a pattern resemble each other if their colours are the same.
    @Test func uniformImagesResembleByTheirColor() throws {
        func uniform(_ pixel: UInt32) throws -> ImageFingerprint {
            try fingerprint(.make(width: 40, height: 40) { _, _ in pixel })
        }
        let gray = try uniform(0xFF80_8080)
        #expect(gray.resembles(try uniform(0xFF81_8080)))
        #expect(!gray.resembles(try uniform(0xFF90_9090)))
        #expect(!gray.resembles(try fingerprint(scene(1, size: PixelSize(width: 40, height: 40)))))
    }

    /// White on transparent is compared on black, where it is visible.
    @Test func whiteOnTransparent() throws {
        func drawing(_ left: Int) throws -> ImageFingerprint {
            try fingerprint(
                .make(width: 64, height: 64, alphaMode: .straight) { x, y in
                    (left..<left + 20).contains(x) && (10..<40).contains(y) ? 0xFFFF_FFFF : 0
                })
        }
        #expect(try drawing(8).resembles(drawing(8)))
        #expect(try !drawing(8).resembles(drawing(34)))
    }

    @Test func groupsAreInOrder() throws {
        let images = try [3, 1, 2, 1, 3, 1].map { try scene($0) }
        let smaller = try images[1].resized(to: PixelSize(width: 100, height: 67))
        let fingerprints = try (images + [smaller]).map(fingerprint)
        #expect(DuplicateGroups.find(fingerprints, within: 12) == [[0, 4], [1, 3, 5, 6]])
        #expect(DuplicateGroups.find([], within: 12).isEmpty)
        #expect(DuplicateGroups.find([fingerprints[0]], within: 12).isEmpty)
    }

    /// More images than one block has, each with a copy.
    @Test func threadsChangeNothing() throws {
        let size = PixelSize(width: 48, height: 36)
        let fingerprints = try (0..<300).flatMap { number in
            let image = try scene(UInt64(number), size: size)
            return try [image, image.resized(to: PixelSize(width: 40, height: 30))].map(fingerprint)
        }
        let groups = DuplicateGroups.find(fingerprints, within: 10)
        for threads in [2, 5] {
            #expect(DuplicateGroups.find(fingerprints, within: 10, threads: threads) == groups)
        }
        #expect(groups.count > 200)
    }
}
