import TexelOperations

/// An operation of this example's own, with a flag: this file and one line of registration are all of it.
struct ToyOperation: RowOperation {
    let mask: UInt32

    static var options: OperationOptions {
        .integer("toy-bits", in: 1...255, help: "Invert these bits of each colour, 1 to 255.") { bits in
            PixelOperation(ToyOperation(mask: UInt32(bits) * 0x1_0101))
        }
    }

    func render(row y: Int, of source: ImageRows, into pixels: inout MutableSpan<UInt32>) {
        for x in pixels.indices { pixels[x] = source[x, y] ^ mask }
    }
}
