import TexelCodecs
import TexelCore

/// The checked fields of one page.
struct TIFFPage: Sendable {
    let input: TIFFInput
    let directory: TIFFFileDirectory
    let layout: TIFFLayout
    let colors: TIFFPageColors
    let metadata: ImageMetadata
    /// Whether all values of the fields are among the bytes that have arrived. If not, more bytes may change them.
    let hasAllValues: Bool

    /// Reads the fields; waits for their values.
    ///
    /// - Throws: an error for invalid fields, `unsupported`, `limitExceeded`, `stopped`.
    init(_ directory: TIFFFileDirectory, in input: TIFFInput, _ stop: StopToken?) throws(TexelError) {
        (self.directory, self.input) = (directory, input)
        layout = try TIFFLayout(directory, in: input, stop)
        colors = try TIFFPageColors(directory, layout, in: input, stop)
        metadata = try input.metadata(of: directory, stop)
        var directories = [directory]
        var isComplete = true
        for tag in [EXIFTag.exifDirectory, EXIFTag.gpsDirectory] {
            guard let offset = try input.integer(tag, in: directory, stop) else { continue }
            if let inner = try input.directory(at: offset, stop) {
                directories.append(inner)
            } else {
                isComplete = false
            }
        }
        let count = input.bytes.countSoFar
        hasAllValues =
            isComplete && directories.allSatisfy { $0.entries.allSatisfy { $0.range?.upperBound ?? 0 <= count } }
    }
}
