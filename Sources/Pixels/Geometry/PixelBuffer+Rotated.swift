public import TexelCore

extension PixelBuffer {
    /// Returns the image rotated by `degrees`, clockwise if positive, on the smallest canvas that holds it.
    ///
    /// The image is centred on the canvas. Multiples of 90 move the pixels exactly and keep the alpha mode. Other
    /// angles sample premultiplied pixels with `filter` and antialias the image's edge against `background`, which
    /// fills the corners; it does not show through translucent pixels of the image. The result is opaque if image and
    /// background are, premultiplied if the image is, otherwise straight.
    ///
    /// - Parameters:
    ///   - degrees: the angle.
    ///   - filter: the resampling filter.
    ///   - background: the colour around the image.
    ///   - pixelLimit: the largest number of pixels of the result; unlimited by default.
    /// - Throws: `invalidTransform` for an angle that is not finite, `resultTooLarge`, `outOfMemory`.
    public func rotated(
        by degrees: Double, filter: ResamplingFilter = .lanczos3, background: PixelColor = .transparent,
        pixelLimit: Int = .max
    ) throws(TexelError) -> PixelBuffer {
        if let turns = try quarterTurns(in: degrees) { return try rotated(quarterTurns: turns) }
        let warp = try Warp(
            rotating: size, by: degrees, filter: filter, background: background, pixelLimit: pixelLimit)
        return try warp.rendered(self)
    }
}

extension PixelSize {
    /// Returns the size of an image after ``PixelBuffer/rotated(by:filter:background:pixelLimit:)``. The sides are w
    /// |cos| + h |sin| and w |sin| + h |cos|, rounded up.
    ///
    /// - Throws: `invalidTransform`, `resultTooLarge`.
    public func rotated(by degrees: Double, pixelLimit: Int = .max) throws(TexelError) -> PixelSize {
        if let turns = try quarterTurns(in: degrees) { return Orientation(quarterTurns: turns).applied(to: self) }
        let (sine, cosine) = sineAndCosine(degrees: degrees)
        let (w, h) = (Double(width), Double(height))
        return try PixelSize(
            holding: w * abs(cosine) + h * abs(sine), w * abs(sine) + h * abs(cosine), pixelLimit: pixelLimit)
    }
}

extension Warp {
    /// Creates the warp of a clockwise rotation.
    package init(
        rotating size: PixelSize, by degrees: Double, filter: ResamplingFilter, background: PixelColor,
        pixelLimit: Int = .max
    ) throws(TexelError) {
        let canvas = try size.rotated(by: degrees, pixelLimit: pixelLimit)
        let (sine, cosine) = sineAndCosine(degrees: degrees)
        // y grows downwards, so a clockwise rotation is (cos, -sin; sin, cos); the map is its inverse.
        let map = ProjectiveMap(
            u: .init(x: cosine, y: sine, constant: 0), v: .init(x: -sine, y: cosine, constant: 0),
            w: .init(x: 0, y: 0, constant: 1))
        self.init(of: size, ontoCanvas: canvas, centredMap: map, filter: filter, background: background)
    }
}

/// Returns the number of clockwise quarter turns of an angle, or `nil` if it is not a multiple of 90 degrees.
///
/// - Throws: `invalidTransform` for an angle that is not finite.
package func quarterTurns(in degrees: Double) throws(TexelError) -> Int? {
    guard degrees.isFinite else { throw .invalidTransform("the angle must be finite; it is \(degrees) degrees") }
    let reduced = degrees.truncatingRemainder(dividingBy: 360)
    guard reduced.truncatingRemainder(dividingBy: 90) == 0 else { return nil }
    return Int(reduced / 90)
}
