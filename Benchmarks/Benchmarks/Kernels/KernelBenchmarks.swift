import Benchmark
import CPixelKernels

// Measures every kernel at every CPU level that the machine supports, on rows of a 16-megapixel image that is shrunk to
// 852 pixels: 4928 pixels wide, 36 taps. Each measurement runs 100 rows, as one row is too short to time.

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], warmupIterations: 3, maxDuration: .milliseconds(500), maxIterations: 2000)

    for level in [texel_cpu_baseline, texel_cpu_v2, texel_cpu_v3, texel_cpu_v4] {
        guard let kernels = texel_kernels_at(level)?.pointee else { continue }
        let name = String(cString: texel_cpu_level_name(level))
        filters(kernels, level: name)
        alphaRows(kernels, level: name)
        linearLight(kernels, level: name)
        png(kernels, level: name)
        windows(kernels, level: name)
        boxes(kernels, level: name)
        medians(kernels, level: name)
        blends(kernels, level: name)
    }
}

func measure(_ kernel: String, level: String, _ row: @escaping () -> Void) {
    Benchmark("\(kernel), \(level)") { benchmark in
        for _ in benchmark.scaledIterations {
            for _ in 0..<100 { row() }
        }
    }
}

private func filters(_ kernels: texel_kernels, level: String) {
    let windows = Windows(source: Rows.width, target: 852, taps: 36)
    let (bytes, samples) = (Rows.bytes, Rows.samples)
    let (byteResult, sampleResult) = (Memory<UInt8>(count: Rows.width * 4), Memory<Int16>(count: Rows.width * 4))
    let byteRows = Memory((0..<windows.taps).map { UnsafePointer(bytes.base + $0) })
    let sampleRows = Memory((0..<windows.taps).map { UnsafePointer(samples.base + $0) })

    let evenWindows = Windows(source: Rows.width, target: 852, taps: 36, startMultiple: 2)
    let bandSources = Memory((0..<Int(texel_plane_band_rows)).map { UnsafePointer(bytes.base + $0) })
    let bandResult = Memory<UInt8>(count: Rows.width * 4 * Int(texel_plane_band_rows))
    let bandPlaces = Memory((0..<Int(texel_plane_band_rows)).map { bandResult.base + $0 * Rows.width * 4 })
    let tiles = Memory<Int16>(count: texel_band_scratch(evenWindows.taps))
    measure("resample_horizontal_band", level: level) {
        kernels.resample_horizontal_band(
            bandPlaces.base, bandSources.base, 0, Rows.width - 16, evenWindows.target, evenWindows.starts,
            evenWindows.weights, evenWindows.taps, evenWindows.shift, tiles.base, 0)
    }
    measure("resample_horizontal_plane_band", level: level) {
        kernels.resample_horizontal_plane_band(
            bandPlaces.base, bandSources.base, Rows.width - 16, evenWindows.target, evenWindows.starts,
            evenWindows.weights, evenWindows.taps, evenWindows.shift, tiles.base)
    }
    measure("resample_vertical_u8", level: level) {
        kernels.resample_vertical_u8(
            byteResult.base, byteRows.base, windows.weights, windows.taps, Rows.width * 4, windows.shift)
    }
    measure("resample_horizontal_u16", level: level) {
        kernels.resample_horizontal_u16(
            sampleResult.base, samples.base, windows.target, windows.starts, windows.weights, windows.taps,
            windows.shift)
    }
    measure("resample_vertical_u16", level: level) {
        kernels.resample_vertical_u16(
            sampleResult.base, sampleRows.base, windows.weights, windows.taps, Rows.width * 4, windows.shift)
    }
}

private func alphaRows(_ kernels: texel_kernels, level: String) {
    let (bytes, result) = (Rows.bytes, Memory<UInt8>(count: Rows.width * 4))
    measure("premultiply_row", level: level) { kernels.premultiply_row(result.base, bytes.base, Rows.width) }
    measure("unpremultiply_row", level: level) { kernels.unpremultiply_row(result.base, bytes.base, Rows.width) }
    measure("flatten_row", level: level) {
        kernels.flatten_row(result.base, bytes.base, Rows.width, 0x80_8080, false)
    }
    measure("limit_to_alpha_row", level: level) { kernels.limit_to_alpha_row(result.base, bytes.base, Rows.width) }
}

private func linearLight(_ kernels: texel_kernels, level: String) {
    let (bytes, samples) = (Rows.bytes, Rows.samples)
    let (byteResult, sampleResult) = (Memory<UInt8>(count: Rows.width * 4), Memory<Int16>(count: Rows.width * 4))
    let fromByte = (0..<256).map { UInt16($0 * 32767 / 255) }
    let toByte = (0..<32768).map { UInt8($0 * 255 / 32767) }
    measure("linearise_row", level: level) {
        kernels.linearise_row(sampleResult.base, bytes.base, Rows.width, fromByte)
    }
    measure("delinearise_row", level: level) {
        kernels.delinearise_row(byteResult.base, samples.base, Rows.width, toByte)
    }
}

private func png(_ kernels: texel_kernels, level: String) {
    let channels = 3
    let (bytes, result, costs) = (Rows.bytes, Memory<UInt8>(count: Rows.width * 4), Memory<UInt64>(count: 5))
    // Each row is preceded by one pixel of padding.
    let (above, row, count) = (bytes.base + channels, bytes.base + 2 * Rows.width, Rows.width * channels / 2)
    measure("png_filter_costs", level: level) {
        kernels.png_filter_costs(costs.base, row, above, count, channels)
    }
    // Paeth, the most expensive filter.
    measure("png_filter_row", level: level) {
        kernels.png_filter_row(result.base, row, above, count, channels, 4)
    }
    measure("png_unfilter_row, 8 bytes a pixel", level: level) {
        kernels.png_unfilter_row(result.base, row, above, count / 8 * 8, 8, 4)
    }
    measure("png_narrow_row", level: level) { kernels.png_narrow_row(result.base, bytes.base, Rows.width * 2) }
    measure("pack_rgb_row", level: level) { kernels.pack_rgb_row(result.base, bytes.base, Rows.width) }
    measure("pack_rgba_row", level: level) { kernels.pack_rgba_row(result.base, bytes.base, Rows.width) }
}
