import PlatformLibc
import TexelPixels

/// Computes the score of SSIMULACRA2 from its errors.
///
/// The weights and the polynomial are those of version 2.1 (Sneyers 2023), which were fitted to people's ratings of a
/// large number of images.
enum SSIMULACRA2Score {
    /// The sums of one plane's errors at one scale: for structure, new edges and lost edges, each the sum and the sum
    /// of fourth powers.
    struct PlaneErrors {
        var structure: [Double] = [0, 0]
        var edges: [Double] = [0, 0, 0, 0]
    }

    /// The weights of one plane's errors at one scale.
    struct PlaneWeights {
        /// The weights of the mean, and of the fourth root of the mean fourth power.
        var structure: (mean: Double, peak: Double)
        var newEdges: (mean: Double, peak: Double)
        var lostEdges: (mean: Double, peak: Double)

        static let none = PlaneWeights(structure: (0, 0), newEdges: (0, 0), lostEdges: (0, 0))

        var needsStructure: Bool { structure != (0, 0) }
        var needsEdges: Bool { newEdges != (0, 0) || lostEdges != (0, 0) }
        var isNeeded: Bool { needsStructure || needsEdges }
    }

    static let planeCount = 3
    static let largestScaleCount = 6

    /// Returns the weights of plane 0…2 (X, Y, B) at one of `scaleCount` scales. With fewer than six scales the planes
    /// follow each other without gaps in the table, as in the reference implementation.
    static func weights(plane: Int, scale: Int, scaleCount: Int) -> PlaneWeights {
        let six = weights[((plane * scaleCount + scale) * 6)...]
        func weight(_ index: Int) -> (mean: Double, peak: Double) {
            (six[six.startIndex + index], six[six.startIndex + index + 3])
        }
        return PlaneWeights(structure: weight(0), newEdges: weight(1), lostEdges: weight(2))
    }

    /// Returns the score of errors by scale and plane. `pixelCounts` are those of the scales.
    static func score(_ errors: [[PlaneErrors]], pixelCounts: [Int]) -> Double {
        func weighted(_ weight: (mean: Double, peak: Double), _ sums: ArraySlice<Double>, _ count: Double) -> Double {
            weight.mean * (sums[sums.startIndex] / count)
                + weight.peak * (sums[sums.startIndex + 1] / count).squareRoot().squareRoot()
        }
        var total = 0.0
        for plane in 0..<planeCount {
            for scale in errors.indices {
                let weights = weights(plane: plane, scale: scale, scaleCount: errors.count)
                let (sums, count) = (errors[scale][plane], Double(pixelCounts[scale]))
                total += weighted(weights.structure, sums.structure[...], count)
                total += weighted(weights.newEdges, sums.edges[..<2], count)
                total += weighted(weights.lostEdges, sums.edges[2...], count)
            }
        }
        return score(distance: total)
    }

    /// Returns the score of the sum of all weighted errors.
    static func score(distance total: Double) -> Double {
        let distance = total * 0.9562382616834844
        let curved =
            2.326765642916932 * distance - 0.020884521182843837 * distance * distance
            + 6.248496625763138e-05 * distance * distance * distance
        return curved > 0 ? 100 - 10 * pow(curved, 0.6276336467831387) : 100
    }

    /// For each plane and scale: the weights of the means of structure, new and lost edges, then those of their peaks.
    private static let weights: [Double] = [
        // X
        0, 0.0007376606707406586, 0, 0, 0.0007793481682867309, 0,
        0, 0.0004371155730107379, 0, 1.1041726426657346, 0.00066284834129271, 0.00015231632783718752,
        0, 0.0016406437456599754, 0, 1.8422455520539298, 11.441172603757666, 0,
        0.0007989109436015163, 0.000176816438078653, 0, 1.8787594979546387, 10.94906990605142, 0,
        0.0007289346991508072, 0.9677937080626833, 0, 0.00014003424285435884, 0.9981766977854967,
        0.00031949755934435053,
        0.0004550992113792063, 0, 0, 0.0013648766163243398, 0, 0,
        // Y
        0, 0, 0, 7.466890328078848, 0, 17.445833984131262,
        0.0006235601634041466, 0, 0, 6.683678146179332, 0.00037724407979611296, 1.027889937768264,
        225.20515300849274, 0, 0, 19.213238186143016, 0.0011401524586618361, 0.001237755635509985,
        176.39317598450694, 0, 0, 24.43300999870476, 0.28520802612117757, 0.0004485436923833408,
        0, 0, 0, 34.77906344483772, 44.835625328877896, 0,
        0, 0, 0, 0, 0, 0,
        // B
        0, 0.0008680556573291698, 0, 0, 0, 0,
        0, 0.0005313191874358747, 0, 0.00016533814161379112, 0, 0,
        0, 0, 0, 0.0004179171803251336, 0.0017290828234722833, 0,
        0.0020827005846636437, 0, 0, 8.826982764996862, 23.19243343998926, 0,
        95.1080498811086, 0.9863978034400682, 0.9834382792465353, 0.0012286405048278493, 171.2667255897307,
        0.9807858872435379,
        0, 0, 0, 0.0005130064588990679, 0, 0.00010854057858411537,
    ]
}
