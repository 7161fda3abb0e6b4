import TexelCodecs
import CPixelKernels
import TexelPixels

/// The DCT coefficients of an image's components before quantisation.
struct ImageCoefficients: Sendable {
    let size: PixelSize
    /// The number of luma samples per chroma sample in each direction.
    let sampling: (horizontal: Int, vertical: Int)
    /// Luma and, unless the image is greyscale, both chroma components.
    let components: [BlockPlane]
    /// The saturated samples of luma.
    let saturated: SaturatedSamples

    /// Returns a copy.
    ///
    /// - Throws: `outOfMemory`, `stopped`.
    func copy(_ rows: BlockRows) throws(CodecError) -> ImageCoefficients {
        ImageCoefficients(
            size: size, sampling: sampling,
            components: try components.map { plane throws(CodecError) in try plane.copy(rows) }, saturated: saturated)
    }
}

// MARK: Planes

extension ImageCoefficients {
    /// Transforms planes.
    ///
    /// - Parameter planes: luma and, unless the image is greyscale, both chroma planes, subsampled by `sampling`.
    /// - Throws: `outOfMemory`, `stopped`.
    init(
        _ planes: [Plane], sampling: (horizontal: Int, vertical: Int), _ rows: BlockRows
    ) throws(CodecError) {
        guard let luma = planes.first else { throw .cannotEncode("it has no planes") }
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

    /// Unchecked because planes are: this one is not written while it is shared.
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

extension ImageCoefficients {
    /// The number of fraction bits in samples that are converted from pixels.
    private static let fractionBits = 4

    /// Transforms pixels.
    ///
    /// - Parameters:
    ///   - image: opaque pixels.
    ///   - isGray: whether red, green and blue are equal everywhere, so that only luma is needed.
    ///   - choice: the settings with which the image is to be quantised, if 4:4:4 may replace `sampling` where it takes
    ///     fewer bytes; `nil` if not.
    /// - Throws: `outOfMemory`, `stopped`.
    init(
        _ image: PixelBuffer, isGray: Bool, sampling: (horizontal: Int, vertical: Int),
        choice: QuantizationSettings? = nil, _ rows: BlockRows
    ) throws(CodecError) {
        let factors = RGBFactors(YUVColor(.bt601, .full))
        let differences = [factors.u, factors.v]
        var sampling = isGray ? (1, 1) : sampling
        // Free the memory for reducing chroma before luma's is allocated.
        var (colors, loss): ([BlockPlane], ChromaLoss?) = ([], nil)
        if sampling != (1, 1) {
            (colors, loss) = try Self.shared(image, differences, sampling, measuresLoss: choice != nil, rows)
        }
        let saturated = try SaturatedSamples(covering: image.size)
        // The offset centres luma on zero.
        let luma = try Self.frequencies(of: image, factors.luma, offset: -128 << 15, saturated: saturated, rows)
        func whole(_ component: Int) throws(CodecError) -> BlockPlane {
            try Self.frequencies(of: image, differences[component], offset: 0, rows)
        }
        if let choice, let loss {
            let choice = SubsamplingChoice(loss: loss, settings: choice, rows: rows)
            if try choice.prefersAllColors(luma: luma, halved: colors, whole: whole) {
                (sampling, colors) = ((1, 1), [])
            }
        }
        if colors.isEmpty, !isGray {
            colors = try differences.indices.map { component throws(CodecError) in try whole(component) }
        }
        self.init(size: image.size, sampling: sampling, components: [luma] + colors, saturated: saturated)
    }

    /// Returns the coefficients of both subsampled chroma components, and how much colour they lose.
    private static func shared(
        _ image: PixelBuffer, _ differences: [RGBFactors.Channels], _ sampling: (horizontal: Int, vertical: Int),
        measuresLoss: Bool, _ rows: BlockRows
    ) throws(CodecError) -> ([BlockPlane], ChromaLoss?) {
        let halves = try differences.map { difference throws(CodecError) in
            try SharpChroma.samples(of: image.size, reducedBy: sampling, rows) { y, words in
                read(y, of: image, difference, offset: 0, into: words)
            }
        }
        var loss: ChromaLoss?
        if measuresLoss {
            loss = try ChromaLoss(image.size, halves, rows) { component, y, words in
                read(y, of: image, differences[component], offset: 0, into: words)
            }
        }
        let blocks = try halves.map { samples throws(CodecError) in
            try ForwardTransform.frequencies(
                of: samples.size, fractionBits: SharpChroma.fractionBits, rows
            ) { y, words in words.update(from: samples.row(y), count: samples.size.width) }
        }
        return (blocks, loss)
    }

    private static func frequencies(
        of image: PixelBuffer, _ factors: RGBFactors.Channels, offset: Int32, saturated: SaturatedSamples? = nil,
        _ rows: BlockRows
    ) throws(CodecError) -> BlockPlane {
        try ForwardTransform.frequencies(
            of: image.size, fractionBits: fractionBits, saturated: saturated, rows
        ) { y, words in
            read(y, of: image, factors, offset: offset, into: words)
        }
    }

    /// Converts a row to samples of a component, in units of 1/16.
    private static func read(
        _ y: Int, of image: PixelBuffer, _ factors: RGBFactors.Channels, offset: Int32,
        into words: UnsafeMutablePointer<Int16>
    ) {
        let kernel = texel_kernels_in_use().pointee.bgra_to_words_row
        image.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let row = (base + y * image.bytesPerRow).assumingMemoryBound(to: UInt8.self)
            kernel(words, row, image.width, [factors.blue, factors.green, factors.red], offset)
        }
    }
}
