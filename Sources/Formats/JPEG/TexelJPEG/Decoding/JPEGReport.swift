import CJPEGShim
import TexelCodecs
import TexelCore

extension Limits {
    /// The limits for libjpeg's shim.
    var jpeg: texel_jpeg_limits {
        texel_jpeg_limits(
            max_scans: Int32(clamping: scans), max_warnings: Int32(clamping: warnings), max_bytes: codecBytes)
    }
}

// Conversion of libjpeg's status and warnings into errors.
extension texel_codec_report {
    /// Throws the error that a status stands for.
    ///
    /// - Parameters:
    ///   - rows: the number of rows of the file.
    ///   - coefficientBytes: the memory for all coefficients of the file.
    func check(
        _ status: texel_codec_status, _ options: DecodeOptions, _ input: DecoderInput, rows: Int, coefficientBytes: Int
    ) throws(TexelError) {
        let limits = options.policy.limits
        switch status {
        case TEXEL_CODEC_OK: return
        case TEXEL_CODEC_STOPPED: throw input.stopError
        case TEXEL_CODEC_SCAN_LIMIT:
            throw .limitExceeded(.scans, value: limits.scans + 1, allowed: limits.scans)
        case TEXEL_CODEC_WARNING_LIMIT:
            throw .limitExceeded(.warnings, value: Int(warnings), allowed: limits.warnings)
        case TEXEL_CODEC_MEMORY_LIMIT:
            // libjpeg does not report how much it would need. Most of it is for coefficients, if not all.
            throw .limitExceeded(
                .codecBytes, value: max(coefficientBytes, limits.codecBytes + 1), allowed: limits.codecBytes)
        case TEXEL_CODEC_OUT_OF_MEMORY: throw .outOfMemory
        default:
            if truncated { throw truncation(rows: rows) }
            throw .jpeg(.corrupt(errorMessage))
        }
    }

    /// Whether the strictness accepts the warnings so far.
    func passes(_ strictness: Strictness) -> Bool {
        do throws(TexelError) {
            try check(strictness, rows: 0)
            return true
        } catch {
            return false
        }
    }

    /// Checks the library's warnings.
    ///
    /// - Throws: an error for warnings that the strictness does not accept.
    func check(_ strictness: Strictness, rows: Int) throws(TexelError) {
        guard warnings > 0 || truncated else { return }
        if strictness != .none, truncated { throw truncation(rows: rows) }
        switch strictness {
        case .none, .truncated: return
        case .error: if corrupt { throw .jpeg(.corrupt(firstWarning)) }
        case .warning: throw .warning(firstWarning)
        }
    }

    /// The error for a file that ends too early, in rows of the file.
    func truncation(rows: Int) -> TexelError { .truncated(rowsRead: min(Int(self.rows), rows), rows: rows) }
}
