import TestImageWriting
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG

/// Builds JPEG files byte by byte, for features that no available library writes.
enum HandmadeJPEG {
    static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let length = payload.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
    }

    /// Returns a frame header with components that are not subsampled.
    static func frame(
        _ marker: UInt8, precision: UInt8 = 8, width: Int, height: Int, components: Int = 1
    ) -> [UInt8] {
        let sides: [UInt8] = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let rest: [UInt8] = (0..<components).flatMap { [UInt8($0 + 1), 0x11, 0] }
        return segment(marker, [precision] + sides + [UInt8(components)] + rest)
    }

    /// Returns only a header, for probing.
    static func header(
        _ marker: UInt8, precision: UInt8 = 8, width: Int = 8, height: Int = 8, components: Int = 1
    ) -> [UInt8] {
        let frame = frame(marker, precision: precision, width: width, height: height, components: components)
        let tables: [UInt8] = (0..<components).flatMap { [UInt8($0 + 1), 0] }
        return [0xFF, 0xD8] + frame + segment(0xDA, [UInt8(components)] + tables + [0, 63, 0])
    }

    /// Returns a greyscale file with one row of uniform blocks.
    ///
    /// - Parameters:
    ///   - blocks: the value of each block minus 128; neighbours differ by at most 127.
    ///   - interval: the restart interval in blocks; 0 for none.
    static func gray(blocks: [Int], restartInterval interval: Int = 0) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8]
        // With a step of 8, the DC coefficient of a block is its value.
        bytes += segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
        bytes += frame(0xC0, width: 8 * blocks.count, height: 8)
        // DC: seven categories with codes of three bits and one of four; AC: the end of block in one bit.
        bytes += segment(0xC4, [0x00, 0, 0, 7, 1] + [UInt8](repeating: 0, count: 12) + [0, 1, 2, 3, 4, 5, 6, 7])
        bytes += segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
        if interval > 0 { bytes += segment(0xDD, [UInt8(interval >> 8), UInt8(interval & 255)]) }
        bytes += segment(0xDA, [1, 1, 0, 0, 63, 0])
        var bits = BitWriter()
        var previous = 0
        for (index, value) in blocks.enumerated() {
            if interval > 0, index > 0, index % interval == 0 {
                bits.align()
                bits.bytes += [0xFF, 0xD0 + UInt8((index / interval - 1) % 8)]
                previous = 0
            }
            let difference = value - previous
            previous = value
            let category = Int.bitWidth - abs(difference).leadingZeroBitCount
            if category < 7 { bits.write(category, count: 3) } else { bits.write(0b1110, count: 4) }
            bits.write(difference < 0 ? difference + (1 << category) - 1 : difference, count: category)
            bits.write(0, count: 1)
        }
        bits.align()
        return bytes + bits.bytes + [0xFF, 0xD9]
    }

    /// Writes entropy-coded bits: stuffs a zero byte after each 255, and fills the last byte with ones.
    private struct BitWriter {
        var bytes: [UInt8] = []
        private var pending: [Int] = []

        mutating func write(_ value: Int, count: Int) {
            for bit in stride(from: count - 1, through: 0, by: -1) {
                pending.append(value >> bit & 1)
                guard pending.count == 8 else { continue }
                let byte = UInt8(pending.reduce(0) { $0 << 1 | $1 })
                bytes += byte == 255 ? [255, 0] : [byte]
                pending = []
            }
        }

        mutating func align() {
            while !pending.isEmpty { write(1, count: 1) }
        }
    }
}

/// Builds PNG files chunk by chunk.
enum HandmadePNG {
    static func bigEndian(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(CRC32.checksum(body))
    }

    static func header(
        width: UInt32, height: UInt32, bitDepth: UInt8 = 8, colorType: UInt8 = 2, interlace: UInt8 = 0
    ) -> [UInt8] {
        chunk("IHDR", bigEndian(width) + bigEndian(height) + [bitDepth, colorType, 0, 0, interlace])
    }

    /// Returns a file with `chunks` inserted before the first IDAT chunk.
    static func inserting(_ chunks: [UInt8], into file: [UInt8]) -> [UInt8] {
        guard let name = file.firstIndex(of: Array("IDAT".utf8)) else { return file }
        return Array(file[..<(name - 4)]) + chunks + file[(name - 4)...]
    }

    /// Returns the joined data of all chunks with a name.
    static func data(of name: String, in file: [UInt8]) -> [UInt8] {
        let png = PNGFile(bytes: InputBytes(file))
        return png.chunks.filter { $0.name == name }.flatMap { file[$0.data] }
    }

    /// Returns a zlib stream of about `count` zero bytes, a thousandth of their size: the pixels of a black image.
    static func bomb(_ count: Int) throws -> [UInt8] {
        let writer = PNGWriter(PixelSize(width: 999, height: count / 1000), .gray, bitDepth: 8)
        return data(of: "IDAT", in: try writer.bytes(Array(repeating: 0, count: 999 * (count / 1000))))
    }

    /// Returns a uniform grey image whose zlib stream continues after the last row: `excess` zeros, then invalid data.
    /// A text chunk follows the pixels.
    static func excessive(_ size: PixelSize, gray: UInt8, isInterlaced: Bool, excess: Int) -> [UInt8] {
        // Adam7: the first column and row of each pass, and its steps.
        let passes =
            isInterlaced
            ? [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
            : [(0, 0, 1, 1)]
        var rows: [UInt8] = []
        for (x, y, across, down) in passes where x < size.width {
            let row = [0] + Array(repeating: gray, count: (size.width - x + across - 1) / across)
            for _ in stride(from: y, to: size.height, by: down) { rows += row }
        }
        rows += Array(repeating: 0, count: excess)
        var stream: [UInt8] = [0x78, 0x01]
        for begin in stride(from: 0, to: rows.count, by: 50_000) {
            let block = rows[begin..<min(begin + 50_000, rows.count)]
            let length = [UInt8(truncatingIfNeeded: block.count), UInt8(truncatingIfNeeded: block.count >> 8)]
            stream += [0] + length + length.map(~) + block
        }
        stream += Array(repeating: 0xFF, count: 1000)
        let header = header(
            width: UInt32(size.width), height: UInt32(size.height), colorType: 0, interlace: isInterlaced ? 1 : 0)
        let pixels = stride(from: 0, to: stream.count, by: 40_000).flatMap { begin in
            chunk("IDAT", Array(stream[begin..<min(begin + 40_000, stream.count)]))
        }
        return PNGFile.signature + header + pixels + chunk("tEXt", Array("Comment\0behind".utf8)) + chunk("IEND", [])
    }

    /// Returns grey rows; the first are stored, and the others, of zeros and ones, have Huffman codes that leave one
    /// combination of bits unused, which zlib rejects. The Adler-32 is wrong.
    static func unusualCodes(storedRows: Int, rows: Int, width: Int) -> [UInt8] {
        let stored = storedRows * (width + 1)
        let length = [UInt8(truncatingIfNeeded: stored), UInt8(truncatingIfNeeded: stored >> 8)]
        var stream: [UInt8] = [0x78, 0x01, 0] + length + length.map(~) + Array(repeating: 0, count: stored)
        var bits: [Int] = []
        /// Appends a number, lowest bit first; codes are written highest bit first (RFC 1951, 3.1.1).
        func write(_ value: Int, _ count: Int) { bits += (0..<count).map { value >> $0 & 1 } }
        write(1, 1)
        write(2, 2)
        // 257 literal/length codes, one distance code, 16 code length codes: one bit for 18, two bits for 0 and 2.
        write(0, 5)
        write(0, 5)
        write(12, 4)
        for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2] {
            write(symbol == 18 ? 1 : symbol == 0 || symbol == 2 ? 2 : 0, 3)
        }
        let (zeros, none, two) = ([0], [1, 0], [1, 1])
        // Symbols 0 and 1 have two bits, the next 254 are unused, the end of block has two bits, and no distance is
        // used.
        bits += two + two + zeros
        write(138 - 11, 7)
        bits += zeros
        write(116 - 11, 7)
        bits += two + none
        for row in 0..<rows {
            bits += [0, 0]
            for x in 0..<width { bits += [0, (x + row) % 3 == 0 ? 1 : 0] }
        }
        bits += [1, 0]
        for begin in stride(from: 0, to: bits.count, by: 8) {
            stream.append(bits[begin..<min(begin + 8, bits.count)].reversed().reduce(0) { $0 << 1 | UInt8($1) })
        }
        return stream + [0, 0, 0, 0]
    }
}
