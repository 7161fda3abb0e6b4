/// The factors of the discrete cosine transform of eight samples (ITU-T T.81, A.3.3).
enum CosineFactor {
    /// cos((2 × `sample` + 1) × `frequency` × π / 16) / 2, and 1 / √8 for the mean.
    ///
    /// - Parameter quarter: cos(k π / 16) / 2 for k from 0 to 8, in whichever numbers are wanted.
    static func of<Value: SignedNumeric>(frequency: Int, sample: Int, quarter: [Value]) -> Value {
        // The mean's factor is the middle one.
        guard frequency > 0 else { return quarter[4] }
        let angle = (2 * sample + 1) * frequency % 32
        switch angle {
        case 0...8: return quarter[angle]
        case 9...16: return -quarter[16 - angle]
        case 17...24: return -quarter[angle - 16]
        default: return quarter[32 - angle]
        }
    }
}
