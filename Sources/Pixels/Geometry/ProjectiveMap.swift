import PlatformLibc

/// A projective map of the plane: with U, V and W linear in x and y, it maps the point (x, y) to (U / W, V / W).
struct ProjectiveMap: Sendable, Hashable {
    /// A linear function of a point: `x * point.x + y * point.y + constant`.
    struct Linear: Sendable, Hashable {
        var x: Double
        var y: Double
        var constant: Double

        func callAsFunction(_ pointX: Double, _ pointY: Double) -> Double { x * pointX + y * pointY + constant }

        static func - (left: Linear, right: Linear) -> Linear {
            Linear(x: left.x - right.x, y: left.y - right.y, constant: left.constant - right.constant)
        }

        static func * (factor: Double, linear: Linear) -> Linear {
            Linear(x: factor * linear.x, y: factor * linear.y, constant: factor * linear.constant)
        }
    }

    var u: Linear
    var v: Linear
    var w: Linear

    /// Returns the same map in other coordinates: the old origin of the input has the coordinates `input`, and the old
    /// origin of the output has the coordinates `output`.
    func recentred(input: (x: Double, y: Double), output: (x: Double, y: Double)) -> ProjectiveMap {
        func moved(_ linear: Linear) -> Linear {
            Linear(x: linear.x, y: linear.y, constant: linear(-input.x, -input.y))
        }
        let w = moved(w)
        return ProjectiveMap(u: moved(u) - (-output.x) * w, v: moved(v) - (-output.y) * w, w: w)
    }

    /// The determinant of the 3×3 matrix; zero if the map is not invertible.
    var determinant: Double {
        u.x * (v.y * w.constant - v.constant * w.y)
            - u.y * (v.x * w.constant - v.constant * w.x)
            + u.constant * (v.x * w.y - v.y * w.x)
    }

    /// The inverse map: the adjugate matrix divided by the determinant, so that W keeps its sign and magnitude. The
    /// determinant must not be zero.
    var inverse: ProjectiveMap {
        let scale = 1 / determinant
        return ProjectiveMap(
            u: scale
                * Linear(
                    x: v.y * w.constant - v.constant * w.y, y: u.constant * w.y - u.y * w.constant,
                    constant: u.y * v.constant - u.constant * v.y),
            v: scale
                * Linear(
                    x: v.constant * w.x - v.x * w.constant, y: u.x * w.constant - u.constant * w.x,
                    constant: u.constant * v.x - u.x * v.constant),
            w: scale
                * Linear(
                    x: v.x * w.y - v.y * w.x, y: u.y * w.x - u.x * w.y,
                    constant: u.x * v.y - u.y * v.x))
    }
}

/// Returns sine and cosine of an angle in degrees. They are exact at multiples of 90, and rounded to 2⁻⁴⁸, because
/// maths libraries differ in the last bit and the pixels must not.
func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
    var reduced = degrees.truncatingRemainder(dividingBy: 360)
    if reduced < 0 { reduced += 360 }
    let quadrant = (reduced / 90).rounded(.down)
    let radians = (reduced - quadrant * 90) * .pi / 180
    func rounded(_ value: Double) -> Double { (value * 0x1p48).rounded() * 0x1p-48 }
    let (sine, cosine) = (rounded(sin(radians)), rounded(cos(radians)))
    return switch Int(quadrant) & 3 {
    case 1: (cosine, -sine)
    case 2: (-sine, -cosine)
    case 3: (-cosine, sine)
    default: (sine, cosine)
    }
}
