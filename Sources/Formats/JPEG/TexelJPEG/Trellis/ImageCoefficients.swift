import CPixelKernels
import TexelCodecs
import TexelCore
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
    func copy(_ rows: BlockRows) throws(TexelError) -> ImageCoefficients {
        ImageCoefficients(
            size: size, sampling: sampling,
            components: try components.map { plane throws(TexelError) in try plane.copy(rows) }, saturated: saturated)
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
    ) throws(TexelError) {
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
    ) throws(TexelError) {
        let samples = PixelSamples(image)
        var sampling = isGray ? (1, 1) : sampling
        // Free the memory for reducing chroma before luma's is allocated.
        var (colors, loss): ([BlockPlane], ChromaLoss?) = ([], nil)
        if sampling != (1, 1) {
            (colors, loss) = try Self.shared(samples, sampling, measuresLoss: choice != nil, rows)
        }
        let saturated = try SaturatedSamples(covering: image.size)
        let luma = try samples.frequencies(rows, saturated: saturated) { y, words in samples.readLuma(y, into: words) }
        func whole(_ component: Int) throws(TexelError) -> BlockPlane {
            try samples.frequencies(rows) { y, words in samples.readChroma(component, y, into: words) }
        }
        if let choice, let loss {
            let choice = SubsamplingChoice(loss: loss, settings: choice, rows: rows)
            if try choice.prefersAllColors(luma: luma, halved: colors, whole: whole) {
                (sampling, colors) = ((1, 1), [])
            }
        }
        if colors.isEmpty, !isGray {
            colors = try (0..<2).map { component throws(TexelError) in try whole(component) }
        }
        self.init(size: image.size, sampling: sampling, components: [luma] + colors, saturated: saturated)
    }

    /// Returns the coefficients of both subsampled chroma components, and how much colour they lose.
    private static func shared(
        _ samples: PixelSamples, _ sampling: (horizontal: Int, vertical: Int), measuresLoss: Bool, _ rows: BlockRows
    ) throws(TexelError) -> ([BlockPlane], ChromaLoss?) {
        let size = samples.image.size
        let halves = try (0..<2).map { component throws(TexelError) in
            try SharpChroma.samples(of: size, reducedBy: sampling, rows) { y, words in
                samples.readChroma(component, y, into: words)
            }
        }
        var loss: ChromaLoss?
        if measuresLoss {
            loss = try ChromaLoss(size, halves, rows) { component, y, words in
                samples.readChroma(component, y, into: words)
            }
        }
        let blocks = try halves.map { samples throws(TexelError) in
            try ForwardTransform.frequencies(
                of: samples.size, fractionBits: SharpChroma.fractionBits, rows
            ) { y, words in words.update(from: samples.row(y), count: samples.size.width) }
        }
        return (blocks, loss)
    }
}

/// The samples of an image's components at full resolution, in units of 1/16.
private struct PixelSamples: Sendable {
    let image: PixelBuffer
    private let factors = RGBFactors(YUVColor(.bt601, .full))
    /// The number of fraction bits of the units.
    private static let fractionBits = 4
    /// The number of fraction bits that mean something.
    private let precision: Int32

    /// - Parameter image: opaque pixels.
    init(_ image: PixelBuffer) {
        self.image = image
        precision = SampleOrigin.isWhole(image) ? 0 : Int32(Self.fractionBits)
    }

    /// Transforms one component.
    ///
    /// - Throws: `outOfMemory`, `stopped`.
    func frequencies(
        _ rows: BlockRows, saturated: SaturatedSamples? = nil,
        read: @escaping @Sendable (_ y: Int, _ words: UnsafeMutablePointer<Int16>) -> Void
    ) throws(TexelError) -> BlockPlane {
        try ForwardTransform.frequencies(
            of: image.size, fractionBits: Self.fractionBits, saturated: saturated, rows, read: read)
    }

    /// Writes a row of luma, centred on zero.
    func readLuma(_ y: Int, into words: UnsafeMutablePointer<Int16>) {
        read(y, factors.luma, offset: -128 << 15, into: words)
    }

    /// Writes a row of a chroma component, centred on zero.
    func readChroma(_ component: Int, _ y: Int, into words: UnsafeMutablePointer<Int16>) {
        read(y, component == 0 ? factors.u : factors.v, offset: 0, into: words)
    }

    private func read(
        _ y: Int, _ channels: RGBFactors.Channels, offset: Int32, into words: UnsafeMutablePointer<Int16>
    ) {
        let kernel = texel_kernels_in_use().pointee.bgra_to_words_row
        image.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let row = (base + y * image.bytesPerRow).assumingMemoryBound(to: UInt8.self)
            kernel(words, row, image.width, [channels.blue, channels.green, channels.red], offset, precision)
        }
    }
}
