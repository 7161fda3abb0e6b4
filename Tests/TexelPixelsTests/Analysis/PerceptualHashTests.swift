import Foundation
import TestSupport
import Testing

@testable import TexelMetrics
@testable import TexelPixels

/// The hashes of the Python package imagehash.
@Suite struct PerceptualHashTests {
    /// Values that imagehash 4.3.2 computes for images that need no reduction.
    @Test func hashesEqualThoseOfImagehash() throws {
        let square = try PixelBuffer.make(width: 32, height: 32) { x, y in
            let (red, green, blue) = ((x * x * 3 + y * y) % 256, x * y * 2 % 256, (x * 9 + y * 5) % 256)
            return 0xFF00_0000 | UInt32(red << 16 | green << 8 | blue)
        }
        #expect(try PerceptualHash(of: square).description == "8017372c7167676e")
        let small = try PixelBuffer.make(width: 9, height: 8) { x, y in
            let (red, green, blue) = ((x * x * 37 + y * y * 11) % 256, x * y * 29 % 256, (x * 90 + y * 51) % 256)
            return 0xFF00_0000 | UInt32(red << 16 | green << 8 | blue)
        }
        #expect(try DifferenceHash(of: small).description == "dbdbf7dbc5aa9288")
    }

    /// The coefficients, computed from the definition in floating point.
    @Test(arguments: 1...8 as ClosedRange<UInt64>) func transformIsTheDefinition(seed: UInt64) throws {
        let image = try PixelBuffer.random(width: 32, height: 32, seed: seed)
        let luma = image.pixels.map { Double(Luma.of($0)) }
        let coefficients = (0..<64).map { index in
            let (u, v) = (Double(index % 8), Double(index / 8))
            return (0..<1024).reduce(0.0) { sum, place in
                let (x, y) = (Double(place % 32), Double(place / 32))
                return sum + luma[place] * cos(.pi * u * (2 * x + 1) / 64) * cos(.pi * v * (2 * y + 1) / 64)
            }
        }
        let sorted = coefficients.sorted()
        let median = (sorted[31] + sorted[32]) / 2
        let bits = coefficients.reduce(UInt64(0)) { $0 << 1 | ($1 > median ? 1 : 0) }
        #expect(try PerceptualHash(of: image).bits == bits)
    }

    /// Only the mean of an image of one colour is above the median.
    @Test(arguments: [0xFF00_0000, 0xFF12_3456, 0xFFFF_FFFF] as [UInt32])
    func uniformImagesHashOnlyTheirMean(pixel: UInt32) throws {
        let image = try PixelBuffer.make(width: 61, height: 17) { _, _ in pixel }
        #expect(try DifferenceHash(of: image).bits == 0)
        #expect(try PerceptualHash(of: image).bits == (pixel == 0xFF00_0000 ? 0 : 1 << 63))
    }

    @Test(arguments: awkwardSizes) func everySizeHasAHash(size: PixelSize) throws {
        for mode in [AlphaMode.opaque, .straight, .premultiplied] {
            let image = try PixelBuffer.random(width: size.width, height: size.height, alphaMode: mode)
            #expect(try PerceptualHash(of: image).description.count == 16)
            #expect(try DifferenceHash(of: image).description.count == 16)
        }
    }

    @Test func similarImagesHaveSimilarHashes() throws {
        // Blots of about 12 pixels.
        let image = try PixelBuffer.random(width: 24, height: 16).resized(to: PixelSize(width: 300, height: 200))
        let half = try image.resized(to: PixelSize(width: 150, height: 100))
        let hash = try PerceptualHash(of: image)
        #expect(try hash.distance(to: PerceptualHash(of: half)) <= 4)
        #expect(try DifferenceHash(of: image).distance(to: DifferenceHash(of: half)) <= 4)
        let noise = try PixelBuffer.random(width: 300, height: 200, seed: 2)
        #expect(try hash.distance(to: PerceptualHash(of: noise)) > 16)
        #expect(hash.distance(to: hash) == 0 && hash.distance(to: PerceptualHash(bits: ~hash.bits)) == 64)
    }

    @Test func hashesPrint16HexDigits() {
        #expect(PerceptualHash(bits: 1).description == "0000000000000001")
        #expect(DifferenceHash(bits: .max).description == "ffffffffffffffff")
    }
}
