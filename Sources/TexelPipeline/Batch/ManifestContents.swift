/// What the bytes of a manifest tell.
struct ManifestContents {
    /// Whether it begins as a manifest does, or is empty.
    let isManifest: Bool
    private(set) var done: [ManifestKey: ManifestEntry] = [:]
    /// Outputs that a batch has written or was about to write: with what they were when they were done.
    private(set) var known: [String: FileStamp?] = [:]
    private(set) var ignoredLineCount = 0
    private var lineCount = 0
    /// Whether its last line is whole.
    let endsWithLine: Bool

    init(_ bytes: [UInt8]) {
        endsWithLine = bytes.last.map { $0 == UInt8(ascii: "\n") } ?? true
        var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
        let header = lines.popFirst()
        isManifest = header?.elementsEqual(ManifestLine.header.utf8) ?? true
        guard isManifest else { return }
        done.reserveCapacity(lines.count / 2)
        known.reserveCapacity(lines.count / 2)
        for line in lines { add(line) }
        lineCount = lines.count
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        switch ManifestLine(bytes) {
        case .begun(let output): known[output] = .some(nil)
        case .done(let key, let entry):
            done[key] = entry
            known[entry.outputName] = entry.output
        case nil: ignoredLineCount += 1
        }
    }

    /// Whether most of it is about what later lines say anew.
    var isWasteful: Bool { lineCount > 4 * known.count + 1000 }

    /// All that is worth keeping, as a manifest.
    var text: String {
        let begun = known.filter { $0.value == nil }.keys.sorted().map { ManifestLine.begun(output: $0) }
        let done = done.sorted { ($0.key.input, $0.key.number) < ($1.key.input, $1.key.number) }
            .map { ManifestLine.done($0.key, $0.value) }
        return ([ManifestLine.header] + (done + begun).map(\.text)).joined(separator: "\n") + "\n"
    }

    /// Only what was lost counts: nothing is done.
    mutating func forget() {
        done = [:]
        known = [:]
    }
}
