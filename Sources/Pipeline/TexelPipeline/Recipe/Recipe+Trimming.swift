import TexelOperations
import TexelPixels

extension Recipe {
    /// The index of the first trim for which the pixels have not been searched; `nil` if the recipe can be planned.
    var firstOpenTrim: Int? {
        operations.firstIndex { ($0.value as? TrimOperation).map { $0.finding == nil } ?? false }
    }

    /// What the searches for the recipe's trims found.
    private var trimFindings: [TrimOperation.Finding] {
        operations.compactMap { ($0.value as? TrimOperation)?.finding }
    }

    /// A line for `--explain` for each trim.
    var trimExplanation: [String] {
        trimFindings.map { finding in
            switch finding {
            case .content(let rectangle): "trim: the image was decoded to find its content, \(rectangle)"
            case .onlyBackground: "trim: the image was decoded to find its content; all of it is background"
            }
        }
    }

    /// A warning if a trim found nothing to keep.
    var trimNotes: [String] {
        trimFindings.contains(.onlyBackground) ? ["nothing was trimmed: the whole image is background"] : []
    }
}
