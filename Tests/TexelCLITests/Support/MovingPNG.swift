import Texel

/// An animated PNG of images of one size.
enum MovingPNG {
    /// - Parameters:
    ///   - hundredths: the delay of each image in hundredths of a second; `nil` for a tenth of a second each.
    ///   - plays: the number of plays, 0 for endless.
    static func bytes(_ images: [PixelBuffer], hundredths: [Int]? = nil, plays: UInt32 = 0) throws -> [UInt8] {
        // All chunks except the pixels are equal.
        let options = PNGOptions(reducesLosslessly: false, effort: .fast)
        let files = try images.map { chunks(of: try $0.encoded(as: .png(options))) }
        var result: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var sequence: UInt32 = 0
        func number() -> [UInt8] {
            defer { sequence += 1 }
            return word(sequence)
        }
        result += chunk("IHDR", files[0].first { $0.name == "IHDR" }?.data ?? [])
        result += chunk("acTL", word(UInt32(images.count)) + word(plays))
        for (index, file) in files.enumerated() {
            let size = word(UInt32(images[index].width)) + word(UInt32(images[index].height))
            let delay = UInt32(hundredths?[index] ?? 10) << 16 | 100
            result += chunk("fcTL", number() + size + word(0) + word(0) + word(delay) + [0, 0])
            for part in file where part.name == "IDAT" {
                result += index == 0 ? chunk("IDAT", part.data) : chunk("fdAT", number() + part.data)
            }
        }
        return result + chunk("IEND", [])
    }

    private static func chunks(of png: [UInt8]) -> [(name: String, data: [UInt8])] {
        var chunks: [(name: String, data: [UInt8])] = []
        var position = 8
        while position + 12 <= png.count {
            let count = png[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
            let name = String(decoding: png[(position + 4)..<(position + 8)], as: UTF8.self)
            chunks.append((name, Array(png[(position + 8)..<(position + 8 + count)])))
            position += 12 + count
        }
        return chunks
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in body {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xEDB8_8320 : checksum >> 1 }
        }
        return word(UInt32(data.count)) + body + word(~checksum)
    }

    private static func word(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
}
