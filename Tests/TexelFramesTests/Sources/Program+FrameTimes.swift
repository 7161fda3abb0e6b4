import TestSupport

extension Program {
    /// The times of a file's frames relative to the file's start, in microseconds, from ffprobe.
    static func frameTimes(_ path: String) throws -> [Int] {
        func numbers(_ entry: String) throws -> [Double] {
            let arguments = ["-v", "error", "-select_streams", "v:0", "-show_entries", entry, "-of", "csv=p=0", path]
            let text = String(decoding: try run(ffprobe, arguments), as: UTF8.self)
            return text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
        }
        let start = try numbers("format=start_time").first ?? 0
        return try numbers("frame=pts_time").map { Int((($0 - start) * 1_000_000).rounded()) }
    }
}

extension Duration {
    /// The value in microseconds, rounded.
    var microseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000 + Int((Double(attoseconds) / 1e12).rounded())
    }
}
