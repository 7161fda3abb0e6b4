import Synchronization
import TestSupport
import Testing
import TexelCore
import TexelPixels

@Suite struct PixelBufferTests {
    @Test func pixelsComeBackAsTheyWentIn() throws {
        var generator = SeededGenerator(seed: 1)
        let pixels = (0..<(7 * 3)).map { _ in UInt32.random(in: 0 ... .max, using: &generator) }
        let buffer = try PixelBuffer(width: 7, height: 3, pixels: pixels)
        #expect(buffer.pixels == pixels)
        #expect(buffer[6, 2] == pixels[20])
        #expect(buffer.span[20] == pixels[20])
        #expect(buffer.row(1)[0] == pixels[7])
    }

    // MARK: Sharing

    @Test func aCopyIsUntouchedByWrites() throws {
        let original = try PixelBuffer.random(width: 8, height: 6)
        let before = original.pixels
        var copy = original
        #expect(address(of: copy) == address(of: original))
        copy[3, 2] = 0xFF00_0001
        #expect(address(of: copy) != address(of: original))
        #expect(original.pixels == before)
        #expect(copy[3, 2] == 0xFF00_0001)
        copy[3, 2] = before[2 * 8 + 3]
        #expect(copy == original)
    }

    @Test func aSoleOwnerWritesInPlace() throws {
        var image = try PixelBuffer(width: 8, height: 6)
        let before = address(of: image)
        image[0, 0] = 1
        #expect(address(of: image) == before)
    }

    @Test func subRectanglesShareUntilEitherIsWritten() throws {
        var image = try PixelBuffer.random(width: 10, height: 8)
        let pixels = image.pixels
        var part = try image.cropped(to: PixelRectangle(x: 4, y: 3, width: 5, height: 4))
        #expect(part.bytesPerRow == image.bytesPerRow && !part.isContiguous)
        let offset = UInt(3 * image.bytesPerRow + 4 * 4)
        #expect(address(of: part) == address(of: image) + offset)
        #expect(part[4, 3] == image[8, 6])

        let partPixels = part.pixels
        image[4, 3] = 7
        #expect(part.pixels == partPixels)

        // The buffer that is written copies its own rectangle, without the rest of the rows.
        let second = part
        part[0, 0] = 9
        #expect(part.isContiguous && part.size == PixelSize(width: 5, height: 4))
        #expect(second.pixels == partPixels && second[0, 0] == pixels[3 * 10 + 4])
    }

    @Test func rectanglesOutsideThrow() throws {
        let image = try PixelBuffer(width: 4, height: 3)
        for (x, y, width, height) in [
            (0, 0, 5, 3), (0, 0, 4, 4), (-1, 0, 2, 2), (3, 2, 2, 1), (0, 0, 0, 1), (4, 0, 1, 1),
            (1, 0, .max, 1), (.max, 0, 1, 1), (0, .min, 1, 1),
        ] {
            let rectangle = PixelRectangle(x: x, y: y, width: width, height: height)
            #expect(throws: TexelError.rectangleOutOfBounds(rectangle, image.size)) {
                try image.cropped(to: rectangle)
            }
        }
    }

    // MARK: Adopted memory

    @Test func adoptedMemoryIsUsedInPlaceAndGivenBackOnce() throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 3 * 24, alignment: 4)
        for index in memory.indices { memory[index] = UInt8(index) }
        let counter = CallCounter()
        var image: PixelBuffer? = try PixelBuffer(
            adopting: memory, width: 5, height: 3, bytesPerRow: 24, alphaMode: .straight,
            deallocator: { memory in
                memory.deallocate()
                counter.count()
            })
        var part = try image?.cropped(to: PixelRectangle(x: 1, y: 1, width: 2, height: 2))
        #expect(image.map(address) == UInt(bitPattern: memory.baseAddress))
        #expect(image?[4, 2] == 0x4342_4140)
        #expect(part?.pixels == [0x1F1E_1D1C, 0x2322_2120, 0x3736_3534, 0x3B3A_3938])
        image = nil
        #expect(counter.value == 0)
        part = nil
        #expect(counter.value == 1)
    }

    @Test func memoryThatCannotBeAdoptedIsNotReleased() throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 8)
        defer { memory.deallocate() }
        let counter = CallCounter()
        func adopt(_ memory: UnsafeMutableRawBufferPointer, _ width: Int, _ height: Int, _ bytesPerRow: Int) throws {
            _ = try PixelBuffer(
                adopting: memory, width: width, height: height, bytesPerRow: bytesPerRow, alphaMode: .opaque,
                deallocator: { _ in counter.count() })
        }
        #expect(throws: TexelError.notEnoughBytes(needed: 104, available: 100)) { try adopt(memory, 2, 4, 32) }
        #expect(throws: TexelError.invalidBytesPerRow(4, width: 2)) { try adopt(memory, 2, 4, 4) }
        #expect(throws: TexelError.invalidBytesPerRow(10, width: 2)) { try adopt(memory, 2, 4, 10) }
        #expect(throws: TexelError.invalidBytesPerRow(-8, width: 2)) { try adopt(memory, 2, 4, -8) }
        let odd = UnsafeMutableRawBufferPointer(rebasing: memory[1...])
        #expect(throws: TexelError.misaligned) { try adopt(odd, 2, 2, 8) }
        let size = PixelSize(width: 2, height: .max)
        #expect(throws: TexelError.invalidSize(size)) { try adopt(memory, 2, .max, 8) }
        #expect(counter.value == 0)
    }

    // MARK: Sizes

    @Test func paddingBetweenRowsDoesNotCount() throws {
        let left = try PixelBuffer.random(width: 9, height: 5)
        let right = try PixelBuffer.random(width: 9, height: 5, seed: 2)
        let rectangle = PixelRectangle(x: 0, y: 0, width: 4, height: 5)
        #expect(try left.cropped(to: rectangle) != right.cropped(to: rectangle))
        let copy = try PixelBuffer(
            width: 4, height: 5, pixels: left.cropped(to: rectangle).pixels, alphaMode: .opaque)
        #expect(try left.cropped(to: rectangle) == copy)
        #expect(copy.bytesPerRow == 16 && left.bytesPerRow == 36)
    }

    /// Opaque pixels are equal in any two alpha modes, others are not.
    @Test func equalityAcrossAlphaModes() throws {
        let modes = [AlphaMode.opaque, .straight, .premultiplied]
        func buffers(_ lastPixel: UInt32) throws -> [PixelBuffer] {
            let pixels: [UInt32] = [0xFF00_0000, 0xFFFF_FFFF, 0xFF12_3456, lastPixel]
            return try modes.map { try PixelBuffer(width: 2, height: 2, pixels: pixels, alphaMode: $0) }
        }
        let opaque = try buffers(0xFF00_00FF)
        for left in opaque { for right in opaque { #expect(left == right) } }
        // The first buffer's pixels contradict its alpha mode.
        for lastPixel: UInt32 in [0xFE00_00FF, 0] {
            let buffers = try buffers(lastPixel)
            for left in buffers {
                for right in buffers { #expect((left == right) == (left.alphaMode == right.alphaMode)) }
            }
            #expect(buffers[1] != opaque[1])
        }
        var other = opaque[1]
        other[0, 0] = 0xFF00_0001
        #expect(other != opaque[0])
        #expect(try PixelBuffer(width: 4, height: 1, pixels: opaque[1].pixels) != opaque[1])
    }

    @Test func sizesThatCannotBeThrow() {
        let sizes = [(0, 1), (1, 0), (-1, 5), (5, -1), (.max, 1), (1 << 32, 1 << 32), (.max, .max), (.min, 1)]
        for (width, height) in sizes {
            let size = PixelSize(width: width, height: height)
            #expect(throws: TexelError.invalidSize(size)) { try PixelBuffer(width: width, height: height) }
        }
        #expect(throws: TexelError.pixelCountMismatch(expected: 6, actual: 5)) {
            try PixelBuffer(width: 3, height: 2, pixels: [0, 0, 0, 0, 0])
        }
    }

    private func address(of image: PixelBuffer) -> UInt {
        image.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }
}

/// Counts calls from any thread.
private final class CallCounter: Sendable {
    private let calls = Mutex(0)
    var value: Int { calls.withLock { $0 } }
    func count() { calls.withLock { $0 += 1 } }
}
