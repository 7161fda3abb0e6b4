/// How a picture is turned in space, in degrees, seen from in front of it.
///
/// The turns are applied in the order roll, pitch, yaw, each about an axis that stays with the viewer.
public struct Attitude: Sendable, Hashable, Codable {
    /// About the vertical axis; positive turns the right side away.
    public var yaw: Double
    /// About the horizontal axis; positive tips the top away.
    public var pitch: Double
    /// About the viewing axis; positive is clockwise.
    public var roll: Double

    public init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) {
        self.yaw = yaw
        self.pitch = pitch
        self.roll = roll
    }
}
