import CPixelKernels
import TexelPixels

extension texel_recursive_blur {
    /// A Gaussian with a standard deviation of 1.5 samples (Charalampidis 2016, "Recursive implementation of the
    /// Gaussian filter using truncated cosine functions"): three cosines with nodes at a distance of five samples.
    ///
    /// Its impulse response is nine samples long, so a weighted sum of nine samples would be equal except for rounding.
    /// The recursion, four columns per step, is kept because it rounds like the reference implementation of
    /// SSIMULACRA2.
    static let sigmaOneAndAHalf: texel_recursive_blur = {
        var blur = texel_recursive_blur()
        // Formula (33) of the paper: −β cos(ω (N + 1)), and the cosines' −2 cos ω, for ω = π/10, 3π/10, 5π/10.
        let inputs = [0.05529523572608663, -0.05883668702694999, 0.012955819110517089]
        let feedbacks = [-1.902113032590307, -1.1755705045849463, 0]
        blur.down_input = (Float(inputs[0]), Float(inputs[1]), Float(inputs[2]))
        blur.down_previous = (Float(feedbacks[0]), Float(feedbacks[1]), Float(feedbacks[2]))
        func four(_ values: [Double]) -> (Float, Float, Float, Float) {
            (Float(values[0]), Float(values[1]), Float(values[2]), Float(values[3]))
        }
        // Formula (35) of the paper, o = n i − d p − b, substituted into itself three times.
        let unrolled = zip(inputs, feedbacks).map { n, d in
            let square = d * d
            return (
                input: four([n, -d * n, square * n - n, -square * d * n + 2 * d * n]),
                previous: four([-d, square - 1, -square * d + 2 * d, square * square - 3 * square + 1]),
                before: four([-1, d, -square + 1, square * d - 2 * d])
            )
        }
        blur.across_input = (unrolled[0].input, unrolled[1].input, unrolled[2].input)
        blur.across_previous = (unrolled[0].previous, unrolled[1].previous, unrolled[2].previous)
        blur.across_before = (unrolled[0].before, unrolled[1].before, unrolled[2].before)
        return blur
    }()
}
