package import TexelPixels

// The images that the files show.

extension Canvas {
    /// Something like a photograph: a sky, a sun, three ranges of hills, a textured field, a house with hard edges, and
    /// a camera's noise over everything.
    package static func photograph(_ size: PixelSize, seed: UInt64 = 1) -> Canvas {
        let (sky, hills, field, grain) = (
            ValueNoise(seed: seed), ValueNoise(seed: seed &+ 1), ValueNoise(seed: seed &+ 2),
            ValueNoise(seed: seed &+ 3)
        )
        let (width, height) = (Double(size.width), Double(size.height))
        let ranges = (0..<3).map { range in
            (0..<size.width).map { x in
                let ridge = hills.value(Double(x), Double(range) * 977, period: width / Double(4 + 2 * range))
                return height * (0.42 + 0.13 * Double(range)) + ridge * height * 0.09
            }
        }
        var canvas = Canvas(size) { column, row in
            let (x, y) = (Double(column), Double(row))
            let noise = grain.value(x, y, period: 2) * 5
            let depth = y / height
            guard let range = (0..<3).last(where: { y > ranges[$0][column] }) else {
                let cloud = max(0, sky.value(x, y * 2, period: width / 5)) * 60
                return opaquePixel(
                    90 + 120 * depth + cloud + noise, 140 + 90 * depth + cloud + noise, 225 + cloud / 2 + noise)
            }
            let grass = field.value(x, y, period: 7) * 18 + field.value(x, y, period: 30) * 25
            let near = Double(range) / 2
            return opaquePixel(
                95 - 25 * near + grass * near + noise, 125 - 10 * near + grass * near + noise,
                150 - 95 * near + grass / 2 * near + noise)
        }
        canvas.disc(x: width * 0.8, y: height * 0.18, radius: height * 0.07, 0xFFFF_F4D0)
        let (left, top) = (size.width / 6, size.height * 3 / 5)
        canvas.fill(x: left, y: top, width: size.width / 8, height: size.height / 6, 0xFFC8_5A46)
        let pane = size.width / 40
        canvas.fill(x: left + pane, y: top + 4, width: pane, height: size.height / 20, 0xFF28_3040)
        return canvas
    }

    /// Letters, lines and circles in black on white.
    package static func text(_ size: PixelSize) -> Canvas {
        var canvas = Canvas(size)
        let black: UInt32 = 0xFF00_0000
        let (right, bottom) = (size.width - 1, size.height - 1)
        canvas.line(from: (0, 0), to: (right, 0), black)
        canvas.line(from: (0, bottom), to: (right, bottom), black)
        canvas.line(from: (0, 0), to: (0, bottom), black)
        canvas.line(from: (right, 0), to: (right, bottom), black)
        canvas.text("TEXEL", x: 8, y: 8, scale: 4, black)
        canvas.text("SPHINX OF BLACK QUARTZ", x: 8, y: 44, black)
        canvas.text("JUDGE MY VOW 0123456789", x: 8, y: 54, black)
        for step in 0..<12 { canvas.line(from: (8, bottom - 8), to: (right - 8, 66 + step * 6), black) }
        return canvas
    }

    /// A bar chart in a few plain colours.
    package static func chart(_ size: PixelSize) -> Canvas {
        var canvas = Canvas(size)
        for (index, color) in chartColors.enumerated() {
            let height = (index * 7919 % 10 + 2) * size.height / 14
            canvas.fill(
                x: 6 + index * size.width / 12, y: size.height - height - 6, width: size.width / 16, height: height,
                color)
        }
        canvas.line(from: (2, size.height - 5), to: (size.width - 3, size.height - 5), 0xFF20_2020)
        canvas.text("RESULTS", x: 6, y: 6, scale: 2, 0xFF20_2020)
        return canvas
    }

    private static let chartColors: [UInt32] = [
        0xFF1F_77B4, 0xFFFF_7F0E, 0xFF2C_A02C, 0xFFD6_2728, 0xFF94_67BD, 0xFF8C_564B, 0xFFE3_77C2, 0xFF7F_7F7F,
        0xFFBC_BD22, 0xFF17_BECF,
    ]

    /// Discs with antialiased edges over a soft shadow, on nothing.
    package static func shapes(_ size: PixelSize) -> Canvas {
        var canvas = Canvas(size, 0)
        let (width, height) = (Double(size.width), Double(size.height))
        canvas.disc(x: width * 0.46, y: height * 0.58, radius: height * 0.3, softness: height * 0.25, 0x9000_0000)
        canvas.disc(x: width * 0.4, y: height * 0.45, radius: height * 0.3, 0xFFE0_3C31)
        canvas.disc(x: width * 0.6, y: height * 0.5, radius: height * 0.25, 0xC02F_6BD8)
        canvas.disc(x: width * 0.5, y: height * 0.7, radius: height * 0.18, 0x60FF_D400)
        canvas.text("A", x: size.width / 2, y: size.height / 4, scale: 3, 0xFFFF_FFFF)
        return canvas
    }

    /// A white F on grey with a different colour in every corner: no move of it looks like another.
    package static func letter(_ size: PixelSize) -> Canvas {
        var canvas = Canvas(size, 0xFF60_6060)
        let corner = min(size.width, size.height) / 4
        let (right, bottom) = (size.width - corner, size.height - corner)
        canvas.fill(x: 0, y: 0, width: corner, height: corner, 0xFFE0_2020)
        canvas.fill(x: right, y: 0, width: corner, height: corner, 0xFF20_C020)
        canvas.fill(x: 0, y: bottom, width: corner, height: corner, 0xFF20_40E0)
        canvas.fill(x: right, y: bottom, width: corner, height: corner, 0xFFE0_D020)
        canvas.text("F", x: size.width / 2 - 15, y: size.height / 2 - 21, scale: 6, 0xFFFF_FFFF)
        return canvas
    }

    /// All colours at full strength: red from left to right, green from top to bottom, blue across.
    package static func colors(_ size: PixelSize) -> Canvas {
        Canvas(size) { x, y in
            let across = Double(x) / Double(max(1, size.width - 1))
            let down = Double(y) / Double(max(1, size.height - 1))
            return opaquePixel(255 * across, 255 * down, 255 * (1 - across) * (1 - down) + 255 * across * down)
        }
    }
}
