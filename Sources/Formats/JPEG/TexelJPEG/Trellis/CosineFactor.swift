import TexelCodecs

/// The factors of the 8-point DCT (ITU-T T.81, A.3.3).
enum CosineFactor {
    /// Returns cos((2 × `sample` + 1) × `frequency` × π / 16) / 2, and 1 / √8 for frequency 0.
    ///
    /// - Parameter quarter: cos(k π / 16) / 2 for k from 0 to 8, in the scale of the result.
    static func of<Value: SignedNumeric>(frequency: Int, sample: Int, quarter: [Value]) -> Value {
        // 1 / √8 = cos(4 π / 16) / 2.
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
