#if HEIC
    import TexelPixels

    @testable import TexelCodecs
    @testable import TexelHEIC

    /// A file that is built from coded images.
    struct HEICParts {
        struct Item {
            var type: BoxType = "hvc1"
            var data: [UInt8] = []
            /// Whole boxes.
            var properties: [[UInt8]] = []
            var contentType = ""
        }

        var brands: [BoxType] = ["heic", "mif1", "heic"]
        /// The items 1, 2, …
        var items: [Item] = []
        var references: [(type: BoxType, from: Int, to: [Int])] = []
        var primary = 1

        /// The coded image of a sample: its data and its configuration.
        struct Coded {
            var data: [UInt8]
            var configuration: [UInt8]

            /// - Parameter isAlpha: takes the auxiliary image instead of the primary one.
            init(_ sample: [UInt8], isAlpha: Bool = false) throws {
                let file = try HEICFile(InputBytes(sample), limits: Limits(), stop: nil)
                let image = isAlpha ? (file.alpha ?? file.main) : file.main
                data = image.still.coded[0].extents.flatMap { sample[$0] }
                let property = file.image.container.meta?.property("hvcC", of: image.still.coded[0])
                configuration = property.map { Array(sample[$0.box.payload]) } ?? []
            }

            func item(_ size: PixelSize, _ properties: [[UInt8]] = []) -> Item {
                Item(
                    data: data, properties: [HEICParts.size(size), ISOBytes.box("hvcC", configuration)] + properties)
            }
        }

        static func size(_ size: PixelSize) -> [UInt8] {
            ISOBytes.box("ispe", version: 0, ISOBytes.number(size.width, 4) + ISOBytes.number(size.height, 4))
        }

        static func auxiliary(_ type: String) -> [UInt8] { ISOBytes.box("auxC", version: 0, Array(type.utf8) + [0]) }

        static let alphaType = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"

        /// A grid of cells of 64×64 pixels.
        static func grid(
            _ coded: Coded, rows: Int, columns: Int, _ size: PixelSize, _ properties: [[UInt8]] = []
        ) -> HEICParts {
            var parts = HEICParts()
            let description =
                [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + ISOBytes.number(size.width, 2)
                + ISOBytes.number(size.height, 2)
            parts.items = [Item(type: "grid", data: description, properties: [Self.size(size)] + properties)]
            for _ in 0..<(rows * columns) { parts.items.append(coded.item(PixelSize(width: 64, height: 64))) }
            parts.references = [("dimg", 1, Array(2...(rows * columns + 1)))]
            return parts
        }

        func file() -> [UInt8] {
            let head = ISOBytes.box("ftyp", brands[0].bytes + [0, 0, 0, 0] + brands.dropFirst().flatMap(\.bytes))
            let place = head.count + meta(0).count + 8
            return head + meta(place) + ISOBytes.box("mdat", items.flatMap(\.data))
        }

        private func meta(_ start: Int) -> [UInt8] {
            var (entries, locations, container): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
            var associations: [UInt8] = []
            var (position, index) = (start, 1)
            for (number, item) in items.enumerated() {
                let id = ISOBytes.number(number + 1, 2)
                let content = item.contentType.isEmpty ? [] : Array(item.contentType.utf8) + [0]
                entries += ISOBytes.box("infe", version: 2, id + [0, 0] + item.type.bytes + [0] + content)
                locations += id + [0, 0, 0, 1] + ISOBytes.number(position, 4) + ISOBytes.number(item.data.count, 4)
                position += item.data.count
                associations += id + [UInt8(item.properties.count)]
                for property in item.properties {
                    container += property
                    associations.append(UInt8(index))
                    index += 1
                }
            }
            let count = ISOBytes.number(items.count, 2)
            let referenced = references.flatMap { reference in
                ISOBytes.box(
                    reference.type,
                    ISOBytes.number(reference.from, 2) + ISOBytes.number(reference.to.count, 2)
                        + reference.to.flatMap { ISOBytes.number($0, 2) })
            }
            return ISOBytes.box(
                "meta", version: 0,
                ISOBytes.imageHandler + ISOBytes.box("pitm", version: 0, ISOBytes.number(primary, 2))
                    + ISOBytes.box("iinf", version: 0, count + entries)
                    + ISOBytes.box("iloc", version: 0, [0x44, 0] + count + locations)
                    + ISOBytes.box("iref", version: 0, referenced)
                    + ISOBytes.box(
                        "iprp",
                        ISOBytes.box("ipco", container)
                            + ISOBytes.box("ipma", version: 0, ISOBytes.number(items.count, 4) + associations)))
        }
    }
#endif
