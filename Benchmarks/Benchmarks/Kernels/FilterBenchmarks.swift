import CPixelKernels

// The window filters: a Gaussian of sigma 2, a reduction by eight, boxes and medians.

func windows(_ kernels: texel_kernels, level: String) {
    let (bytes, samples) = (Rows.bytes, Rows.samples)
    let (byteResult, sampleResult) = (Memory<UInt8>(count: Rows.width * 4), Memory<Int16>(count: Rows.width * 4 + 32))
    let byteRows = Memory((0..<22).map { UnsafePointer(bytes.base + $0) })
    let sampleRows = Memory((0..<3).map { UnsafePointer(samples.base + $0) })
    let (radius, width) = (7, Rows.width)
    // The weights add up to 32,768, with those of the halves counted twice.
    let halves: [Int16] = [6538, 5769, 3965, 2122, 885, 287, 73, 14]
    let equal = [Int16](repeating: 1489, count: 22)

    measure("window_rows", level: level) {
        kernels.window_rows(sampleResult.base, byteRows.base, width * 4, halves, radius)
    }
    measure("window_row", level: level) {
        kernels.window_row(byteResult.base, samples.base + radius * 4, width * 4, halves, radius)
    }
    measure("shrink_rows", level: level) {
        kernels.shrink_rows(sampleResult.base, byteRows.base, equal, equal.count, width * 4)
    }
    measure("enlarge_rows", level: level) {
        kernels.enlarge_rows(byteResult.base, sampleRows.base, [8192, 16384, 8192], 3, width * 4)
    }
    measure("sharpen_row", level: level) {
        kernels.sharpen_row(byteResult.base, bytes.base, bytes.base + 8, width, 2048, 3)
    }
}

func boxes(_ kernels: texel_kernels, level: String) {
    let radius = 20
    let (bytes, result) = (Rows.bytes, Memory<UInt8>(count: Rows.width * 4))
    let sums = Memory<UInt32>(count: (Rows.width + 2 * radius) * 4)
    let area: UInt64 = 41 * 41
    let shift: UInt64 = 31 + 11
    var box = texel_box(
        radius: UInt32(radius), half_area: UInt32(area / 2), reciprocal: UInt32(((1 << shift) + area - 1) / area),
        shift: UInt32(shift))
    measure("move_sums", level: level) {
        kernels.move_sums(sums.base + radius * 4, bytes.base, bytes.base + 4, Rows.width * 4)
    }
    measure("box_row", level: level) {
        kernels.box_row(result.base, sums.base + radius * 4, Rows.width, &box)
    }
}

func medians(_ kernels: texel_kernels, level: String) {
    let (bytes, result) = (Rows.bytes, Memory<UInt8>(count: Rows.width * 4))
    let rows = Memory((0..<9).map { UnsafePointer(bytes.base + 16 + $0 * 4) })
    // The last windows and whole vectors stay inside the padding of the row.
    let count = (Rows.width - 32) * 4
    measure("median_3_row", level: level) { kernels.median_3_row(result.base, rows.base, count) }
    measure("median_5_row", level: level) { kernels.median_5_row(result.base, rows.base, count) }
    measure("median_row, 9", level: level) { kernels.median_row(result.base, rows.base, count, 9) }
}
