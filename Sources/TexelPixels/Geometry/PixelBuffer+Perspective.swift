extension PixelBuffer {
    /// The picture turned in space, as a pinhole camera sees it from a distance of the picture's diagonal.
    ///
    /// The focal length is the same distance, so the picture's centre keeps its scale. The canvas is the bounding box
    /// of the four corners as they are seen. Turned by more than 90 degrees the picture is seen from behind, mirrored.
    /// Sampling, edges, background and alpha mode are those of ``rotated(by:filter:background:pixelLimit:)``; where the
    /// picture recedes the filter is widened, so that nothing aliases. A roll alone is the same as that rotation.
    /// - Parameter pixelLimit: the most pixels the result may have; without it as many as memory holds.
    /// - Throws: `invalidTransform` for an angle that is not finite and for a picture seen edge-on, `resultTooLarge`,
    ///   `outOfMemory`.
    public func inPerspective(
        _ attitude: Attitude, filter: ResamplingFilter = .lanczos3, background: PixelColor = .transparent,
        pixelLimit: Int = .max
    ) throws(PixelBufferError) -> PixelBuffer {
        if attitude.staysInPlane {
            return try rotated(by: attitude.roll, filter: filter, background: background, pixelLimit: pixelLimit)
        }
        let warp = try Warp(
            turning: size, to: attitude, filter: filter, background: background, pixelLimit: pixelLimit)
        return try warp.rendered(self)
    }
}

extension PixelSize {
    /// The size of a picture after ``PixelBuffer/inPerspective(_:filter:background:pixelLimit:)``.
    public func inPerspective(_ attitude: Attitude, pixelLimit: Int = .max) throws(PixelBufferError) -> PixelSize {
        if attitude.staysInPlane { return try rotated(by: attitude.roll, pixelLimit: pixelLimit) }
        return try Warp(
            turning: self, to: attitude, filter: .bilinear, background: .transparent, pixelLimit: pixelLimit
        ).canvasSize
    }
}

extension Warp {
    /// Cosines of the tilt below this are seen edge-on: the picture would be thinner than a thousandth of its side.
    private static let leastCosine = 1e-3
    /// Nearer to the camera than this part of its distance from the centre, a corner would be seen nearly from the side.
    private static let leastDepth = 1e-3

    /// A turn in space; see ``PixelBuffer/inPerspective(_:filter:background:pixelLimit:)``.
    package init(
        turning size: PixelSize, to attitude: Attitude, filter: ResamplingFilter, background: PixelColor,
        pixelLimit: Int = .max
    ) throws(PixelBufferError) {
        let projection = try Self.projection(of: size, attitude)
        var (left, right, top, bottom) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
        let (halfWidth, halfHeight) = size.centre
        let corners = [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)].map { ($0 * halfWidth, $1 * halfHeight) }
        for (x, y) in corners {
            let depth = projection.w(x, y)
            guard depth > Self.leastDepth else {
                throw .invalidTransform("the picture is turned so far that a corner lies behind the camera")
            }
            let (seenX, seenY) = (projection.u(x, y) / depth, projection.v(x, y) / depth)
            (left, right) = (min(left, seenX), max(right, seenX))
            (top, bottom) = (min(top, seenY), max(bottom, seenY))
        }
        let canvas = try PixelSize(holding: right - left, bottom - top, pixelLimit: pixelLimit)
        // The middle of what is seen becomes the middle of the canvas; the picture's own centre may lie elsewhere.
        let map = projection.inverse.recentred(
            input: (-(left + right) / 2, -(top + bottom) / 2), output: (0, 0))
        self.init(of: size, ontoCanvas: canvas, centredMap: map, filter: filter, background: background)
    }

    /// From a point of the picture to where the camera sees it, both measured from the picture's centre; W is the
    /// depth as a part of the camera's distance.
    private static func projection(
        of size: PixelSize, _ attitude: Attitude
    ) throws(PixelBufferError) -> ProjectiveMap {
        for angle in [attitude.yaw, attitude.pitch, attitude.roll] where !angle.isFinite {
            throw .invalidTransform("an angle of \(angle) degrees is not finite")
        }
        let (sineYaw, cosineYaw) = sineAndCosine(degrees: attitude.yaw)
        let (sinePitch, cosinePitch) = sineAndCosine(degrees: attitude.pitch)
        let (sineRoll, cosineRoll) = sineAndCosine(degrees: attitude.roll)
        guard abs(cosineYaw * cosinePitch) >= leastCosine else {
            throw .invalidTransform(
                "with yaw \(attitude.yaw) and pitch \(attitude.pitch) degrees the picture is seen edge-on")
        }
        // x to the right, y down, z away from the camera. The picture lies in z = 0.
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

extension Attitude {
    /// Whether only the roll moves anything.
    package var staysInPlane: Bool {
        yaw.truncatingRemainder(dividingBy: 360) == 0 && pitch.truncatingRemainder(dividingBy: 360) == 0
    }
}
