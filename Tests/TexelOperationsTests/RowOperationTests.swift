import Synchronization
import TestSupport
import Testing
import TexelCore
import TexelPixels

@testable import TexelOperations

/// Operations of somebody else.
@Suite struct RowOperationTests {
    /// The mean of a row and its neighbours, with the alpha of the row.
    private struct Smoothing: RowOperation {
        var reach = 1
        var rowsAround: Int? { reach }

        func render(row y: Int, of source: ImageRows, into pixels: inout MutableSpan<UInt32>) {
            for x in pixels.indices {
                var result = source[x, y] & 0xFF00_0000
                for shift in [0, 8, 16] as [UInt32] {
                    var sum: UInt32 = 0
                    for row in (y - reach)...(y + reach) { sum += source[x, row] >> shift & 0xFF }
                    result |= (sum / UInt32(2 * reach + 1)) << shift
                }
                pixels[x] = result
            }
        }
    }

    /// Turns rows into columns, and writes an alpha of 7.
    private struct Transposing: RowOperation {
        var addsAlpha = false

        func outputSize(of source: PixelSize) -> PixelSize { PixelSize(width: source.height, height: source.width) }

        func render(row y: Int, of source: ImageRows, into pixels: inout MutableSpan<UInt32>) {
            for x in pixels.indices { pixels[x] = source[y, x] & 0xFF_FFFF | 0x0700_0000 }
        }
    }

    private struct Impossible: RowOperation {
        func outputSize(of source: PixelSize) -> PixelSize { PixelSize(width: 0, height: 4) }
        func render(row y: Int, of source: ImageRows, into pixels: inout MutableSpan<UInt32>) {}
    }

    private static func result(_ operation: PixelOperation, _ image: PixelBuffer, threads: Int = 1) throws
        -> PixelBuffer
    {
        var image = image
        let steps = try operation.value.steps(for: image.size, background: .white)
        let shape = RasterShape(size: image.size, alphaMode: image.alphaMode)
        for segment in StepSegment.segments(of: steps, for: shape) {
            try segment.apply(to: &image, threads: threads, smallestShare: 16)
        }
        return image
    }

    @Test(arguments: [AlphaMode.opaque, .straight, .premultiplied], [1, 3])
    func neighboursAndThreads(alphaMode: AlphaMode, threads: Int) throws {
        let straight = try PixelBuffer.noise(
            PixelSize(width: 5, height: 200), alphaMode: alphaMode == .opaque ? .opaque : .straight, seed: 3)
        let image = alphaMode == .premultiplied ? try straight.premultiplied() : straight
        let result = try Self.result(PixelOperation(Smoothing()), image, threads: threads)
        #expect(result.alphaMode == (alphaMode == .opaque ? .opaque : .straight))
        let source = try alphaMode == .premultiplied ? image.unpremultiplied() : image
        for y in 0..<200 {
            for x in 0..<5 {
                let rows = [max(0, y - 1), y, min(199, y + 1)]
                let green = rows.map { source[x, $0] >> 8 & 0xFF }.reduce(0, +) / 3
                #expect(result[x, y] >> 8 & 0xFF == green && result[x, y] >> 24 == source[x, y] >> 24)
            }
        }
    }

    @Test func sizesAndAlpha() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 6, height: 9), alphaMode: .opaque, seed: 4)
        let turned = try Self.result(PixelOperation(Transposing()), image)
        #expect(turned.size == PixelSize(width: 9, height: 6) && turned.alphaMode == .opaque)
        #expect(turned[8, 2] == image[2, 8])
        let transparent = try Self.result(PixelOperation(Transposing(addsAlpha: true)), image)
        #expect(transparent.alphaMode == .straight && transparent[8, 2] == image[2, 8] & 0xFF_FFFF | 0x0700_0000)
        #expect(throws: TexelError.invalidSize(PixelSize(width: 0, height: 4))) {
            try Self.result(PixelOperation(Impossible()), image)
        }
        #expect(throws: TexelError.invalidParameter("rowsAround", value: "-1", allowed: "at least 0")) {
            try Self.result(PixelOperation(Smoothing(reach: -1)), image)
        }
    }

    @Test func identityIncludesTheParameters() throws {
        func key(_ operation: PixelOperation) -> ContentDigest { ContentDigest(ofIdentityOf: operation) }
        let (one, two) = (PixelOperation(Smoothing(reach: 1)), PixelOperation(Smoothing(reach: 2)))
        #expect(one == PixelOperation(Smoothing()) && one != two && one != PixelOperation(Transposing()))
        #expect(key(one) == key(PixelOperation(Smoothing())) && key(one) != key(two))
        #expect(Smoothing.name.hasSuffix("Smoothing"))
        let bytes = try MessageEncoder.encode(two)
        #expect(throws: (any Error).self) { try MessageDecoder.decode(PixelOperation.self, from: bytes) }
        PixelOperation.register(Smoothing.self)
        #expect(try MessageDecoder.decode(PixelOperation.self, from: bytes) == two)
    }

    /// Once it is stopped, no further rows are computed.
    @Test func stoppedOperationsComputeNoFurtherRows() throws {
        var image = try PixelBuffer(width: 3, height: 4000, filledWith: 0xFF11_2233, alphaMode: .opaque)
        let steps = try PixelOperation(Smoothing()).value.steps(for: image.size, background: .white)
        let shape = RasterShape(size: image.size, alphaMode: .opaque)
        let polls = Mutex(0)
        for segment in StepSegment.segments(of: steps, for: shape) {
            try segment.apply(to: &image, threads: 1) {
                polls.withLock {
                    $0 += 1
                    return $0 > 2
                }
            }
        }
        #expect(polls.withLock(\.self) == 3)
    }
}
