#if GIF
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelGIF

    /// Assembles GIF files of any structure, valid or not.
    struct TestGIF {
        var bytes: [UInt8]

        /// Black, white, red, green: the colours of all images without their own.
        static let colors: [UInt32] = [0xFF00_0000, 0xFFFF_FFFF, 0xFFFF_0000, 0xFF00_FF00]

        init(width: Int, height: Int, version: String = "89a", colors: [UInt32] = TestGIF.colors) {
            var writer = GIFBlockWriter()
            writer.appendHeader(PixelSize(width: width, height: height), colors: colors)
            bytes = Array("GIF\(version)".utf8) + writer.bytes.dropFirst(6)
        }

        mutating func control(delay: Int = 0, disposal: UInt8 = 0, transparent: UInt8? = nil) {
            var writer = GIFBlockWriter()
            writer.appendControl(delay: delay, disposal: disposal, transparentIndex: transparent)
            bytes += writer.bytes
        }

        /// Appends an image; `indices` are in the order of the file.
        mutating func image(
            _ indices: [UInt8], x: Int = 0, y: Int = 0, width: Int, height: Int, colors: [UInt32]? = nil,
            isInterlaced: Bool = false
        ) throws {
            descriptor(x: x, y: y, width: width, height: height, colors: colors, isInterlaced: isInterlaced)
            bytes += try LZWEncoder.encode(
                LZWInput(indices: indices, colorCount: 4), clearing: .whenFull, stop: nil
            ).bytes
        }

        mutating func descriptor(
            x: Int = 0, y: Int = 0, width: Int, height: Int, colors: [UInt32]? = nil, isInterlaced: Bool = false
        ) {
            var writer = GIFBlockWriter()
            writer.appendDescriptor(PixelRectangle(x: x, y: y, width: width, height: height), colors: colors)
            if isInterlaced { writer.bytes[9] |= 0x40 }
            bytes += writer.bytes
        }

        /// Appends LZW data from codes with their numbers of bits.
        mutating func data(minimumSize: UInt8, codes: [(code: Int, bits: Int)]) {
            var (all, value, count): ([UInt8], Int, Int) = ([], 0, 0)
            for (code, bits) in codes {
                value |= code << count
                count += bits
                while count >= 8 {
                    all.append(UInt8(value & 255))
                    (value, count) = (value >> 8, count - 8)
                }
            }
            if count > 0 { all.append(UInt8(value)) }
            bytes.append(minimumSize)
            for start in stride(from: 0, to: all.count, by: 255) {
                let block = all[start..<min(all.count, start + 255)]
                bytes += [UInt8(block.count)] + block
            }
            bytes.append(0)
        }

        mutating func application(_ name: String, _ data: [UInt8]) {
            bytes += [0x21, 0xFF, 11] + Array(name.utf8) + data
        }

        var ended: [UInt8] { bytes + [0x3B] }
    }
#endif
