/// The colours to which all colours of an image are reduced.
struct Palette: Sendable {
    /// Straight colours: those that are neither transparent nor opaque, then the opaque ones.
    private(set) var translucent: [UInt32]
    private(set) var opaque: [UInt32]
    let hasTransparency: Bool

    var count: Int { translucent.count + opaque.count + (hasTransparency ? 1 : 0) }

    /// Chooses the colours.
    ///
    /// - Parameters:
    ///   - exchanges: whether to exchange colours.
    ///   - continues: called from time to time; returns whether to go on.
    /// - Returns: `nil` if `options.quality` needs more than `options.colors`, or if `continues` returned false.
    init?(
        _ histogram: ColorHistogram, _ options: PaletteOptions, exchanges: Bool, while continues: () -> Bool
    ) {
        hasTransparency = histogram.hasTransparency
        let room = options.colors - (hasTransparency ? 1 : 0)
        let weight = (histogram.translucent + histogram.opaque).reduce(0) { $0 + Double($1.weight) }
        let limit = options.quality.map { Self.meanError(quality: $0) * weight }
        var cuts = [MedianCut(histogram.translucent), MedianCut(histogram.opaque)]
        // Refinement lowers the error by about a fifth in photographs, so cutting may stop above the limit. If it
        // lowers the error by less, try again with a lower goal.
        var goal = (limit ?? 0) * 1.2
        var refined: [PaletteRefinement]
        repeat {
            Self.cut(&cuts, to: goal, room: room)
            goal *= 0.85
            refined = cuts.map(PaletteRefinement.init)
            for index in refined.indices {
                guard refined[index].run(Self.iterations, while: continues) else { return nil }
                guard !exchanges || refined[index].exchange(while: continues) else { return nil }
            }
        } while refined[0].spread + refined[1].spread > limit ?? .infinity && cuts[0].count + cuts[1].count < room
        if let limit, refined[0].spread + refined[1].spread > limit { return nil }
        func color(_ point: SIMD4<Float>) -> UInt32 {
            let color = PerceptualPoint.color(point)
            return histogram.isGray ? color & 0xFF00_0000 | (color >> 8 & 255) * 0x01_0101 : color
        }
        translucent = Self.unique(
            refined[0].points.map { point in
                let color = color(point)
                return min(max(color >> 24, 1), 254) << 24 | color & 0xFF_FFFF
            })
        opaque = Self.unique(refined[1].points.map { color($0) | 0xFF00_0000 })
    }

    private static let iterations = 12

    /// Cuts the boxes of both kinds of colours until their total spread is at most `goal`, or their number is `room`.
    private static func cut(_ cuts: inout [MedianCut], to goal: Double, room: Int) {
        while cuts[0].count + cuts[1].count < room, cuts[0].spread + cuts[1].spread > goal {
            let widest = cuts[0].largestSpread > cuts[1].largestSpread ? 0 : 1
            guard cuts[widest].largestSpread > 0 else { return }
            cuts[widest].cut()
        }
    }

    private static func unique(_ colors: [UInt32]) -> [UInt32] { Set(colors).sorted() }

    /// Returns the mean squared distance for a quality, chosen by eye to resemble JPEGs of that quality.
    private static func meanError(quality: Int) -> Double { Double(100 - quality) * 0.000_008_3 }
}
