import TexelCodecs
import TexelPNG
package import TexelPixels

/// One file of TestImages/.
package struct TestImage: Sendable {
    package let name: String
    package let bytes: [UInt8]

    /// All of them, made afresh.
    package static func all() throws -> [TestImage] {
        try photographs() + drawings() + grays() + deepColors() + interlaced() + transparentColors()
            + sizes() + orientations() + inks() + samplings() + profiles() + metadata()
    }

    static func png(_ name: String, _ canvas: Canvas, _ colorType: PNGWriter.ColorType = .rgb) throws -> TestImage {
        let writer = PNGWriter(canvas.size, colorType, bitDepth: 8)
        return TestImage(name: name, bytes: try writer.bytes(canvas.samples(colorType)))
    }

    static func jpeg(
        _ name: String, _ canvas: Canvas, _ configure: (inout JPEGWriter) -> Void = { _ in }
    ) throws -> TestImage {
        var writer = JPEGWriter(canvas.size, .yCbCr)
        configure(&writer)
        return TestImage(name: name, bytes: try writer.bytes(canvas.bgra))
    }
}

// MARK: Images

extension TestImage {
    private static func photographs() throws -> [TestImage] {
        let large = Canvas.photograph(PixelSize(width: 640, height: 427))
        return [
            try jpeg("photograph.jpg", large) {
                $0.sampling = (2, 2)
                $0.quality = 92
            },
            try png("photograph.png", .photograph(PixelSize(width: 320, height: 240), seed: 7)),
            try jpeg("progressive.jpg", .photograph(PixelSize(width: 160, height: 120), seed: 9)) {
                $0.isProgressive = true
                $0.sampling = (2, 2)
            },
        ]
    }

    private static func drawings() throws -> [TestImage] {
        let text = Canvas.text(PixelSize(width: 200, height: 150))
        let textWriter = PNGWriter(text.size, .gray, bitDepth: 1)
        let bits = text.samples(.gray).map { $0 / 255 }

        let chart = Canvas.chart(PixelSize(width: 200, height: 150))
        var chartWriter = PNGWriter(chart.size, .palette, bitDepth: 4)
        chartWriter.palette = Set(chart.pixels).sorted()

        // Ten hues in sixteen strengths: a palette whose entries differ in alpha.
        let glass = Canvas(PixelSize(width: 80, height: 48)) { x, y in
            let hue = x / 8
            let (red, green, blue) = (UInt32(hue * 25), UInt32(255 - hue * 20), UInt32(hue % 3 * 100))
            return UInt32(y / 3 * 17) << 24 | red << 16 | green << 8 | blue
        }
        var glassWriter = PNGWriter(glass.size, .palette, bitDepth: 8)
        glassWriter.palette = Set(glass.pixels).sorted()

        return [
            TestImage(name: "text-1-bit.png", bytes: try textWriter.bytes(bits)),
            TestImage(
                name: "chart-palette.png",
                bytes: try chartWriter.bytes(chart.samples(.palette, palette: chartWriter.palette))),
            TestImage(
                name: "glass-palette-alpha.png",
                bytes: try glassWriter.bytes(glass.samples(.palette, palette: glassWriter.palette))),
            try png("shapes-alpha.png", .shapes(PixelSize(width: 200, height: 150)), .rgba),
        ]
    }

    /// All values of few bits by turns; of many bits a ramp from end to end.
    static func ramp(_ size: PixelSize, depth: Int) -> [UInt16] {
        let largest = (1 << depth) - 1
        let last = size.width * size.height - 1
        return (0...last).map { UInt16(depth < 8 ? ($0 + $0 / size.width) & largest : $0 * largest / max(1, last)) }
    }

    private static func grays() throws -> [TestImage] {
        let size = PixelSize(width: 64, height: 48)
        return try [1, 2, 4, 8, 16].map { depth in
            let writer = PNGWriter(size, .gray, bitDepth: depth)
            return TestImage(name: "gray-\(depth)-bit.png", bytes: try writer.bytes(ramp(size, depth: depth)))
        }
    }

    private static func deepColors() throws -> [TestImage] {
        let size = PixelSize(width: 64, height: 48)
        return try [(PNGWriter.ColorType.grayAlpha, 8), (.grayAlpha, 16), (.rgb, 16), (.rgba, 16)].map { type, depth in
            let names: [PNGWriter.ColorType: String] = [.grayAlpha: "gray-alpha", .rgb: "rgb", .rgba: "rgba"]
            let ramps = (0..<type.channels).map { channel in
                let ramp = ramp(size, depth: depth)
                return channel % 2 == 0 ? ramp : ramp.reversed()
            }
            let samples = (0..<(size.width * size.height)).flatMap { pixel in ramps.map { $0[pixel] } }
            let writer = PNGWriter(size, type, bitDepth: depth)
            return TestImage(name: "\(names[type] ?? "")-\(depth)-bit.png", bytes: try writer.bytes(samples))
        }
    }

    private static func interlaced() throws -> [TestImage] {
        let size = PixelSize(width: 65, height: 33)
        let shapes = Canvas.shapes(size)
        var color = PNGWriter(size, .rgba, bitDepth: 8)
        color.isInterlaced = true
        var deep = PNGWriter(size, .gray, bitDepth: 16)
        deep.isInterlaced = true
        var bits = PNGWriter(size, .gray, bitDepth: 1)
        bits.isInterlaced = true
        let stripes = (0..<(size.width * size.height)).map { UInt16($0 / 3 & 1) }
        return [
            TestImage(name: "interlaced-rgba.png", bytes: try color.bytes(shapes.samples(.rgba))),
            TestImage(name: "interlaced-gray-16-bit.png", bytes: try deep.bytes(ramp(size, depth: 16))),
            TestImage(name: "interlaced-1-bit.png", bytes: try bits.bytes(stripes)),
        ]
    }

    private static func transparentColors() throws -> [TestImage] {
        let letter = Canvas.letter(PixelSize(width: 60, height: 60))
        var color = PNGWriter(letter.size, .rgb, bitDepth: 8)
        color.transparentColor = [0x60, 0x60, 0x60]
        var gray = PNGWriter(letter.size, .gray, bitDepth: 8)
        gray.transparentColor = [0x60]
        // Neighbours of the transparent value round to the same byte, and stay opaque all the same.
        var deep = PNGWriter(PixelSize(width: 64, height: 48), .gray, bitDepth: 16)
        let samples = (0..<UInt16(64 * 48)).map { 0x6000 + $0 }
        deep.transparentColor = [0x6080]
        return [
            TestImage(name: "rgb-transparent-color.png", bytes: try color.bytes(letter.samples(.rgb))),
            TestImage(name: "gray-transparent-color.png", bytes: try gray.bytes(letter.samples(.gray))),
            TestImage(name: "gray-16-bit-transparent-color.png", bytes: try deep.bytes(samples)),
        ]
    }

    private static func sizes() throws -> [TestImage] {
        try [(1, 1), (3, 7), (65, 33)].flatMap { width, height in
            let canvas = Canvas.colors(PixelSize(width: width, height: height))
            return [
                try png("size-\(width)x\(height).png", canvas),
                try jpeg("size-\(width)x\(height).jpg", canvas) { $0.sampling = (2, 2) },
            ]
        }
    }

    /// Eight files that all look the same when they are displayed.
    private static func orientations() throws -> [TestImage] {
        let upright = Canvas.letter(PixelSize(width: 96, height: 64))
        let image = try PixelBuffer(width: 96, height: 64, pixels: upright.pixels, alphaMode: .opaque)
        return try Orientation.allCases.map { orientation in
            let stored = try image.oriented(orientation.inverse)
            var canvas = Canvas(stored.size)
            canvas.pixels = stored.pixels
            return try jpeg("orientation-\(orientation.rawValue).jpg", canvas) {
                $0.segments = [exifSegment(EXIF.block(orientation: orientation))]
            }
        }
    }
}

// MARK: JPEG's ways to store colours

extension TestImage {
    /// Inks as Adobe's programs store them: inverted, 255 for none.
    package static func invertedInks(_ canvas: Canvas) -> [UInt8] {
        canvas.pixels.flatMap { pixel -> [UInt8] in
            let colors = [16, 8, 0].map { UInt8(truncatingIfNeeded: pixel >> $0) }
            let black = max(1, colors.max() ?? 0)
            return colors.map { UInt8(Int($0) * 255 / Int(black)) } + [black]
        }
    }

    private static func inks() throws -> [TestImage] {
        let canvas = Canvas.colors(PixelSize(width: 96, height: 64))
        return try [("cmyk.jpg", JPEGWriter.Color.cmyk), ("ycck.jpg", .ycck)].map { name, color in
            var writer = JPEGWriter(canvas.size, color)
            writer.quality = 95
            return TestImage(name: name, bytes: try writer.bytes(invertedInks(canvas)))
        }
    }

    private static func samplings() throws -> [TestImage] {
        let canvas = Canvas.photograph(PixelSize(width: 99, height: 67), seed: 3)
        let factors: [(String, (Int32, Int32))] = [("444", (1, 1)), ("422", (2, 1)), ("440", (1, 2)), ("420", (2, 2))]
        let colors = try factors.map { name, factors in
            try jpeg("subsampling-\(name).jpg", canvas) { $0.sampling = (factors.0, factors.1) }
        }
        let gray = JPEGWriter(canvas.size, .gray)
        let rgb = try jpeg("rgb.jpg", canvas) { $0.color = .rgb }
        return colors + [
            TestImage(name: "gray.jpg", bytes: try gray.bytes(canvas.samples(.gray).map { UInt8($0) })), rgb,
        ]
    }
}

// MARK: What stands beside the pixels

extension TestImage {
    /// Display P3's primaries with a plain exponent of 2.2.
    package static let wideGamut = Calibration(
        gamma: 45_455,
        chromaticities: .init(
            white: (31_270, 32_900), red: (68_000, 32_000), green: (26_500, 69_000), blue: (15_000, 6_000)))

    private static func exifSegment(_ block: [UInt8]) -> JPEGWriter.Segment {
        JPEGWriter.Segment(marker: 0xE1, payload: Array("Exif\0\0".utf8) + block)
    }

    private static func profiles() throws -> [TestImage] {
        let canvas = Canvas.colors(PixelSize(width: 96, height: 64))
        let profile = try ColorSpace.calibrated(wideGamut).embeddableProfile()
        var withProfile = PNGWriter(canvas.size, .rgb, bitDepth: 8)
        withProfile.profile = profile
        var calibrated = PNGWriter(canvas.size, .rgb, bitDepth: 8)
        calibrated.gamma = wideGamut.gamma
        calibrated.chromaticities = wideGamut.chromaticities
        let samples = canvas.samples(.rgb)
        return [
            TestImage(name: "wide-gamut-profile.png", bytes: try withProfile.bytes(samples)),
            TestImage(name: "wide-gamut-gamma-chromaticities.png", bytes: try calibrated.bytes(samples)),
            try jpeg("wide-gamut-profile.jpg", canvas) {
                // Part 1 of 1.
                let payload = Array("ICC_PROFILE\0".utf8) + [1, 1] + (profile?.bytes ?? [])
                $0.segments = [.init(marker: 0xE2, payload: payload)]
            },
        ]
    }

    /// Metadata of a camera and an editor, including a place on Earth and an owner's name.
    package static var fullEXIF: [UInt8] {
        var builder = EXIFBuilder(byteOrder: .littleEndian)
        builder.add(EXIFTag.make, .ascii("Texel Works"), to: \.image)
        builder.add(EXIFTag.model, .ascii("T1"), to: \.image)
        builder.add(EXIFTag.orientation, .short([1]), to: \.image)
        builder.add(EXIFTag.xResolution, .rational([300, 1]), to: \.image)
        builder.add(EXIFTag.yResolution, .rational([300, 1]), to: \.image)
        builder.add(EXIFTag.resolutionUnit, .short([2]), to: \.image)
        builder.add(EXIFTag.artist, .ascii("A. Person"), to: \.image)
        builder.add(EXIFTag.copyright, .ascii("The Texel project"), to: \.image)
        builder.add(EXIFTag.exposureTime, .rational([1, 250]), to: \.exif)
        builder.add(EXIFTag.fNumber, .rational([28, 10]), to: \.exif)
        builder.add(EXIFTag.photographicSensitivity, .short([400]), to: \.exif)
        builder.add(EXIFTag.dateTimeOriginal, .ascii("2024:05:06 07:08:09"), to: \.exif)
        builder.add(EXIFTag.focalLength, .rational([50, 1]), to: \.exif)
        builder.add(EXIFTag.lensModel, .ascii("Planar 50"), to: \.exif)
        builder.add(EXIFTag.bodySerialNumber, .ascii("0815"), to: \.exif)
        builder.add(EXIFTag.gpsVersion, .undefined([2, 3, 0, 0]), to: \.gps)
        builder.add(0x0001, .ascii("N"), to: \.gps)
        builder.add(EXIFTag.gpsLatitude, .rational([48, 1, 8, 1, 0, 1]), to: \.gps)
        builder.add(0x0003, .ascii("E"), to: \.gps)
        builder.add(0x0004, .rational([11, 1, 34, 1, 0, 1]), to: \.gps)
        return builder.block()
    }

    package static let packet = Array(
        """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>\
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
        <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/>\
        </rdf:RDF></x:xmpmeta><?xpacket end="w"?>
        """.utf8)

    package static let comment = "drawn by Texel: 100 % äöü"

    private static func metadata() throws -> [TestImage] {
        let canvas = Canvas.photograph(PixelSize(width: 96, height: 64), seed: 5)
        var writer = PNGWriter(canvas.size, .rgb, bitDepth: 8)
        writer.exif = fullEXIF
        writer.pixelsPerMetre = 11_811
        writer.texts = [
            .init(keyword: "XML:com.adobe.xmp", text: String(decoding: packet, as: UTF8.self), isUTF8: true),
            .init(keyword: "Comment", text: comment, isUTF8: false),
            .init(keyword: "Title", text: "Hügel bei Nacht: 夜", isUTF8: true),
        ]
        return [
            TestImage(name: "metadata.png", bytes: try writer.bytes(canvas.samples(.rgb))),
            try jpeg("metadata.jpg", canvas) {
                $0.dotsPerInch = 300
                $0.segments = [
                    exifSegment(fullEXIF),
                    .init(marker: 0xE1, payload: XMP.jpegSignature + packet),
                    .init(marker: 0xFE, payload: Array(comment.utf8)),
                ]
            },
        ]
    }
}
