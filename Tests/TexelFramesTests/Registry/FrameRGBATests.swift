import TestSupport
import Testing
import TexelPixels

@testable import TexelFrames

@Suite("Frames as RGBA")
struct FrameRGBATests {
    @Test(
        "Channels change places, alpha is multiplied where it is asked for and straight, nothing else is touched",
        arguments: [AlphaMode.opaque, .straight, .premultiplied], [false, true])
    func copiesHaveChannelsInRGBAOrder(alphaMode: AlphaMode, premultiplied: Bool) throws {
        var generator = SeededGenerator(seed: 11)
        for width in [1, 2, 3, 7, 8, 9, 31, 64, 67] {
            let size = PixelSize(width: width, height: 3)
            let pool = FramePool(capacity: 1)
            var lease = try pool.leaseIfFree(byteCount: Frame.byteCount(size)).orFail()
            lease.withUnsafeMutableBytes { bytes in
                for index in bytes.indices {
                    bytes[index] =
                        alphaMode == .opaque && index % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &generator)
                }
            }
            let frame = Frame(lease, size: size, alphaMode: alphaMode, time: .zero)
            let (rowBytes, bytesPerRow) = (width * 4, width * 4 + 5)
            var output = [UInt8](repeating: 0xA5, count: bytesPerRow * 2 + rowBytes)
            output.withUnsafeMutableBytes {
                frame.copyRGBA(into: $0, bytesPerRow: bytesPerRow, premultiplied: premultiplied)
            }
            let pixels = frame.withUnsafeBytes { [UInt8]($0) }
            for y in 0..<3 {
                for x in 0..<width {
                    let bgra = pixels[(y * frame.bytesPerRow + x * 4)...].prefix(4).map { Int($0) }
                    let multiplies = premultiplied && alphaMode == .straight
                    let colors = bgra.map { multiplies ? ($0 * bgra[3] + 127) / 255 : $0 }
                    let expected = [colors[2], colors[1], colors[0], bgra[3]]
                    let found = output[(y * bytesPerRow + x * 4)...].prefix(4).map { Int($0) }
                    #expect(found == expected)
                }
                let gap = output[(y * bytesPerRow + rowBytes)...].prefix(5)
                #expect(gap.allSatisfy { $0 == 0xA5 })
            }
        }
    }
}
