import TestImageWriting
import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs
@testable import TexelPNG

@Suite struct PNGDecodingTests {
    /// Converts 16 bits to 8 by a rounded division.
    private func rounded(_ value: UInt16) -> UInt32 { (UInt32(value) * 255 + 32767) / 65535 }

    /// Returns the pixel that the specification defines for a group of samples of any colour type and depth.
    private func expected(_ samples: ArraySlice<UInt16>, _ type: PNGWriter.ColorType, _ depth: Int) -> UInt32 {
        let largest = UInt32((1 << depth) - 1)
        let bytes = samples.map { depth == 16 ? rounded($0) : UInt32($0) * 255 / largest }
        func pixel(_ red: UInt32, _ green: UInt32, _ blue: UInt32, _ alpha: UInt32 = 255) -> UInt32 {
            alpha << 24 | red << 16 | green << 8 | blue
        }
        return switch type {
        case .gray, .palette: pixel(bytes[0], bytes[0], bytes[0])
        case .grayAlpha: pixel(bytes[0], bytes[0], bytes[0], bytes[1])
        case .rgb: pixel(bytes[0], bytes[1], bytes[2])
        case .rgba: pixel(bytes[0], bytes[1], bytes[2], bytes[3])
        }
    }

    @Test func every16BitValueIsRounded() throws {
        let samples = Array(UInt16.min...UInt16.max)
        let bytes = try PNGWriter(PixelSize(width: 256, height: 256), .gray, bitDepth: 16).bytes(samples)
        let pixels = try bytes.decoded().pixels
        for value in samples {
            let gray = rounded(value)
            let pixel = 0xFF00_0000 | gray << 16 | gray << 8 | gray
            if pixels[Int(value)] != pixel { #expect(pixels[Int(value)] == pixel, "\(value)") }
        }
    }

    private static let depths: [(PNGWriter.ColorType, [Int])] = [
        (.gray, [1, 2, 4, 8, 16]), (.rgb, [8, 16]), (.grayAlpha, [8, 16]), (.rgba, [8, 16]),
    ]

    /// Widths that cover all partial bytes and all of Adam7's passes.
    @Test func everyKindDecodesToItsPixels() throws {
        var generator = SeededGenerator(seed: 3)
        for (type, depths) in Self.depths {
            for depth in depths {
                for width in 1...17 {
                    let size = PixelSize(width: width, height: 18 - width)
                    let samples = (0..<(size.width * size.height * type.channels)).map { _ in
                        UInt16.random(in: 0...UInt16((1 << depth) - 1), using: &generator)
                    }
                    let pixels = stride(from: 0, to: samples.count, by: type.channels).map {
                        expected(ArraySlice(Array(samples[$0..<($0 + type.channels)])), type, depth)
                    }
                    for isInterlaced in [false, true] {
                        var writer = PNGWriter(size, type, bitDepth: depth)
                        writer.isInterlaced = isInterlaced
                        let image = try writer.bytes(samples).decoded()
                        #expect(image.pixels == pixels, "\(type), \(depth) bits, \(size), Adam7 \(isInterlaced)")
                        #expect(image.alphaMode == ([.grayAlpha, .rgba].contains(type) ? .straight : .opaque))
                    }
                }
            }
        }
    }

    @Test func palettesOfEveryDepth() throws {
        var generator = SeededGenerator(seed: 4)
        for depth in [1, 2, 4, 8] {
            for isTranslucent in [false, true] {
                let count = 1 << depth
                let palette = (0..<count).map { index -> UInt32 in
                    let color = UInt32.random(in: 0 ... .max, using: &generator)
                    return isTranslucent && index % 3 != 2 ? color : color | 0xFF00_0000
                }
                let size = PixelSize(width: 13, height: 5)
                let samples = (0..<65).map { _ in UInt16.random(in: 0..<UInt16(count), using: &generator) }
                for isInterlaced in [false, true] {
                    var writer = PNGWriter(size, .palette, bitDepth: depth)
                    writer.palette = palette
                    writer.isInterlaced = isInterlaced
                    let image = try writer.bytes(samples).decoded()
                    #expect(image.pixels == samples.map { palette[Int($0)] })
                    #expect(image.alphaMode == (isTranslucent ? .straight : .opaque))
                }
            }
        }
    }

    @Test func oneTransparentColor() throws {
        let color = try TestFolders.testImage("rgb-transparent-color.png").decoded()
        let letter = Canvas.letter(color.size)
        #expect(color.pixels == letter.pixels.map { $0 == 0xFF60_6060 ? 0x0060_6060 : $0 })
        let gray = try TestFolders.testImage("gray-transparent-color.png").decoded()
        let grays = letter.samples(.gray).map { UInt32($0) * 0x1_0101 }
        #expect(gray.pixels == grays.map { $0 == 0x60_6060 ? $0 : 0xFF00_0000 | $0 })
        // The colour key is compared with all 16 bits, not after rounding.
        let deep = try TestFolders.testImage("gray-16-bit-transparent-color.png").decoded()
        #expect(deep.pixels.count { $0 >> 24 == 0 } == 1)
        #expect(deep.pixels[0x80] >> 24 == 0)
        #expect(deep.pixels[0x80] & 255 == deep.pixels[0x7F] & 255)
        for depth in [1, 2, 4] {
            var writer = PNGWriter(PixelSize(width: 16, height: 1), .gray, bitDepth: depth)
            writer.transparentColor = [1]
            let samples = (0..<16).map { UInt16($0 & ((1 << depth) - 1)) }
            let pixels = try writer.bytes(samples).decoded().pixels
            #expect(pixels.map { $0 >> 24 == 0 } == samples.map { $0 == 1 })
        }
    }

    @Test func imagesAreTheOnesThatWereDrawn() throws {
        for name in ["photograph.png", "shapes-alpha.png", "chart-palette.png", "text-1-bit.png", "size-65x33.png"] {
            let image = try TestFolders.testImage(name).decoded()
            let canvas: [String: Canvas] = [
                "photograph.png": .photograph(image.size, seed: 7), "shapes-alpha.png": .shapes(image.size),
                "chart-palette.png": .chart(image.size), "text-1-bit.png": .text(image.size),
                "size-65x33.png": .colors(image.size),
            ]
            #expect(image.pixels == canvas[name]?.pixels, "\(name)")
        }
    }

    /// Colour information is returned and does not change pixels.
    @Test func colorInformationChangesNoPixel() throws {
        let plain = Canvas.colors(PixelSize(width: 96, height: 64))
        for name in ["wide-gamut-profile.png", "wide-gamut-gamma-chromaticities.png"] {
            let image = try TestFolders.testImage(name).decoded()
            #expect(image.pixels == plain.pixels)
            #expect(image.colorSpace != .sRGB)
        }
    }

    @Test func theDefaultImageOfAnAnimation() throws {
        let file = try TestFolders.testImage("size-3x7.png")
        let control = HandmadePNG.chunk("acTL", HandmadePNG.bigEndian(2) + HandmadePNG.bigEndian(0))
        #expect(try HandmadePNG.inserting(control, into: file).decoded() == file.decoded())
    }

    // MARK: Damage

    private func cuts(of bytes: [UInt8], from start: Int, count: Int) -> [Int] {
        let end = bytes.count - 13  // before IEND and the last checksum
        return (0..<count).map { start + (end - start) * $0 / count }
    }

    @Test(arguments: [
        "photograph.png", "text-1-bit.png", "shapes-alpha.png", "interlaced-rgba.png", "glass-palette-alpha.png",
        "rgba-16-bit.png",
    ])
    func cutFilesAreTruncated(name: String) throws {
        let bytes = try TestFolders.testImage(name)
        let size = try bytes.source().info.size
        let data = try #require(bytes.firstIndex(of: Array("IDAT".utf8))) + 4
        for cut in cuts(of: bytes, from: data, count: 60) {
            let part = Array(bytes[..<cut])
            for strictness in [Strictness.truncated, .error, .warning] {
                let failure = part.failure(strictness)
                guard let rowsRead = failure?.place.row else {
                    Issue.record("\(name) cut at \(cut), \(strictness): \(String(describing: failure))")
                    continue
                }
                #expect(failure == .truncated(rowsRead: rowsRead, rows: size.height))
                #expect((0...size.height).contains(rowsRead))
            }
            // Rows that are missing are black or transparent, never uninitialised memory.
            if part.failure(.none) == .truncated(rowsRead: 0, rows: size.height) { continue }
            let (first, second) = (try part.decoded(.none), try part.decoded(.none))
            #expect(first.size == size, "\(name) cut at \(cut)")
            #expect(first == second)
        }
    }

    /// The pixels of missing passes have the alpha mode of the image.
    @Test func cutPassesAreOpaque() throws {
        var writer = PNGWriter(PixelSize(width: 16, height: 16), .rgb, bitDepth: 8)
        writer.isInterlaced = true
        let samples = (0..<16 * 16 * 3).map { UInt16($0 * 7 % 256) }
        let bytes = try writer.bytes(samples)
        let data: Int = try #require(bytes.firstIndex(of: Array("IDAT".utf8))) + 4
        var tried = 0
        for cut in cuts(of: bytes, from: data, count: 20) {
            guard let image = try? Array(bytes[..<cut]).decoded(.none) else { continue }
            tried += 1
            #expect(image.alphaMode == .opaque)
            #expect(image.pixels.allSatisfy { $0 >= 0xFF00_0000 })
        }
        #expect(tried > 0)
    }

    /// An error is one line of text, whatever the name of a chunk.
    @Test func namesOfChunksAreText() throws {
        var chunk = HandmadePNG.chunk("\nA\u{1B}C", [1, 2, 3])
        chunk[chunk.count - 1] ^= 1
        let file = HandmadePNG.inserting(chunk, into: try TestFolders.testImage("size-3x7.png"))
        let failure = try #require(file.failure())
        #expect("\(failure)".contains("the ?A?C chunk "))
        #expect("\(failure)".unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test func rowsBeforeACutAreRight() throws {
        let bytes = try TestFolders.testImage("photograph.png")
        let whole = try bytes.decoded()
        let part = Array(bytes[..<(bytes.count / 2)])
        guard let failure = part.failure(), failure.kind == .truncated, let rowsRead = failure.place.row else {
            Issue.record("not truncated")
            return
        }
        #expect(rowsRead > 50 && rowsRead < 200)
        let image = try part.decoded(.none)
        #expect(image.pixels.prefix(rowsRead * image.width).elementsEqual(whole.pixels.prefix(rowsRead * 320)))
        #expect(image.pixels.suffix(320).allSatisfy { $0 == 0xFF00_0000 })
    }

    @Test func damagedChunksAreNamed() throws {
        let bytes = try TestFolders.testImage("chart-palette.png")
        for name in ["PLTE", "IDAT"] {
            var damaged = bytes
            damaged[try #require(bytes.firstIndex(of: Array(name.utf8))) + 5] ^= 1
            guard let failure = damaged.failure(), failure.names(checksumOf: name + " chunk") else {
                Issue.record("\(name): \(String(describing: damaged.failure()))")
                continue
            }
        }
        let palette = PNGFile(bytes: InputBytes(bytes)).chunks.first { $0.name == "PLTE" }
        var without = bytes
        without.removeSubrange(try #require(palette).whole)
        #expect(without.failure() != nil)
        // Damaged pixels with a correct checksum.
        let data = HandmadePNG.data(of: "IDAT", in: bytes)
        let header = HandmadePNG.header(width: 200, height: 150, bitDepth: 4, colorType: 0)
        var broken = data
        broken[broken.count / 2] ^= 0x55
        let file =
            PNGFile.signature + header + HandmadePNG.chunk("IDAT", broken) + HandmadePNG.chunk("IEND", [])
        #expect(file.failure() != nil)
        #expect(try file.decoded(.none).size == PixelSize(width: 200, height: 150))
    }

    /// Missing bytes after the last pixel affect no pixel.
    @Test func aMissingEndPasses() throws {
        let bytes = try TestFolders.testImage("photograph.png")
        let part = Array(bytes.dropLast(12))
        #expect(try part.decoded() == bytes.decoded())
        #expect(try part.decoded(.none) == bytes.decoded())
        #expect(part.failure(.warning) != nil)
    }

    @Test func warningsPassUnlessTheyMayNot() throws {
        let bytes = try TestFolders.testImage("size-3x7.png")
        // Two gAMA chunks: libpng uses the first and warns.
        let chunk = HandmadePNG.chunk("gAMA", HandmadePNG.bigEndian(45_455))
        let warned = HandmadePNG.inserting(chunk + chunk, into: bytes)
        #expect(try warned.source().decodedAsStored().warnings.count == 1)
        #expect(try warned.decoded(.error).pixels == bytes.decoded().pixels)
        guard warned.failure(.warning)?.kind == .warning else {
            Issue.record("\(String(describing: warned.failure(.warning)))")
            return
        }
    }

    /// Data after the last row is never inflated, however large it is. Only its checksums are verified, and the chunks
    /// after it are read.
    @Test(arguments: [false, true], [PixelSize(width: 5, height: 7), PixelSize(width: 1, height: 1)])
    func excessIsLeft(isInterlaced: Bool, size: PixelSize) throws {
        let bytes = HandmadePNG.excessive(size, gray: 90, isInterlaced: isInterlaced, excess: 200_000)
        let decoded = try bytes.source().decodedAsStored()
        #expect(decoded.image.pixels.allSatisfy { $0 == 0xFF5A_5A5A } && decoded.image.size == size)
        #expect(decoded.warnings == ["IDAT: Too much image data"])
        #expect(decoded.metadata.comments.map(\.keyword) == ["Comment"])
        #expect(try bytes.decoded(.none) == decoded.image)
        #expect(bytes.failure(.warning) == .warning("IDAT: Too much image data"))
        // A file that ends in the excess data, and one that is damaged there.
        let cut = Array(bytes.dropLast(100))
        #expect(try cut.decoded() == decoded.image)
        guard cut.failure(.error)?.kind == .truncated else {
            Issue.record("\(String(describing: cut.failure(.error)))")
            return
        }
        var damaged = bytes
        damaged[bytes.count - 500] ^= 1
        guard let failure = damaged.failure(), failure.names(checksumOf: "IDAT chunk") else {
            Issue.record("\(String(describing: damaged.failure()))")
            return
        }
        #expect(try damaged.decoded(.none) == decoded.image)
        // libpng handles a small excess itself.
        let little = HandmadePNG.excessive(size, gray: 90, isInterlaced: isInterlaced, excess: 100)
        #expect(try little.decoded() == decoded.image)
    }
}
