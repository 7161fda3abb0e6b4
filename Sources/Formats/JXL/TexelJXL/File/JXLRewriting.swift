import TexelCodecs
import TexelCore

/// Writes a file with other metadata; the codestream is copied.
struct JXLRewriting {
    private let file: JXLFile
    private let boxes: JXLBoxes
    private let limits: Limits
    private let stop: StopToken?

    /// Waits for the whole file.
    ///
    /// - Throws: `limitExceeded`, `missingLibrary`, `stopped`.
    init(_ file: JXLFile, limits: Limits, stop: StopToken?) throws(TexelError) {
        (self.file, self.limits, self.stop) = (file, limits, stop)
        boxes = try file.allBoxes(limits: limits, stop: stop)
        _ = try file.bytes.wait(for: .max, stop)
    }

    /// Returns the file. Its colours and its orientation are part of the codestream, and stay.
    ///
    /// The data that restore a JPEG stay only if the metadata are the same and attachments are kept: the JPEG's
    /// metadata are in both.
    func file(metadata: WrittenMetadata, keeping: KeptParts) throws(TexelError) -> [UInt8] {
        if keeping.contains(.attachments), metadata.exif == boxes.exif, metadata.xmp == boxes.xmp {
            return copy
        }
        let parts = try codestream()
        let metadataBoxes = JXLContainer.metadata(metadata)
        // Level 10 of the format must be declared in a container; other files need none without metadata.
        let level = boxes.all.first { $0.type == "jxll" }.map { Array(bytes($0)) } ?? []
        if metadataBoxes.isEmpty, level.isEmpty { return parts.flatMap { Array(file.bytes[$0]) } }
        var result = JXLContainer.beginning + level + metadataBoxes
        result += JXLContainer.header("jxlc", parts.reduce(0) { $0 + $1.count })
        for part in parts { result += file.bytes[part] }
        return result
    }

    /// The file with a valid beginning: other readers refuse a container whose file type does not follow the signature.
    private var copy: [UInt8] {
        if boxes.all.isEmpty { return Array(file.bytes[0..<file.bytes.countSoFar]) }
        var result = JXLContainer.beginning
        for box in boxes.all where box.type != "ftyp" { result += bytes(box) }
        return result
    }

    private func bytes(_ box: JXLBox) -> Slice<InputBytes> {
        file.bytes[box.start..<min(box.end, file.bytes.countSoFar)]
    }

    /// The parts of the codestream.
    private func codestream() throws(TexelError) -> [Range<Int>] {
        var stream = file.codestream(limits: limits, stop: stop)
        var parts: [Range<Int>] = []
        while let part = try stream.next(.max) { parts.append(part) }
        return parts
    }
}
