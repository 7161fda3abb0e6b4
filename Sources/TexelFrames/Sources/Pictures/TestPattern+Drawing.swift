import TexelPixels

extension TestPattern {
    /// Draws the whole picture: colour bars, a ramp of greys, a square that moves through a dark track, and the number
    /// of the frame in large digits, so that a viewer sees which are missing. Opaque; the same bytes at every call.
    ///
    /// - Parameters:
    ///   - memory: room for `size.height` rows, aligned to four bytes; BGRA.
    ///   - bytesPerRow: from row to row, a multiple of four, at least `size.width * 4`.
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

    /// The bars of SMPTE and EBU test pictures, at 75 % of full brightness: 191 of 255.
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

    /// From black at the left to white at the right.
    private func drawRamp(_ rows: Range<Int>, _ canvas: PatternCanvas) {
        guard let first = rows.first else { return }
        let row = canvas.pixels + first * canvas.pixelsPerRow
        let last = max(1, size.width - 1)
        for x in 0..<size.width {
            row[x] = 0xFF00_0000 | UInt32((x * 255 + last / 2) / last) &* 0x1_0101
        }
        canvas.repeatRow(first, over: rows)
    }

    /// The square goes from one end of its track to the other in 120 frames, and back.
    private func drawTrack(_ rows: Range<Int>, _ canvas: PatternCanvas) {
        canvas.fill(0..<size.width, rows, with: 0xFF20_2020)
        let side = min(rows.count, size.width)
        let way = size.width - side
        let phase = Int(step.magnitude % 240)
        let left = way * (phase <= 120 ? phase : 240 - phase) / 120
        canvas.fill(left..<(left + side), rows.lowerBound..<(rows.lowerBound + side), with: 0xFFFF_8C00)
    }

    /// The number in the middle of the bars: white digits in a black box.
    private func drawNumber(within rows: Range<Int>, _ canvas: PatternCanvas) {
        let number = step.magnitude
        var digitCount = 4
        var limit: UInt = 10_000
        while number >= limit, digitCount < 19 {
            digitCount += 1
            limit *= 10
        }
        // Digits are 5 × 7 dots; one dot lies between them, and two around them all.
        let (across, down) = (6 * digitCount + 3, 11)
        let dot = min(size.width * 2 / 3 / across, rows.count / 2 / down)
        // Digits smaller than this could not be read.
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

/// Memory that a pattern is drawn into.
private struct PatternCanvas {
    let pixels: UnsafeMutablePointer<UInt32>
    let pixelsPerRow: Int
    let size: PixelSize

    /// Fills a rectangle, all of which lies inside the picture.
    func fill(_ columns: Range<Int>, _ rows: Range<Int>, with pixel: UInt32) {
        for y in rows {
            (pixels + y * pixelsPerRow + columns.lowerBound).update(repeating: pixel, count: columns.count)
        }
    }

    /// Makes all of `rows` like one that has been drawn.
    func repeatRow(_ drawn: Int, over rows: Range<Int>) {
        for y in rows where y != drawn {
            (pixels + y * pixelsPerRow).update(from: pixels + drawn * pixelsPerRow, count: size.width)
        }
    }
}

/// The ten digits in 5 × 7 dots.
private enum DigitFont {
    static let (width, height) = (5, 7)

    /// Row after row, the leftmost dot of the first in the highest of 35 bits.
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
