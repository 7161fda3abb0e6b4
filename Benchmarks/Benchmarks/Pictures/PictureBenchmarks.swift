import Benchmark
import BenchmarkPictures
import Texel

// Measures the library on synthetic images of 1, 4, 16 and 64 megapixels. The time per pixel shows whether the cost
// scales linearly. `swift package benchmark --filter '.*16 MP.*'` selects one size.

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .peakMemoryResident], warmupIterations: 1, maxDuration: .seconds(2),
        maxIterations: 50)

    for megapixels in [1, 4, 16, 64] {
        let inputs = Inputs(megapixels: megapixels)
        decoding(inputs)
        encoding(inputs)
        filtering(inputs)
        comparing(inputs)
        wholeRuns(inputs)
    }
}

private func measure(_ name: String, _ inputs: Inputs, _ work: @escaping @Sendable (Inputs.Ready) async throws -> Void)
{
    Benchmark("\(name), \(inputs.megapixels) MP") { benchmark in
        let ready = try inputs.ready()
        benchmark.startMeasurement()
        try await work(ready)
        benchmark.stopMeasurement()
    }
}

private func decoding(_ inputs: Inputs) {
    @Sendable func decode(_ bytes: InputBytes, shrink: Int = 1) throws {
        var options = DecodeOptions()
        options.shrink = shrink
        blackHole(try CodecRegistry.shared.open(bytes).decodedAsStored(options))
    }
    measure("decode JPEG", inputs) { try decode($0.jpeg) }
    measure("decode JPEG at 1/2", inputs) { try decode($0.jpeg, shrink: 2) }
    measure("decode progressive JPEG", inputs) { try decode($0.progressiveJPEG) }
    measure("decode progressive JPEG at 1/8", inputs) { try decode($0.progressiveJPEG, shrink: 8) }
    measure("decode PNG", inputs) { try decode($0.png) }
}

private func encoding(_ inputs: Inputs) {
    for effort in [Effort.fast, .balanced] {
        measure("encode JPEG, \(effort)", inputs) {
            blackHole(try $0.image.encoded(as: .jpeg(JPEGOptions(quality: 80, effort: effort))))
        }
    }
    measure("encode PNG, fast", inputs) { blackHole(try $0.image.encoded(as: .png(PNGOptions(effort: .fast)))) }
}

private func filtering(_ inputs: Inputs) {
    @Sendable func target(of image: PixelBuffer) -> PixelSize {
        PixelSize(width: image.width / 4, height: image.height / 4)
    }
    measure("resize to 1/4, opaque", inputs) { blackHole(try $0.image.resized(to: target(of: $0.image))) }
    measure("resize to 1/4, alpha", inputs) { blackHole(try $0.translucent.resized(to: target(of: $0.image))) }
    measure("resize to 1/4, linear light", inputs) {
        blackHole(try $0.image.resized(to: target(of: $0.image), linearLight: true))
    }
    measure("quarter turn", inputs) { blackHole(try $0.image.rotated(quarterTurns: 1)) }
}

private func comparing(_ inputs: Inputs) {
    measure("PSNR", inputs) { blackHole(try $0.compressed.psnr(against: $0.image)) }
    measure("SSIM", inputs) { blackHole(try $0.compressed.structuralSimilarity(to: $0.image)) }
    measure("HaarPSI", inputs) { blackHole(try $0.compressed.haarPSI(against: $0.image)) }
    measure("SSIMULACRA2", inputs) { blackHole(try $0.compressed.ssimulacra2(against: $0.image)) }
    measure("Butteraugli", inputs) { blackHole(try $0.compressed.butteraugli(against: $0.image)) }
}

/// Measures whole runs from the bytes of a file to those of another, through every route.
private func wholeRuns(_ inputs: Inputs) {
    let shrinking = Recipe().resizing(width: 640).encoding(as: nil, quality: 80, effort: .fast)
    measure("JPEG to 640 pixels", inputs) { blackHole(try await Texel.process($0.jpeg, with: shrinking)) }
    measure("progressive JPEG to 640 pixels", inputs) {
        blackHole(try await Texel.process($0.progressiveJPEG, with: shrinking))
    }
    measure("PNG to 640 pixels", inputs) { blackHole(try await Texel.process($0.png, with: shrinking)) }

    let compressing = Recipe().encoding(as: .jpeg, quality: 70, effort: .fast)
    measure("JPEG to JPEG", inputs) { blackHole(try await Texel.process($0.jpeg, with: compressing)) }

    let turning = Recipe().rotating(by: 90)
    measure("JPEG, a quarter turn", inputs) { blackHole(try await Texel.process($0.jpeg, with: turning)) }

    let tilting = Recipe().resizing(width: 640).rotating(by: 7.5).encoding(as: nil, quality: 80, effort: .fast)
    measure("JPEG to 640 pixels, tilted", inputs) { blackHole(try await Texel.process($0.jpeg, with: tilting)) }

    var stripping = Recipe().keepingMetadata(.none)
    stripping.output.compresses = false
    let strippingOnly = stripping
    measure("JPEG, metadata only", inputs) { blackHole(try await Texel.process($0.jpeg, with: strippingOnly)) }
}
