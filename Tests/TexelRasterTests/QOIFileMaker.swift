import TexelPixels

/// An encoder of QOI as the specification describes it, for tests.
enum QOIFileMaker {
    /// Every chunk kind can be switched off, so that tests reach the others.
    struct Kinds: OptionSet {
        let rawValue: Int
        static let runs = Kinds(rawValue: 1)
        static let indices = Kinds(rawValue: 2)
        static let differences = Kinds(rawValue: 4)
        static let luma = Kinds(rawValue: 8)
        static let all: Kinds = [.runs, .indices, .differences, .luma]
    }

    static func header(width: Int, height: Int, channels: UInt8 = 4, colorSpace: UInt8 = 0) -> [UInt8] {
        let sides = [width, height].flatMap { side in [24, 16, 8, 0].map { UInt8(side >> $0 & 255) } }
        return Array("qoif".utf8) + sides + [channels, colorSpace]
    }

    static func file(
        _ image: PixelBuffer, channels: UInt8 = 4, colorSpace: UInt8 = 0, kinds: Kinds = .all
    ) -> [UInt8] {
        let pixels = image.pixels.map { pixel in
            [16, 8, 0, 24].map { UInt8(pixel >> UInt32($0) & 255) }
        }
        var bytes = header(width: image.width, height: image.height, channels: channels, colorSpace: colorSpace)
        var seen = [[UInt8]](repeating: [0, 0, 0, 0], count: 64)
        var previous: [UInt8] = [0, 0, 0, 255]
        var run: UInt8 = 0
        func flush() {
            if run > 0 { bytes.append(0xC0 | (run - 1)) }
            run = 0
        }
        for pixel in pixels {
            if pixel == previous, kinds.contains(.runs) {
                run += 1
                if run == 62 { flush() }
                continue
            }
            flush()
            let hash = (Int(pixel[0]) * 3 + Int(pixel[1]) * 5 + Int(pixel[2]) * 7 + Int(pixel[3]) * 11) % 64
            let change = (0..<3).map { Int(Int8(bitPattern: pixel[$0] &- previous[$0])) }
            let (red, blue) = (change[0] - change[1], change[2] - change[1])
            if seen[hash] == pixel, kinds.contains(.indices) {
                bytes.append(UInt8(hash))
            } else if pixel[3] != previous[3] {
                bytes += [0xFF] + pixel
            } else if change.allSatisfy({ (-2...1).contains($0) }), kinds.contains(.differences) {
                bytes.append(0x40 | UInt8((change[0] + 2) << 4 | (change[1] + 2) << 2 | (change[2] + 2)))
            } else if (-32...31).contains(change[1]), (-8...7).contains(red), (-8...7).contains(blue),
                kinds.contains(.luma)
            {
                bytes += [0x80 | UInt8(change[1] + 32), UInt8((red + 8) << 4 | (blue + 8))]
            } else {
                bytes += [0xFE] + pixel.prefix(3)
            }
            seen[hash] = pixel
            previous = pixel
        }
        flush()
        return bytes + [0, 0, 0, 0, 0, 0, 0, 1]
    }
}
