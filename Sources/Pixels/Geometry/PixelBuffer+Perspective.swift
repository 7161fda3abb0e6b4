public import TexelCore

extension PixelBuffer {
    /// Returns the image rotated in space, as seen by a pinhole camera at a distance of the image's diagonal.
    ///
    /// The focal length equals that distance, so the centre of the image keeps its scale. The canvas is the bounding
    /// box of the four projected corners. Images rotated by more than 90 degrees are seen from behind, mirrored.
    /// Sampling, edges, background and alpha mode are those of ``rotated(by:filter:background:pixelLimit:)``; the
    /// filter is widened where the image is reduced, to avoid aliasing. A roll alone equals that rotation.
    ///
    /// - Parameters:
    ///   - rotation: the angles.
    ///   - filter: the resampling filter.
    ///   - background: the colour around the image.
    ///   - pixelLimit: the largest number of pixels of the result; unlimited by default.
    /// - Throws: `invalidTransform` for an angle that is not finite, for an image seen edge-on, and if a corner would
    ///   be behind the camera; `resultTooLarge`, `outOfMemory`.
    public func inPerspective(
        _ rotation: Rotation3D, filter: ResamplingFilter = .lanczos3, background: PixelColor = .transparent,
        pixelLimit: Int = .max
    ) throws(TexelError) -> PixelBuffer {
        if rotation.staysInPlane {
            return try rotated(by: rotation.roll, filter: filter, background: background, pixelLimit: pixelLimit)
        }
        let warp = try Warp(
            turning: size, to: rotation, filter: filter, background: background, pixelLimit: pixelLimit)
        return try warp.rendered(self)
    }
}

extension PixelSize {
    /// Returns the size of an image after ``PixelBuffer/inPerspective(_:filter:background:pixelLimit:)``.
    ///
    /// - Throws: `invalidTransform`, `resultTooLarge`.
    public func inPerspective(_ rotation: Rotation3D, pixelLimit: Int = .max) throws(TexelError) -> PixelSize {
        if rotation.staysInPlane { return try rotated(by: rotation.roll, pixelLimit: pixelLimit) }
        return try Warp(
            turning: self, to: rotation, filter: .bilinear, background: .transparent, pixelLimit: pixelLimit
        ).canvasSize
    }
}

extension Warp {
    /// Below this cosine of the tilt an image counts as edge-on: it would be thinner than a thousandth of its side.
    private static let leastCosine = 1e-3
    /// The smallest depth of a corner, relative to the distance between camera and centre.
    private static let leastDepth = 1e-3

    /// Creates the warp of ``PixelBuffer/inPerspective(_:filter:background:pixelLimit:)``.
    package init(
        turning size: PixelSize, to rotation: Rotation3D, filter: ResamplingFilter, background: PixelColor,
        pixelLimit: Int = .max
    ) throws(TexelError) {
        let projection = try Self.projection(of: size, rotation)
        var (left, right, top, bottom) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
        let (halfWidth, halfHeight) = size.centre
        let corners = [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)].map { ($0 * halfWidth, $1 * halfHeight) }
        for (x, y) in corners {
            let depth = projection.w(x, y)
            guard depth > Self.leastDepth else {
                throw .invalidTransform("the image is turned so far that one of its corners is behind the camera")
            }
            let (seenX, seenY) = (projection.u(x, y) / depth, projection.v(x, y) / depth)
            (left, right) = (min(left, seenX), max(right, seenX))
            (top, bottom) = (min(top, seenY), max(bottom, seenY))
        }
        let canvas = try PixelSize(holding: right - left, bottom - top, pixelLimit: pixelLimit)
        // The centre of the projected bounding box becomes the centre of the canvas; the image's own centre may differ.
        let map = projection.inverse.recentred(
            input: (-(left + right) / 2, -(top + bottom) / 2), output: (0, 0))
        self.init(of: size, ontoCanvas: canvas, centredMap: map, filter: filter, background: background)
    }

    /// Returns the projection from image to camera coordinates, both measured from the centre of the image. W is the
    /// depth relative to the distance between camera and centre.
    private static func projection(
        of size: PixelSize, _ rotation: Rotation3D
    ) throws(TexelError) -> ProjectiveMap {
        for angle in [rotation.yaw, rotation.pitch, rotation.roll] where !angle.isFinite {
            throw .invalidTransform("the angle must be finite; it is \(angle) degrees")
        }
        let (sineYaw, cosineYaw) = sineAndCosine(degrees: rotation.yaw)
        let (sinePitch, cosinePitch) = sineAndCosine(degrees: rotation.pitch)
        let (sineRoll, cosineRoll) = sineAndCosine(degrees: rotation.roll)
        guard abs(cosineYaw * cosinePitch) >= leastCosine else {
            throw .invalidTransform(
                "the image is edge-on to the camera at yaw \(rotation.yaw) and pitch \(rotation.pitch) degrees")
        }
        // x to the right, y down, z away from the camera. The image is at z = 0.
        let rolledX = ProjectiveMap.Linear(x: cosineRoll, y: -sineRoll, constant: 0)
        let rolledY = ProjectiveMap.Linear(x: sineRoll, y: cosineRoll, constant: 0)
        let pitchedZ = -sinePitch * rolledY
        let x = cosineYaw * rolledX - sineYaw * pitchedZ
        let y = cosinePitch * rolledY
        let z = sineYaw * rolledX - -cosineYaw * pitchedZ
        let (w, h) = (Double(size.width), Double(size.height))
        let distance = (w * w + h * h).squareRoot()
        var depth = (1 / distance) * z
        depth.constant = 1
        return ProjectiveMap(u: x, v: y, w: depth)
    }
}

extension Rotation3D {
    /// Whether only the roll is not zero.
    package var staysInPlane: Bool {
        yaw.truncatingRemainder(dividingBy: 360) == 0 && pitch.truncatingRemainder(dividingBy: 360) == 0
    }
}
