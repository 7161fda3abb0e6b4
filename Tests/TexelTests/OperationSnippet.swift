import Texel

/// Shows squares of one colour.
struct Mosaic: RowOperation {
    var side = 16
    var rowsAround: Int? { side }

    func render(row y: Int, of source: ImageRows, into pixels: inout MutableSpan<UInt32>) {
        for x in pixels.indices { pixels[x] = source[x - x % side, y - y % side] }
    }
}
