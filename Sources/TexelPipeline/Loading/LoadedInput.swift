import TexelCodecs

/// An input whose bytes are in memory and whose header has been read.
final class LoadedInput: Sendable {
    let source: ImageSource
    /// What caches know these bytes by.
    let version: InputIdentity?
    /// The stay among those that wait for their turn to be decoded; ends with it.
    private let permit: AdmissionGate.Permit?

    init(_ source: ImageSource, version: InputIdentity?, permit: AdmissionGate.Permit?) {
        self.source = source
        self.version = version
        self.permit = permit
    }

    /// From now on the budget of those that work counts the bytes.
    func beginsToBeDecoded() { permit?.leave() }
}
