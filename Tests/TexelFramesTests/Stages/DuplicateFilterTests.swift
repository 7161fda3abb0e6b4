import Testing
import TexelPixels

@testable import TexelFrames

@Suite struct DuplicateFilterTests {
    private let size = PixelSize(width: 17, height: 5)
    private let pool = FramePool(capacity: 3)

    /// A frame of equal bytes, except one.
    private func frame(otherByte place: Int? = nil) throws -> Frame {
        try pool.makeFrameIfFree(size: size, time: .zero) { bytes, _ in
            for index in bytes.indices { bytes[index] = index == place ? 8 : 7 }
        }.orFail()
    }

    @Test func everyByteOfThePixelsCounts() throws {
        let bytesPerRow = Frame.bytesPerRow(width: size.width)
        for place in 0..<(bytesPerRow * size.height) {
            let filter = DuplicateFilter()
            let isFirst = !filter.isDuplicate(try frame())
            let isSame = filter.isDuplicate(try frame(otherByte: place))
            let isPadding = place % bytesPerRow >= size.width * PixelBuffer.bytesPerPixel
            #expect(isFirst && isSame == isPadding, "byte \(place)")
        }
    }
}
