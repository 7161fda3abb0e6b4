import TexelPixels

extension TestPattern {
    /// Draws the image: colour bars, a grey ramp, a square that moves along a dark track, and the frame number in large
    /// digits, which shows a viewer which frames are missing. Opaque; equal calls produce equal bytes.
    ///
    /// - Parameters:
    ///   - memory: Receives BGRA pixels; holds `size.height` rows, aligned to 4 bytes.
    ///   - bytesPerRow: The stride in bytes: a multiple of 4, at least `size.width * 4`.
    func draw(into memory: UnsafeMutableRawPointer, bytesPerRow: Int) {
        guard size.isPositive else { return }
        let canvas = PatternCanvas(
            pixels: memory.assumingMemoryBound(to: UInt32.self),
            pixelsPerRow: bytesPerRow / PixelBuffer.bytesPerPixel, size: size)
        let barsEnd = size.height - size.height / 3
        let rampEnd = barsEnd + (size.height - barsEnd) / 2
        drawBars(0..<barsEnd, canvas)
        drawRamp(barsEnd..<rampEnd, canvas)
        drawTrack(rampEnd..<size.height, canvas)
        drawNumber(within: 0..<barsEnd, canvas)
    }

    /// The colour bars of SMPTE and EBU test images, at 75 % amplitude: 191 of 255.
    private static func bar(_ index: Int) -> UInt32 {
        switch index {
        case 0: 0xFFBF_BFBF
        case 1: 0xFFBF_BF00
        case 2: 0xFF00_BFBF
        case 3: 0xFF00_BF00
        case 4: 0xFFBF_00BF
        case 5: 0xFFBF_0000
        default: 0xFF00_00BF
        }
    }

    private func drawBars(_ rows: Range<Int>, _ canvas: PatternCanvas) {
        guard let first = rows.first else { return }
        for index in 0..<7 {
            canvas.fill(
                (size.width * index / 7)..<(size.width * (index + 1) / 7), first..<(first + 1), with: Self.bar(index))
        }
        canvas.repeatRow(first, over: rows)
    }

    /// Draws a ramp from black on the left to white on the right.
    private func drawRamp(_ rows: Range<Int>, _ canvas: PatternCanvas) {
        guard let first = rows.first else { return }
        let row = canvas.pixels + first * canvas.pixelsPerRow
        let last = max(1, size.width - 1)
        for x in 0..<size.width {
            row[x] = 0xFF00_0000 | UInt32((x * 255 + last / 2) / last) &* 0x1_0101
        }
        canvas.repeatRow(first, over: rows)
    }

    /// Draws the square, which crosses its track in 120 frames and then returns.
    private func drawTrack(_ rows: Range<Int>, _ canvas: PatternCanvas) {
        canvas.fill(0..<size.width, rows, with: 0xFF20_2020)
        let side = min(rows.count, size.width)
        let way = size.width - side
        let phase = Int(step.magnitude % 240)
        let left = way * (phase <= 120 ? phase : 240 - phase) / 120
        canvas.fill(left..<(left + side), rows.lowerBound..<(rows.lowerBound + side), with: 0xFFFF_8C00)
    }

    /// Draws the frame number in the middle of the bars: white digits on a black box.
    private func drawNumber(within rows: Range<Int>, _ canvas: PatternCanvas) {
        let number = step.magnitude
        var digitCount = 4
        var limit: UInt = 10_000
        while number >= limit, digitCount < 19 {
            digitCount += 1
            limit *= 10
        }
        // Digits are 5 × 7 dots, with one dot between them and a border of two dots.
        let (across, down) = (6 * digitCount + 3, 11)
        let dot = min(size.width * 2 / 3 / across, rows.count / 2 / down)
        // Too small to be readable.
        guard dot >= 1 else { return }
        let left = (size.width - across * dot) / 2
        let top = rows.lowerBound + (rows.count - down * dot) / 2
        canvas.fill(left..<(left + across * dot), top..<(top + down * dot), with: 0xFF00_0000)
        var rest = number
        for place in (0..<digitCount).reversed() {
            let dots = DigitFont.dots(of: Int(rest % 10))
            rest /= 10
            let x = left + (2 + 6 * place) * dot
            for row in 0..<DigitFont.height {
                for column in 0..<DigitFont.width where DigitFont.isSet(dots, column: column, row: row) {
                    let (x, y) = (x + column * dot, top + (2 + row) * dot)
                    canvas.fill(x..<(x + dot), y..<(y + dot), with: 0xFFFF_FFFF)
                }
            }
        }
    }
}

/// The memory that a pattern is drawn into.
private struct PatternCanvas {
    let pixels: UnsafeMutablePointer<UInt32>
    let pixelsPerRow: Int
    let size: PixelSize

    /// Fills a rectangle, which must be inside the image.
    func fill(_ columns: Range<Int>, _ rows: Range<Int>, with pixel: UInt32) {
        for y in rows {
            (pixels + y * pixelsPerRow + columns.lowerBound).update(repeating: pixel, count: columns.count)
        }
    }

    /// Copies the row `drawn` to all of `rows`.
    func repeatRow(_ drawn: Int, over rows: Range<Int>) {
        for y in rows where y != drawn {
            (pixels + y * pixelsPerRow).update(from: pixels + drawn * pixelsPerRow, count: size.width)
        }
    }
}

/// The ten digits as 5 × 7 bitmaps.
private enum DigitFont {
    static let (width, height) = (5, 7)

    /// 35 bits, row by row from the top; the highest bit is the top left dot.
    static func dots(of digit: Int) -> UInt64 {
        switch digit {
        case 0: 0b01110_10001_10011_10101_11001_10001_01110
        case 1: 0b00100_01100_00100_00100_00100_00100_01110
        case 2: 0b01110_10001_00001_00110_01000_10000_11111
        case 3: 0b11110_00001_00001_01110_00001_00001_11110
        case 4: 0b00010_00110_01010_10010_11111_00010_00010
        case 5: 0b11111_10000_11110_00001_00001_10001_01110
        case 6: 0b00110_01000_10000_11110_10001_10001_01110
        case 7: 0b11111_00001_00010_00100_01000_01000_01000
        case 8: 0b01110_10001_10001_01110_10001_10001_01110
        default: 0b01110_10001_10001_01111_00001_00010_01100
        }
    }

    static func isSet(_ dots: UInt64, column: Int, row: Int) -> Bool {
        dots >> UInt64(width * height - 1 - row * width - column) & 1 == 1
    }
}
