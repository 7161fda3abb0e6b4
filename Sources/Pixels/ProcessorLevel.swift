import CPixelKernels

/// A set of processor features for which the hot loops are compiled. Every level gives the same results.
public enum ProcessorLevel: String, Sendable, CaseIterable {
    /// Instructions that every processor of the architecture has; the only level on Arm.
    case baseline
    /// SSE 4.2.
    case v2
    /// AVX2.
    case v3
    /// AVX-512.
    case v4

    /// Whether this machine supports the level.
    public var isAvailable: Bool {
        switch self {
        case .baseline: true
        case .v2: texel_best_cpu_level().rawValue >= texel_cpu_v2.rawValue
        case .v3: texel_best_cpu_level().rawValue >= texel_cpu_v3.rawValue
        case .v4: texel_best_cpu_level().rawValue >= texel_cpu_v4.rawValue
        }
    }

    /// The level in use: the best one that this machine supports, or the one that the environment variable `TEXEL_CPU`
    /// names, if the machine supports it.
    public static var inUse: ProcessorLevel {
        ProcessorLevel(rawValue: String(cString: texel_cpu_level_name(texel_cpu_level_in_use()))) ?? .baseline
    }
}
