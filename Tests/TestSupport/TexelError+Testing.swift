package import TexelCore

extension TexelError {
    /// Whether the error says that a part of a PNG has another checksum than the file declares.
    package func names(checksumOf part: String) -> Bool {
        kind == .damaged && description.hasPrefix("the PNG is damaged: the checksum of the \(part) is ")
    }
}
