import TexelPipeline

/// The parsed contents of a manifest.
struct ManifestContents {
    /// Whether the bytes begin with a manifest's header, or are empty.
    let isManifest: Bool
    private(set) var done: [ManifestKey: ManifestEntry] = [:]
    /// The inputs of outputs that were begun and not recorded as done; their files may have any contents.
    private(set) var begun: [String: String] = [:]
    /// Results that were replaced by a result with another name, by the names of their outputs.
    private(set) var former: [String: (key: ManifestKey, entry: ManifestEntry)] = [:]
    private(set) var ignoredLineCount = 0
    private(set) var lineCount = 0
    /// Whether the last line is complete.
    let endsWithLine: Bool

    init(_ bytes: [UInt8]) {
        let newline = UInt8(ascii: "\n")
        endsWithLine = bytes.last.map { $0 == newline } ?? true
        var start = bytes.startIndex
        func nextLine() -> ArraySlice<UInt8>? {
            guard start < bytes.endIndex else { return nil }
            let end = bytes[start...].firstIndex(of: newline) ?? bytes.endIndex
            defer { start = min(end + 1, bytes.endIndex) }
            return bytes[start..<end]
        }
        isManifest = nextLine()?.elementsEqual(ManifestLine.header.utf8) ?? true
        guard isManifest else { return }
        // Lines are rarely shorter than this.
        done.reserveCapacity(bytes.count / 160)
        while let line = nextLine() { if !line.isEmpty { add(line) } }
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        lineCount += 1
        switch ManifestLine(bytes) {
        case .begun(let input, let output): begun[output] = input
        case .done(let key, let entry):
            begun[entry.outputName] = nil
            if let old = done.updateValue(entry, forKey: key), old.outputName != entry.outputName {
                former[old.outputName] = (key, old)
            }
        case nil: ignoredLineCount += 1
        }
    }

    /// The number of lines from which most are superseded by later ones.
    var wastefulLineCount: Int { 4 * (done.count + begun.count + former.count) + 1000 }

    /// Whether most lines are superseded by later ones.
    var isWasteful: Bool { lineCount > wastefulLineCount }

    /// Removes finished results.
    mutating func removeResults(where isRemoved: (ManifestEntry) -> Bool) {
        done = done.filter { !isRemoved($0.value) }
        former = former.filter { !isRemoved($0.value.entry) }
    }

    /// The manifest without superseded lines.
    var text: String {
        func lines(_ entries: [(key: ManifestKey, entry: ManifestEntry)]) -> [ManifestLine] {
            entries.sorted { ($0.key.input, $0.key.number) < ($1.key.input, $1.key.number) }
                .map { .done($0.key, $0.entry) }
        }
        // Parsing the lines in this order restores the same contents.
        let all =
            lines(Array(former.values)) + lines(done.map { ($0.key, $0.value) })
            + begun.sorted { $0.key < $1.key }.map { .begun(input: $0.value, output: $0.key) }
        return ([ManifestLine.header] + all.map(\.text)).joined(separator: "\n") + "\n"
    }

    /// How an output came about.
    struct Origin {
        var input: String
        /// The stamp when the output was done; `nil` if its file may have any contents.
        var output: FileStamp?
    }

    /// The outputs that a batch has written or was about to write.
    var known: [String: [Origin]] {
        var known: [String: [Origin]] = [:]
        for result in former.values {
            known[result.entry.outputName, default: []].append(
                Origin(input: result.key.input, output: result.entry.output))
        }
        for (key, entry) in done {
            known[entry.outputName, default: []].append(Origin(input: key.input, output: entry.output))
        }
        for (output, input) in begun { known[output, default: []].append(Origin(input: input)) }
        return known
    }
}
