import TexelCodecs
import TexelCore

/// Reads tiles, a row of tiles at a time.
final class TIFFTiles: TIFFPlaneReader {
    var hasFileOrder: Bool { decoder == nil }
    private let context: TIFFPlaneContext
    /// Decompresses tiles; `nil` if they are not compressed.
    private let decoder: TIFFLibraryDecoder?
    /// A tile.
    private let tile: TIFFMemory
    /// The stored rows of a row of tiles.
    private let band: TIFFMemory
    private var unit = 0
    private var isDamaged = false

    private var tileSize: Int { context.layout.bytesOfUnit * context.layout.unitsOfPart }
    private var rowSize: Int { context.layout.bytesOfUnit * context.layout.partsAcross }

    init(_ context: TIFFPlaneContext) throws(TexelError) {
        self.context = context
        let layout = context.layout
        decoder = layout.compression == .none ? nil : try TIFFLibraryDecoder(context)
        // The layout has checked these sizes.
        tile = try TIFFMemory(layout.bytesOfUnit * layout.unitsOfPart)
        band = try TIFFMemory(layout.bytesOfUnit * layout.partsAcross * layout.unitsOfPart)
    }

    func next() throws(TexelError) -> UnsafePointer<UInt8>? {
        let (row, position) = unit.quotientAndRemainder(dividingBy: context.layout.unitsOfPart)
        if position == 0 { try readBand(row) }
        unit += 1
        return UnsafePointer(band.base + position * rowSize)
    }

    private func readBand(_ row: Int) throws(TexelError) {
        for column in 0..<context.layout.partsAcross {
            try context.options.stop?.check()
            let isRead = try readTile(row * context.layout.partsAcross + column, row: row)
            if !isRead { isDamaged = true }
            let width = context.layout.bytesOfUnit
            for y in 0..<context.layout.unitsOfPart {
                // The band has a row of `rowSize` bytes for each row of a tile.
                let target = band.base + y * rowSize + column * width
                if isRead {
                    target.update(from: tile.base + y * width, count: width)
                } else {
                    target.update(repeating: context.layout.isBlackMaximum ? 0xFF : 0, count: width)
                }
            }
        }
    }

    private func readTile(_ index: Int, row: Int) throws(TexelError) -> Bool {
        if let decoder {
            if !context.isTolerant { _ = try context.arrivedRange(of: index, row: row) }
            return try decoder.readTile(index, into: tile.base, count: tileSize)
        }
        guard let range = try context.arrivedRange(of: index, row: row) else { return false }
        let bytes = context.input.bytes.rawBytes(range)
        let isReversed = context.layout.hasReversedBits
        // The range of an uncompressed tile has `tileSize` bytes.
        for index in 0..<tileSize { tile.base[index] = isReversed ? bytes[index].bitsReversed : bytes[index] }
        return true
    }

    var warning: String? { decoder?.message ?? (isDamaged ? "tiles are missing" : nil) }
}
