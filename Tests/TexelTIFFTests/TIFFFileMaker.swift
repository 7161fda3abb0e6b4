#if TIFF
    @testable import TexelCodecs
    @testable import TexelTIFF

    /// Makes TIFFs of every kind by hand: fields as they are asked for, uncompressed data.
    struct TIFFFileMaker {
        var order = ByteOrder.littleEndian
        var isBig = false
        var pages: [Page] = []

        struct Page {
            var fields: [TIFFValue] = []
            /// The bytes of each strip or tile.
            var parts: [[UInt8]] = []
            var isTiled = false
            /// Directories that a field points to.
            var directories: [UInt16: [TIFFValue]] = [:]
        }

        private var form: TIFFForm { TIFFForm(order: order, isBig: isBig) }

        func short(_ tag: UInt16, _ numbers: Int...) -> TIFFValue { TIFFValue(tag, 3, numbers, order) }
        func long(_ tag: UInt16, _ numbers: Int...) -> TIFFValue { TIFFValue(tag, 4, numbers, order) }
        func rational(_ tag: UInt16, _ numbers: Int...) -> TIFFValue {
            TIFFValue(tag: tag, type: 5, count: numbers.count / 2, bytes: TIFFValue(tag, 4, numbers, order).bytes)
        }
        func text(_ tag: UInt16, _ text: String) -> TIFFValue {
            TIFFValue(tag: tag, type: 2, count: text.utf8.count + 1, bytes: Array(text.utf8) + [0])
        }

        /// Adds a page.
        ///
        /// - Parameter fields: replace those that follow from the other parameters.
        mutating func add(
            width: Int, height: Int, bits: Int = 8, samples: Int = 1, photometric: Int = 1, compression: Int = 1,
            rowsPerStrip: Int? = nil, parts: [[UInt8]], _ fields: [TIFFValue] = [],
            directories: [UInt16: [TIFFValue]] = [:]
        ) {
            var all = [
                long(256, width), long(257, height),
                TIFFValue(258, 3, [Int](repeating: bits, count: samples), order), short(259, compression),
                short(262, photometric), short(277, samples), long(278, rowsPerStrip ?? height),
            ]
            let isTiled = fields.contains { $0.tag == 322 }
            if isTiled { all.removeAll { $0.tag == 278 } }
            for field in fields {
                all.removeAll { $0.tag == field.tag }
                all.append(field)
            }
            pages.append(Page(fields: all, parts: parts, isTiled: isTiled, directories: directories))
        }

        /// The file: data first, then directories, as most writers do.
        var bytes: [UInt8] {
            var bytes = form.header
            var link = bytes.count - form.offsetSize
            for page in pages {
                var positions: [Int] = []
                for part in page.parts {
                    positions.append(bytes.count)
                    bytes += part + [UInt8](repeating: 0, count: part.count % 2)
                }
                var fields = page.fields
                for (tag, values) in page.directories.sorted(by: { $0.key < $1.key }) {
                    fields.append(long(tag, bytes.count))
                    bytes += form.directory(values, at: bytes.count, next: 0)
                }
                func has(_ tag: UInt16) -> Bool { fields.contains { $0.tag == tag } }
                let tags: (UInt16, UInt16) = page.isTiled ? (324, 325) : (273, 279)
                if !has(tags.0) { fields.append(TIFFValue(tags.0, form.offsetType, positions, order)) }
                if !has(tags.1) { fields.append(TIFFValue(tags.1, form.offsetType, page.parts.map(\.count), order)) }
                bytes.replaceSubrange(link..<(link + form.offsetSize), with: form.offset(bytes.count))
                let start = bytes.count
                bytes += form.directory(fields, at: start, next: 0)
                link = start + form.linkPosition(of: fields)
            }
            return bytes
        }

        /// The file of one page.
        static func file(
            order: ByteOrder = .littleEndian, isBig: Bool = false, _ body: (inout TIFFFileMaker) -> Void
        ) -> [UInt8] {
            var maker = TIFFFileMaker(order: order, isBig: isBig)
            body(&maker)
            return maker.bytes
        }
    }
#endif
