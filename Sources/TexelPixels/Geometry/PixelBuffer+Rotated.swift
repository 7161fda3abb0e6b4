extension PixelBuffer {
    /// The picture turned by `degrees`, clockwise when positive, on a canvas just large enough to hold it.
    ///
    /// The picture's centre is the canvas's centre. Multiples of 90 move the pixels exactly and keep the alpha mode.
    /// Other angles sample with `filter`, in premultiplied arithmetic, and antialias the picture's edge against
    /// `background`, which fills the corners; it does not shine through translucent pixels of the picture itself.
    /// The result is opaque where picture and background are, premultiplied where the picture is, else straight.
    /// - Parameter pixelLimit: the most pixels the result may have; without it as many as memory holds.
    /// - Throws: `invalidTransform` for an angle that is not finite, `resultTooLarge`, `outOfMemory`.
    public func rotated(
        by degrees: Double, filter: ResamplingFilter = .lanczos3, background: PixelColor = .transparent,
        pixelLimit: Int = .max
    ) throws(PixelBufferError) -> PixelBuffer {
        if let turns = try quarterTurns(in: degrees) { return try rotated(quarterTurns: turns) }
        let warp = try Warp(
            rotating: size, by: degrees, filter: filter, background: background, pixelLimit: pixelLimit)
        return try warp.rendered(self)
    }
}

extension PixelSize {
    /// The size of a picture after ``PixelBuffer/rotated(by:filter:background:pixelLimit:)``: each side is the exact
    /// extent, w |cos| + h |sin| and w |sin| + h |cos|, rounded up.
    public func rotated(by degrees: Double, pixelLimit: Int = .max) throws(PixelBufferError) -> PixelSize {
        if let turns = try quarterTurns(in: degrees) { return Orientation(quarterTurns: turns).applied(to: self) }
        let (sine, cosine) = sineAndCosine(degrees: degrees)
        let (w, h) = (Double(width), Double(height))
        return try PixelSize(
            holding: w * abs(cosine) + h * abs(sine), w * abs(sine) + h * abs(cosine), pixelLimit: pixelLimit)
    }
}

extension Warp {
    /// A turn by `degrees`, clockwise.
    package init(
        rotating size: PixelSize, by degrees: Double, filter: ResamplingFilter, background: PixelColor,
        pixelLimit: Int = .max
    ) throws(PixelBufferError) {
        let canvas = try size.rotated(by: degrees, pixelLimit: pixelLimit)
        let (sine, cosine) = sineAndCosine(degrees: degrees)
        // y grows downwards, so clockwise on the screen is (cos, -sin; sin, cos); this is the way back.
        let map = ProjectiveMap(
            u: .init(x: cosine, y: sine, constant: 0), v: .init(x: -sine, y: cosine, constant: 0),
            w: .init(x: 0, y: 0, constant: 1))
        self.init(of: size, ontoCanvas: canvas, centredMap: map, filter: filter, background: background)
    }
}

/// How many quarter turns clockwise an angle is, or `nil` where it is none.
///
/// - Throws: `invalidTransform` for an angle that is not finite.
package func quarterTurns(in degrees: Double) throws(PixelBufferError) -> Int? {
    guard degrees.isFinite else { throw .invalidTransform("an angle of \(degrees) degrees is not finite") }
    let reduced = degrees.truncatingRemainder(dividingBy: 360)
    guard reduced.truncatingRemainder(dividingBy: 90) == 0 else { return nil }
    return Int(reduced / 90)
}
