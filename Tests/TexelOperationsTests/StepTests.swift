import TestSupport
import Testing
import TexelOperations
import TexelPixels

/// Steps by themselves and in sequences, on images of odd sizes and every alpha mode.
@Suite struct StepTests {
    static let sizes = [
        PixelSize(width: 1, height: 1), PixelSize(width: 7, height: 11), PixelSize(width: 19, height: 6),
    ]
    static let background = PixelColor(red: 10, green: 200, blue: 30, alpha: 128)

    /// Some parameters of each operation that fit the size.
    static func operations(_ size: PixelSize) -> [PixelOperation] {
        let part = PixelRectangle(
            x: size.width / 3, y: size.height / 4, width: (size.width + 1) / 2, height: (size.height + 2) / 3)
        func resize(_ target: ResizeRule.Target, _ filter: ResamplingFilter, isLinear: Bool = false) -> PixelOperation {
            .resize(ResizeOptions(ResizeRule(target, enlarges: true), filter: filter, usesLinearLight: isLinear))
        }
        return [
            .crop(size: part.size, at: .gravity(.southeast)), .crop(aspect: AspectRatio(3, 2), at: .attention),
            .crop(size: part.size, at: .attention), .crop(size: part.size, at: .entropy),
            PixelOperation(TrimOperation(tolerance: 10, background: nil, finding: .content(part))),
            PixelOperation(TrimOperation(tolerance: 10, background: .white, finding: .onlyBackground)),
            .crop(part), .flip(.horizontal), .flip(.vertical), .rotate(degrees: 90), .rotate(degrees: 180),
            .rotate(degrees: -90), .rotate(degrees: 33, filter: .bilinear),
            .turn(Rotation3D(yaw: 30, pitch: -12, roll: 5), filter: .catmullRom), .turn(Rotation3D(roll: 10)),
            .affine(SampleMaps.shear, filter: .mitchell),
            .affine(SampleMaps.shear, canvas: PixelSize(width: 6, height: 9)),
            .affineKeepingSize(SampleMaps.shear),
            .perspective(SampleMaps.corners(of: size)),
            .perspective(SampleMaps.corners(of: size), size: PixelSize(width: 4, height: 13), filter: .bilinear),
            .flatten(PixelColor(red: 1, green: 2, blue: 3)), .invert, .negate, .saturation(2), .exposure(stops: 0.5),
            .blur(sigma: 0.7), .blur(sigma: 4.5), .blur(sigma: 17), .blur(sigma: 2, usesLinearLight: true),
            .blur(sigma: 9, usesLinearLight: true), .boxBlur(radius: 1), .boxBlur(radius: 12),
            .sharpen(amount: 1.5), .sharpen(amount: 0.3, radius: 6, threshold: 7), .median(size: 3), .median(size: 5),
            .median(size: 7), .median(size: 9), .lut(SampleTables.cube), .lut(SampleTables.curves),
            .curves(all: [CurvePoint(20, 0), CurvePoint(128, 150)], red: [CurvePoint(0, 255), CurvePoint(255, 0)]),
            .tint(PixelColor(red: 200, green: 120, blue: 10), amount: 0.7), .temperature(kelvin: 3200),
            .normalize(), .normalize(lowerPercentile: 20, upperPercentile: 70), .equalizeLocally(),
            .equalizeLocally(columns: 2, rows: 3, clipLimit: 0),
            resize(.box(width: 5, height: 3, fit: .fill), .lanczos3),
            resize(.box(width: 9, height: 9, fit: .contain), .mitchell),
            resize(.box(width: 4, height: 8, fit: .cover), .box),
            .resize(
                ResizeOptions(
                    ResizeRule(.box(width: 3, height: 9, fit: .cover), enlarges: true), anchor: .gravity(.west))),
            .resize(ResizeOptions(ResizeRule(.box(width: 5, height: 4, fit: .cover)), anchor: .attention)),
            resize(.scale(numerator: 7, denominator: 3), .nearest),
            resize(.scale(numerator: 1, denominator: 2), .bilinear, isLinear: true),
        ] + ComposeSamples.operations(size)
    }

    private static func image(_ size: PixelSize, _ alphaMode: AlphaMode, seed: UInt64 = 5) throws -> PixelBuffer {
        let image = try PixelBuffer.noise(size, alphaMode: alphaMode == .opaque ? .opaque : .straight, seed: seed)
        return alphaMode == .premultiplied ? try image.premultiplied() : image
    }

    /// Rows that are made one band at a time, from nothing but the rows that the step says it needs, are those of the
    /// whole image.
    @Test(arguments: sizes, [AlphaMode.opaque, .straight, .premultiplied])
    func bandsNeedOnlyTheirRows(size: PixelSize, alphaMode: AlphaMode) throws {
        for operation in Self.operations(size) {
            let steps = try operation.value.steps(for: size, background: Self.background)
            // The second step of a resize pads its result.
            guard let step = steps.first else { continue }
            let image = try Self.image(size, alphaMode)
            var whole = image
            try step.apply(to: &whole)
            let shape = RasterShape(size: size, alphaMode: alphaMode)
            let result = step.shape(of: shape)
            #expect(
                whole.size == result.size
                    && whole.alphaMode == (step.changesNothing(alphaMode) ? alphaMode : result.alphaMode))
            if step.changesNothing(alphaMode) { continue }
            var banded = try PixelBuffer(
                width: result.size.width, height: result.size.height, filledWith: 0x1234_5678,
                alphaMode: result.alphaMode)
            for lower in stride(from: 0, to: result.size.height, by: 3) {
                let rows = lower..<min(lower + 3, result.size.height)
                let needed = step.sourceRows(for: rows, of: size)
                var source = try PixelBuffer(
                    width: size.width, height: size.height, filledWith: 0xDEAD_BEEF, alphaMode: alphaMode)
                source.updateRaster(to: alphaMode) { destination in
                    image.withRaster { destination.copyRows(needed, from: $0) }
                }
                let pass = try step.pass(for: shape)
                banded.updateRaster(to: result.alphaMode) { destination in
                    source.withRaster { source in
                        if step.surveysSource { pass.begin(source) }
                        pass.run(rows: rows, from: source, to: destination)
                    }
                }
            }
            #expect(banded == whole, "\(size) \(alphaMode) \(step.summary)")
        }
    }

    /// A sequence, through memory that holds anything, gives what the steps give one after the other.
    @Test(arguments: 0..<60) func sequencesAreTheirSteps(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let size = PixelSize(
            width: Int.random(in: 1...24, using: &generator), height: Int.random(in: 1...24, using: &generator))
        let alphaMode = [AlphaMode.opaque, .straight, .premultiplied][Int(seed % 3)]
        let image = try Self.image(size, alphaMode, seed: seed)
        var (expected, steps) = (image, [any RowStep]())
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            guard let operation = Self.operations(expected.size).randomElement(using: &generator),
                (expected.size.pixelCount ?? .max) < 5000
            else { break }
            for step in try operation.value.steps(for: expected.size, background: Self.background) {
                steps.append(step)
                try step.apply(to: &expected)
            }
        }
        let sequence = try StepSequence(steps, for: RasterShape(size: size, alphaMode: alphaMode))
        #expect(sequence.shape == RasterShape(size: expected.size, alphaMode: expected.alphaMode))
        if sequence.isEmpty { return #expect(expected == image) }
        var result = try PixelBuffer(
            width: sequence.shape.size.width, height: sequence.shape.size.height, filledWith: 0x89AB_CDEF,
            alphaMode: sequence.shape.alphaMode)
        let memory = sequence.intermediateShapes.map { shape in
            [UInt32](repeating: 0x7654_3210, count: shape.size.width * shape.size.height)
        }
        // Twice, as for two frames.
        for _ in 0..<2 {
            var memory = memory
            let rasters = zip(memory.indices, sequence.intermediateShapes).map { index, shape in
                memory[index].withUnsafeMutableBytes { bytes in
                    Raster(
                        base: bytes.baseAddress!, bytesPerRow: shape.size.width * PixelBuffer.bytesPerPixel,
                        size: shape.size, alphaMode: shape.alphaMode)
                }
            }
            result.updateRaster(to: sequence.shape.alphaMode) { destination in
                image.withRaster { sequence.run(from: $0, through: rasters, to: destination) }
            }
            withExtendedLifetime(memory) {}
        }
        #expect(result == expected, "seed \(seed): \(steps.map(\.summary))")
        guard sequence.runsInPlace else { return }
        var inPlace = image
        inPlace.updateRaster(to: sequence.shape.alphaMode) { raster in
            func view(_ mode: AlphaMode) -> Raster {
                Raster(base: raster.base, bytesPerRow: raster.bytesPerRow, size: raster.size, alphaMode: mode)
            }
            sequence.run(from: view(alphaMode), through: [], to: view(sequence.shape.alphaMode))
        }
        #expect(inPlace == expected, "in place, seed \(seed): \(steps.map(\.summary))")
    }

    /// Steps without effect are left out, and crops only narrow what is read.
    @Test func nothingIsDoneTwice() throws {
        let size = PixelSize(width: 20, height: 10)
        let opaque = RasterShape(size: size, alphaMode: .opaque)
        #expect(try StepSequence([FlattenStep(.white)], for: opaque).isEmpty)
        let crop = CropStep(PixelRectangle(x: 2, y: 3, width: 4, height: 5))
        #expect(try StepSequence([crop, MoveStep(.rotated90)], for: opaque).intermediateShapes.isEmpty)
        #expect(try StepSequence([MoveStep(.rotated90), crop], for: opaque).intermediateShapes.isEmpty)
        // Each row of a rotated image depends on many rows.
        let large = RasterShape(size: PixelSize(width: 400, height: 10), alphaMode: .opaque)
        let turn = try #require(
            try PixelOperation.rotate(degrees: 10).value
                .steps(for: PixelSize(width: 10, height: 400), background: .white).first)
        #expect(try StepSequence([MoveStep(.rotated90), turn], for: large).intermediateShapes.count == 1)
    }
}
