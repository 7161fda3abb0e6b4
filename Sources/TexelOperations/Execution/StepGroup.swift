package import TexelPixels

/// Steps that are carried out together on an image in memory.
package enum StepGroup: Sendable {
    /// Steps that write rows, carried out in as few passes as possible.
    case rows([any RowStep])
    /// A step that needs the whole image.
    case whole(any PixelStep)

    /// Splits steps into groups, in their order.
    package static func groups(of steps: some Sequence<any PixelStep>) -> [StepGroup] {
        var groups: [StepGroup] = []
        for step in steps {
            if let step = step as? any RowStep {
                if case .rows(let others)? = groups.last, !step.inspectsImage {
                    groups[groups.count - 1] = .rows(others + [step])
                } else {
                    groups.append(.rows([step]))
                }
            } else {
                groups.append(.whole(step))
            }
        }
        return groups
    }

    /// What must be reported of an image before these steps; `nil` if nothing is lost.
    package func note(about image: PixelBuffer) -> String? {
        switch self {
        // Steps that inspect the image begin a group.
        case .rows(let steps): steps.first?.note(about: image)
        case .whole(let step): step.note(about: image)
        }
    }

    /// Replaces an image by the result.
    ///
    /// - Parameters:
    ///   - threads: the maximum number of threads, including the calling one; the result does not depend on it.
    ///   - isStopped: polled during the work. Once it returns `true`, the pixels of the result are undefined.
    /// - Throws: `outOfMemory`, `resultTooLarge`, and errors of the steps.
    package func apply(
        to image: inout PixelBuffer, threads: Int, isStopped: @Sendable () -> Bool = { false }
    ) throws(PixelBufferError) {
        switch self {
        case .rows(let steps):
            let shape = RasterShape(size: image.size, alphaMode: image.alphaMode)
            for segment in StepSegment.segments(of: steps, for: shape) {
                try segment.apply(to: &image, threads: threads, isStopped: isStopped)
            }
        case .whole(let step): try step.apply(to: &image)
        }
    }
}
