import Testing
import TexelCodecs
import TexelPixels

/// Numbers in bytes, and in bits.
@Suite struct BitReaderTests {
    private static let bytes: [UInt8] = [0x81, 0x02, 0xF3, 0x04, 0x05, 0x06, 0x07, 0xF8]

    @Test func numbersAreReadInBothOrders() {
        #expect((1...4).map { Self.bytes.littleEndian($0, at: 0) } == [0x81, 0x0281, 0xF3_0281, 0x04F3_0281])
        #expect((1...4).map { Self.bytes.bigEndian($0, at: 0) } == [0x81, 0x8102, 0x81_02F3, 0x8102_F304])
        #expect(Self.bytes[2...].bigEndian(2, at: 3) == 0x0405)
        #expect(Self.bytes.littleEndian(8, at: 0) == Int(truncatingIfNeeded: 0xF807_0605_04F3_0281 as UInt64))
        #expect(Self.bytes.bigEndian(8, at: 0) == Int(truncatingIfNeeded: 0x8102_F304_0506_07F8 as UInt64))
    }

    @Test(arguments: [0, 1, 255, 256, 65_535, 0xFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, .max, .min, -1])
    func writtenNumbersComeBack(number: Int) {
        #expect([UInt8](littleEndian: number, count: 8).littleEndian(8, at: 0) == number)
        #expect([UInt8](bigEndian: number, count: 8).bigEndian(8, at: 0) == number)
        for count in 1...7 {
            let lowest = number & (1 << (8 * count) - 1)
            #expect([UInt8](littleEndian: number, count: count).littleEndian(count, at: 0) == lowest)
            #expect([UInt8](bigEndian: number, count: count).bigEndian(count, at: 0) == lowest)
        }
    }

    @Test func bitsAreReadFromTheHighest() {
        var bits = BitReader(Self.bytes[...2])
        #expect(bits.flag() && bits.number(6) == 0 && bits.number(10) == 0b1_0000_0010_1)
        bits.skip(3)
        #expect(bits.number(4) == 0b0011 && !bits.isExhausted)
        #expect(bits.number(5) == 0 && bits.isExhausted)
    }
}
