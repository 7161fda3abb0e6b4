import CCodecShims
import CJXLShim
import TexelCodecs
import TexelCore
import TexelPixels

/// Stores JPEGs in JPEG XL files, and restores them byte for byte.
enum JXLStoredJPEG {
    /// Returns a file that stores a JPEG; `nil` if libjxl cannot restore exactly this JPEG from it.
    ///
    /// - Parameter jpeg: a whole JPEG, whose header has been read.
    /// - Throws: `limitExceeded`, `missingLibrary`, `outOfMemory`, `stopped`.
    static func file(
        storing jpeg: InputBytes, effort: Effort, limits: Limits, stop: StopToken?, parallelism: Int
    ) throws(TexelError) -> [UInt8]? {
        try LoadedLibrary.jxl.require()
        if parallelism > 1 { try LoadedLibrary.jxlThreads.require() }
        return try UninterruptibleCall.run(stop: stop) { () throws(TexelError) in
            try checkedFile(storing: jpeg, effort: effort, parallelism: parallelism)
        }
    }

    /// Stores a JPEG, and restores it for comparison. Blocks until that is done.
    private static func checkedFile(
        storing jpeg: InputBytes, effort: Effort, parallelism: Int
    ) throws(TexelError) -> [UInt8]? {
        var output = texel_jxl_output()
        let (status, _) = LibraryMessage.result { message in
            jpeg.withUnsafeRawBytes { bytes in
                texel_jxl_store_jpeg(
                    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, Int32(Self.effort(effort)),
                    max(1, parallelism), &output, message)
            }
        }
        defer { texel_jxl_free(&output) }
        switch status {
        case TEXEL_CODEC_OK: break
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        default: return nil
        }
        let file = UnsafeBufferPointer(start: output.bytes, count: output.count)
        guard let restored = try restored(from: UnsafeRawBufferPointer(file), limit: jpeg.count),
            restored.elementsEqual(jpeg)
        else { return nil }
        return Array(file)
    }

    /// Restores the JPEG that a file stores; `nil` if it stores none, or libjxl cannot restore it.
    ///
    /// - Throws: `limitExceeded`, `missingLibrary`, `outOfMemory`, `stopped`.
    static func restored(from file: JXLFile, _ options: DecodeOptions) throws(TexelError) -> [UInt8]? {
        let limits = options.policy.limits
        try limits.checkCodec(JXLMemory.decoding(file.header))
        _ = try file.bytes.wait(for: .max, options.stop)
        try LoadedLibrary.jxl.require()
        try options.stop?.check()
        return try file.bytes.withUnsafeRawBytes { bytes throws(TexelError) in
            try restored(from: bytes, limit: limits.inputBytes)
        }
    }

    private static func restored(
        from file: UnsafeRawBufferPointer, limit: Int
    ) throws(TexelError) -> [UInt8]? {
        var output = texel_jxl_output()
        let status = texel_jxl_restore_jpeg(
            file.baseAddress?.assumingMemoryBound(to: UInt8.self), file.count, limit, &output)
        defer { texel_jxl_free(&output) }
        switch status {
        case TEXEL_CODEC_OK: return Array(UnsafeBufferPointer(start: output.bytes, count: output.count))
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        case TEXEL_CODEC_MEMORY_LIMIT: throw .limitExceeded(.inputBytes, value: limit + 1, allowed: limit)
        default: return nil
        }
    }

    private static func effort(_ effort: Effort) -> Int {
        switch effort {
        case .fast: 3
        case .balanced: 7
        case .best: 9
        }
    }
}
