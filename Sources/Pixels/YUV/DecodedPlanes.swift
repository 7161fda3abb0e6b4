/// An image in planes that a decoder made, each with a stride of its own.
///
/// Unchecked because of the pointers: nothing writes to the planes.
package final class DecodedPlanes: @unchecked Sendable {
    /// The form and the size of the image as stored.
    package let layout: SampleLayout
    /// How the stored image is displayed.
    package let orientation: Orientation
    /// One for each plane of the layout, with all its rows.
    package let planes: [PlaneRows]
    private let owner: any AnyObject & Sendable

    /// - Parameters:
    ///   - planes: One for each plane of the layout, of at least its size.
    ///   - owner: The object as long as which the planes are valid.
    package init(
        _ layout: SampleLayout, _ orientation: Orientation, _ planes: [PlaneRows], owner: any AnyObject & Sendable
    ) {
        self.layout = layout
        self.orientation = orientation
        self.planes = planes
        self.owner = owner
    }
}

/// Consecutive rows of a plane in memory.
package struct PlaneRows {
    /// The first row.
    package var base: UnsafeRawPointer
    /// The distance between rows.
    package var bytesPerRow: Int

    package init(base: UnsafeRawPointer, bytesPerRow: Int) {
        (self.base, self.bytesPerRow) = (base, bytesPerRow)
    }
}
