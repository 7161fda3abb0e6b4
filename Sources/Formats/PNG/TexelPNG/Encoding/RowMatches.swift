import CDeflateBlocks
import PlatformLibc
import TexelCodecs
import TexelCore

/// Estimates how well a filtered row deflates after the rows before it: the cost of its literals in a Huffman code that
/// fits these rows, and of its matches with them.
struct RowMatches: ~Copyable {
    private let matches: OpaquePointer
    private var likelihood = RowLikelihood()

    init() throws(TexelError) {
        guard let matches = texel_row_matches_make() else { throw .outOfMemory }
        self.matches = matches
    }

    deinit { free(UnsafeMutableRawPointer(matches)) }

    /// Returns the estimated size of a row in units of 1/256 bit.
    ///
    /// - Parameters:
    ///   - rows: the memory of all rows, of which those before the offset are added.
    ///   - offset: the offset of the row.
    func cost(of rows: UnsafePointer<UInt8>, at offset: Int, count: Int) -> Int {
        likelihood.withCosts { Int(texel_row_matches_cost(matches, rows, offset, count, $0)) }
    }

    /// Returns the cost of a row as literals only.
    func literalsCost(of row: UnsafePointer<UInt8>, count: Int) -> Int { likelihood.cost(of: row, count: count) }

    /// Adds the row that was chosen.
    mutating func add(_ rows: UnsafePointer<UInt8>, at offset: Int, count: Int) {
        texel_row_matches_add(matches, rows, offset, count)
        likelihood.add(rows + offset, count: count)
    }
}
