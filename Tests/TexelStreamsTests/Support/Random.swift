/// SplitMix64 (Steele, Lea and Flood): the same numbers for the same seed on every platform.
struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) {
        state = UInt64(truncatingIfNeeded: seed)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    /// True with probability 1 / `times`.
    mutating func once(in times: Int) -> Bool { below(times) == 0 }

    /// A random event of a source: mostly an element, sometimes an end or error.
    mutating func mark(_ element: String) -> Mark {
        switch below(12) {
        case 0: .end
        case 1: .failure
        default: .element(element)
        }
    }
}
