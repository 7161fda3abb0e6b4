/// The metric that libaom optimises still images for.
enum AVIFTuning {
    /// Returns libaom's option `tune`, or `nil` for libavif's choice.
    ///
    /// - Parameter versions: the codecs as libavif writes them: "dav1d [dec]:1.0.0, aom [enc/dec]:v3.12.1".
    static func name(_ versions: String) -> String? {
        guard let (major, minor) = aomVersion(versions) else { return nil }
        // "iq" is made for still images; the releases from 3.12 on have it.
        return (major, minor) >= (3, 12) ? "iq" : nil
    }

    /// Returns the version of libaom.
    static func aomVersion(_ versions: String) -> (major: Int, minor: Int)? {
        for codec in versions.split(separator: ",") {
            let parts = codec.split(separator: ":")
            guard parts.count == 2, parts[0].split(separator: " ").first == "aom" else { continue }
            let numbers = parts[1].drop { !$0.isNumber }.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
            guard numbers.count == 2 else { return nil }
            return (numbers[0], numbers[1])
        }
        return nil
    }
}
