import TexelPixels

/// An image in planes that a decoder made, each with a stride of its own.
///
/// Unchecked because of the pointers: nothing writes to the planes.
final class DecodedPlanes: @unchecked Sendable {
    /// The form and the size of the image as stored.
    let layout: SampleLayout
    /// How the stored image is displayed.
    let orientation: Orientation
    /// One for each plane of the layout, with all its rows.
    let planes: [PlaneRows]
    private let owner: any AnyObject & Sendable

    /// - Parameters:
    ///   - planes: One for each plane of the layout, of at least its size.
    ///   - owner: The object as long as which the planes are valid.
    init(
        _ layout: SampleLayout, _ orientation: Orientation, _ planes: [PlaneRows], owner: any AnyObject & Sendable
    ) {
        self.layout = layout
        self.orientation = orientation
        self.planes = planes
        self.owner = owner
    }
}

/// Consecutive rows of a plane in memory.
struct PlaneRows {
    /// The first row.
    var base: UnsafeRawPointer
    var bytesPerRow: Int
}
