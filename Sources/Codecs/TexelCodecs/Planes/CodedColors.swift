/// The colours of coded samples in numbers of ITU-T H.273; 2 if unspecified.
package struct CodedColors: Sendable, Hashable {
    package var primaries = 2
    package var transfer = 2
    package var matrix = 2
    package var isFullRange = false

    package init(primaries: Int = 2, transfer: Int = 2, matrix: Int = 2, isFullRange: Bool = false) {
        (self.primaries, self.transfer) = (primaries, transfer)
        (self.matrix, self.isFullRange) = (matrix, isFullRange)
    }
}
