import TexelCodecs
import TexelCore
import TexelOperations
import TexelPixels

/// A way to make a recipe's result, with what it needs for one image.
protocol PlannedRoute: Sendable {
    static var route: Route { get }

    var image: PlannedImage { get }

    /// How the result is encoded; `nil` if it is not.
    var encoding: PlannedEncoding? { get }

    /// The factor by which the decoder divides both sides.
    var shrink: Int { get }

    /// This route if it makes pixels, of which plans for the same image can share the decoder; `nil` for any other.
    var pixelRoute: (any PixelRoute)? { get }

    /// The steps on pixels, in order. If a route has a fallback, the fallback's steps.
    var steps: [any RowStep] { get }

    /// Bytes in memory while the route runs, without the input itself.
    var estimatedBytes: Int { get }

    /// Makes the file.
    func run(_ context: RouteContext) throws(TexelError) -> EncodedImage

    /// Why the planner chose this route, in a few words.
    var reason: String { get }

    /// The data that are read, and the work during reading, for `--explain`.
    var explanation: [String] { get }

    /// The steps that follow, a line each.
    var stepExplanation: [String] { get }
}

extension PlannedRoute {
    var shrink: Int { 1 }
    var pixelRoute: (any PixelRoute)? { nil }

    var stepExplanation: [String] { steps.map { "then: \($0.summary)" } }
}

extension PlannedImage {
    /// Converts an estimate, which may be beyond any memory, to whole bytes.
    static func wholeBytes(_ bytes: Double) -> Int { Int(min(bytes, Double(Int.max / 2))) }

    /// The number of pixels of the result.
    var pixelCount: Double { Double(size.pixelCount ?? .max) }

    /// The memory that decoding takes besides the rows, in bytes.
    func decodingBytes(shrink: Int) -> Double {
        input.format.codec?.workingBytes(decoding: input, shrink: shrink) ?? 0
    }
}
