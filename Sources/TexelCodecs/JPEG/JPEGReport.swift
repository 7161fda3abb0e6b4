import CCodecShims

extension Limits {
    /// As libjpeg's shim takes them.
    var jpeg: texel_jpeg_limits {
        texel_jpeg_limits(
            max_scans: Int32(clamping: scans), max_warnings: Int32(clamping: warnings), max_bytes: codecBytes)
    }
}

/// What libjpeg's answers mean when it reads a file.
extension texel_codec_report {
    /// The one place where libjpeg's answers become errors.
    func check(
        _ status: texel_codec_status, _ options: DecodeOptions, _ input: DecoderInput, rowsRead: Int, rows: Int
    ) throws(CodecError) {
        switch status {
        case TEXEL_CODEC_OK: return
        case TEXEL_CODEC_STOPPED: throw input.stop
        case TEXEL_CODEC_SCAN_LIMIT:
            throw .limitExceeded(.scans, value: options.limits.scans + 1, allowed: options.limits.scans)
        case TEXEL_CODEC_WARNING_LIMIT:
            throw .limitExceeded(.warnings, value: Int(warnings), allowed: options.limits.warnings)
        case TEXEL_CODEC_MEMORY_LIMIT:
            // How much more it wanted is not said.
            throw .limitExceeded(.codecBytes, value: options.limits.codecBytes + 1, allowed: options.limits.codecBytes)
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        default:
            if truncated { throw .truncated(rowsRead: rowsRead, rows: rows) }
            throw .jpeg(.corrupt(errorMessage))
        }
    }

    /// Whether what the library warned of passes.
    func passes(_ strictness: Strictness) -> Bool {
        do throws(CodecError) {
            try check(strictness, rowsRead: 0, rows: 0)
            return true
        } catch {
            return false
        }
    }

    /// Refuses what the library warned of.
    func check(_ strictness: Strictness, rowsRead: Int, rows: Int) throws(CodecError) {
        guard warnings > 0 || truncated else { return }
        if strictness != .none, truncated { throw .truncated(rowsRead: rowsRead, rows: rows) }
        switch strictness {
        case .none, .truncated: return
        case .error: if corrupt { throw .jpeg(.corrupt(firstWarning)) }
        case .warning: throw .warning(firstWarning)
        }
    }
}
