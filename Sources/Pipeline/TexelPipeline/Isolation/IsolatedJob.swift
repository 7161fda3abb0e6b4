import TexelCodecs
import TexelCore
import TexelPixels

/// A request to a child; the input's descriptor is sent with it.
enum IsolatedRequest: Codable {
    /// The header of the file, or of a page of it.
    case header(limits: Limits, page: Int? = nil)
    case work(IsolatedWork)
    /// The next step of reading a video. Only the first has a descriptor.
    case video(IsolatedVideo.Request)
}

/// Recipes to carry out on one input.
struct IsolatedWork: Codable, Sendable {
    /// A recipe and the parameters of its plan, from which the child makes the same plan.
    struct Order: Codable, Sendable {
        var recipe: Recipe
        var result: PlanResult
        var shrink: Int
    }

    var orders: [Order]
    /// Whether the plans are made for results that share decoded pixels.
    var sharesDecode = false
    var policy: DecodePolicy
    /// How many threads may share the work.
    var threads = 1
}

/// A child's reply. The bytes of the results are in the shared memory, one after the other.
enum IsolatedReply: Codable {
    /// The child has given up its privileges.
    case ready
    case header(ImageInfo)
    /// The progress of the order with this index; any number of them precede the reply itself.
    case progress(Int, rowsDone: Int, rowCount: Int)
    case results([Outcome])
    case video(IsolatedVideo.Reply)
    case failed(TexelError)

    enum Outcome: Codable {
        /// The ``HeadedOutput/head`` of a result, as a message.
        case made([UInt8])
        case failed(TexelError)
    }
}

extension ImageInfo {
    /// Whether a valid header could have these values, so that the planner can rely on them.
    func isPlausible(within limits: Limits) -> Bool {
        size.isPositive && (try? limits.check(size)) != nil && frameCount > 0 && (1...16).contains(bitDepth)
            && !decodeScales.isEmpty && decodeScales.allSatisfy { (1...16).contains($0) }
            && timing?.isPlausible(within: limits) ?? true && coefficientLayout?.isPlausible ?? true
            && quantization?.isValid ?? true && video?.isPlausible(within: limits) ?? true
    }
}

extension VideoInfo {
    /// Whether a child's description can be used: sizes and numbers can be calculated with.
    func isPlausible(within limits: Limits) -> Bool {
        size.isPositive && (try? limits.check(size)) != nil && (try? limits.check(displaySize)) != nil
            && duration?.isFinite ?? true && (1...64).contains(bitDepth)
    }
}

extension AnimationTiming {
    fileprivate func isPlausible(within limits: Limits) -> Bool {
        (1...max(1, limits.frames)).contains(delays.count) && playCount >= 0
            && (delays + [duration]).allSatisfy { $0 >= 0 && $0.isFinite }
    }
}
