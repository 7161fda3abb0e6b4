package import TexelCore
package import TexelPixels

extension PixelBuffer {
    /// Applies steps in their order, in as few passes as possible.
    ///
    /// - Parameters:
    ///   - threads: the maximum number of threads, including the calling one; the result does not depend on it.
    ///   - isStopped: polled during the work. Once it returns `true`, the pixels of the result are undefined.
    /// - Returns: what must be reported of the image before a step, such as transparent pixels that are lost.
    /// - Throws: `outOfMemory`, `resultTooLarge`, and errors of the steps.
    @discardableResult
    package mutating func apply(
        _ steps: some Sequence<any RowStep>, threads: Int, isStopped: @Sendable () -> Bool = { false }
    ) throws(TexelError) -> [String] {
        var notes: [String] = []
        for group in StepGroup.groups(of: steps) where !isStopped() {
            if let note = group.note(about: self) { notes.append(note) }
            try group.apply(to: &self, threads: threads, isStopped: isStopped)
        }
        return notes
    }
}

/// Steps that are carried out on an image in memory together.
package struct StepGroup {
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
    func note(about image: PixelBuffer) -> String? { steps.first?.note(about: image) }

    /// Replaces an image by the result.
    func apply(
        to image: inout PixelBuffer, threads: Int, isStopped: @Sendable () -> Bool
    ) throws(TexelError) {
        let shape = RasterShape(size: image.size, alphaMode: image.alphaMode)
        for segment in StepSegment.segments(of: steps, for: shape) {
            try segment.apply(to: &image, threads: threads, isStopped: isStopped)
        }
        image.colorSpace = steps.reduce(image.colorSpace) { $1.colorSpace(of: $0) }
    }
}
