import CPixelKernels

/// The processor features that the hot loops are built for; the result is the same at each.
public enum ProcessorLevel: String, Sendable, CaseIterable {
    /// What every processor of the architecture has; on Arm the only one.
    case baseline
    /// SSE 4.2.
    case v2
    /// AVX2.
    case v3
    /// AVX-512.
    case v4

    /// Whether this machine has it.
    public var isAvailable: Bool {
        switch self {
        case .baseline: true
        case .v2: texel_best_cpu_level().rawValue >= texel_cpu_v2.rawValue
        case .v3: texel_best_cpu_level().rawValue >= texel_cpu_v3.rawValue
        case .v4: texel_best_cpu_level().rawValue >= texel_cpu_v4.rawValue
        }
    }

    /// The best level that this machine has, or the one that the environment variable `TEXEL_CPU` asks for, if the
    /// machine has it.
    public static var inUse: ProcessorLevel {
        ProcessorLevel(rawValue: String(cString: texel_cpu_level_name(texel_cpu_level_in_use()))) ?? .baseline
    }
}
