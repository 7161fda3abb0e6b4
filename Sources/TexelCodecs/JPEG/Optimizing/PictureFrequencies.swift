import CPixelKernels
import TexelPixels

/// The frequencies of a picture's components, before they are quantised.
struct PictureFrequencies: Sendable {
    let size: PixelSize
    /// Luma samples for each sample of the colour differences, across and down.
    let sampling: (horizontal: Int, vertical: Int)
    /// Luma, and unless the picture is grey both colour differences.
    let components: [BlockPlane]
    /// Of luma.
    let saturated: SaturatedSamples
    /// Whether the picture would look other than it is without a sample of its colours for each pixel; `false` where nobody
    /// asked.
    var losesColors = false
}

// MARK: Planes

extension PictureFrequencies {
    /// - Parameters:
    ///   - planes: luma, and unless the picture is grey both colour differences, as much coarser as `sampling` says.
    /// - Throws: `outOfMemory`, `stopped`.
    init(
        _ planes: [Plane], sampling: (horizontal: Int, vertical: Int), _ rows: BlockRows
    ) throws(CodecError) {
        guard let luma = planes.first else { throw .cannotEncode("a picture needs a plane") }
        let saturated = try SaturatedSamples(covering: luma.size)
        var components: [BlockPlane] = []
        for plane in planes {
            let samples = Samples(plane: plane)
            components.append(
                try ForwardTransform.frequencies(
                    of: plane.size, fractionBits: 0, saturated: components.isEmpty ? saturated : nil, rows
                ) { samples.read($0, into: $1) })
        }
        self.init(size: luma.size, sampling: sampling, components: components, saturated: saturated)
    }

    /// Unchecked because planes are: nobody writes to this one meanwhile.
    private struct Samples: @unchecked Sendable {
        let plane: Plane

        func read(_ y: Int, into words: UnsafeMutablePointer<Int16>) {
            plane.withUnsafeSamples { samples in
                let row = samples + y * plane.bytesPerRow
                for x in 0..<plane.width { words[x] = Int16(row[x]) &- 128 }
            }
        }
    }
}

// MARK: Pixels

extension PictureFrequencies {
    /// Bits of fraction that samples have which come from pixels.
    private static let fractionBits = 4

    /// - Parameters:
    ///   - picture: opaque.
    ///   - isGray: whether red, green and blue are equal everywhere, and only luma is wanted.
    ///   - choosesSampling: whether to find out if colours are lost.
    /// - Throws: `outOfMemory`, `stopped`.
    init(
        _ picture: PixelBuffer, isGray: Bool, sampling: (horizontal: Int, vertical: Int), choosesSampling: Bool = false,
        _ rows: BlockRows
    ) throws(CodecError) {
        let factors = RGBFactors(YUVColor(.bt601, .full))
        // Luma less its middle.
        let saturated = try SaturatedSamples(covering: picture.size)
        let luma = try Self.frequencies(of: picture, factors.luma, offset: -128 << 15, saturated: saturated, rows)
        guard !isGray else {
            self.init(size: picture.size, sampling: (1, 1), components: [luma], saturated: saturated)
            return
        }
        var components = [luma]
        let differences = [factors.u, factors.v]
        var losesColors = false
        if sampling == (1, 1) {
            for difference in differences {
                components.append(try Self.frequencies(of: picture, difference, offset: 0, rows))
            }
        } else {
            var halves: [WordPlane] = []
            for difference in differences {
                let samples = try SharpChroma.samples(of: picture.size, reducedBy: sampling, rows) { y, words in
                    Self.read(y, of: picture, difference, offset: 0, into: words)
                }
                halves.append(samples)
                components.append(
                    try ForwardTransform.frequencies(
                        of: samples.size, fractionBits: SharpChroma.fractionBits, rows
                    ) { y, words in words.update(from: samples.row(y), count: samples.size.width) })
            }
            if choosesSampling {
                losesColors = try ChromaLoss.isSevere(picture.size, halves, rows) { component, y, words in
                    Self.read(y, of: picture, differences[component], offset: 0, into: words)
                }
            }
        }
        self.init(
            size: picture.size, sampling: sampling, components: components, saturated: saturated,
            losesColors: losesColors)
    }

    private static func frequencies(
        of picture: PixelBuffer, _ factors: RGBFactors.Channels, offset: Int32, saturated: SaturatedSamples? = nil,
        _ rows: BlockRows
    ) throws(CodecError) -> BlockPlane {
        try ForwardTransform.frequencies(
            of: picture.size, fractionBits: fractionBits, saturated: saturated, rows
        ) { y, words in
            read(y, of: picture, factors, offset: offset, into: words)
        }
    }

    /// A row of a component, in 1/16.
    private static func read(
        _ y: Int, of picture: PixelBuffer, _ factors: RGBFactors.Channels, offset: Int32,
        into words: UnsafeMutablePointer<Int16>
    ) {
        let kernel = texel_kernels_in_use().pointee.bgra_to_words_row
        picture.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let row = (base + y * picture.bytesPerRow).assumingMemoryBound(to: UInt8.self)
            kernel(words, row, picture.width, [factors.blue, factors.green, factors.red], offset)
        }
    }
}
