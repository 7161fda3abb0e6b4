/// A rotation of an image in space: angles in degrees, as seen from the front.
///
/// The rotations are applied in the order roll, pitch, yaw, each about an axis that is fixed relative to the viewer.
public struct Rotation3D: Sendable, Hashable, Codable {
    /// About the vertical axis; positive moves the right side away.
    public var yaw: Double
    /// About the horizontal axis; positive moves the top away.
    public var pitch: Double
    /// About the viewing axis; positive is clockwise.
    public var roll: Double

    /// Creates a rotation from angles in degrees; 0 by default.
    public init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) {
        self.yaw = yaw
        self.pitch = pitch
        self.roll = roll
    }
}
