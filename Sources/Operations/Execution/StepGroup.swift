package import TexelPixels

/// Steps that are carried out on an image in memory, in as few passes as possible.
package struct StepGroup: Sendable {
    private var steps: [any RowStep]

    /// Splits steps into groups, in their order. A step that inspects the image begins a group.
    package static func groups(of steps: some Sequence<any RowStep>) -> [StepGroup] {
        var groups: [StepGroup] = []
        for step in steps {
            if groups.isEmpty || step.inspectsImage {
                groups.append(StepGroup(steps: [step]))
            } else {
                groups[groups.count - 1].steps.append(step)
            }
        }
        return groups
    }

    /// What must be reported of an image before these steps; `nil` if nothing is lost.
    package func note(about image: PixelBuffer) -> String? { steps.first?.note(about: image) }

    /// Replaces an image by the result.
    ///
    /// - Parameters:
    ///   - threads: the maximum number of threads, including the calling one; the result does not depend on it.
    ///   - isStopped: polled during the work. Once it returns `true`, the pixels of the result are undefined.
    /// - Throws: `outOfMemory`, `resultTooLarge`, and errors of the steps.
    package func apply(
        to image: inout PixelBuffer, threads: Int, isStopped: @Sendable () -> Bool = { false }
    ) throws(PixelBufferError) {
        let shape = RasterShape(size: image.size, alphaMode: image.alphaMode)
        for segment in StepSegment.segments(of: steps, for: shape) {
            try segment.apply(to: &image, threads: threads, isStopped: isStopped)
        }
        image.colorSpace = steps.reduce(image.colorSpace) { $1.colorSpace(of: $0) }
    }
}
