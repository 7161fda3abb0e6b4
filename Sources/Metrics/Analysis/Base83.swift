import TexelPixels

/// Numbers in the base 83 of a BlurHash.
enum Base83 {
    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// The value of each ASCII character; -1 for those that are not digits.
    private static let values: [Int] = {
        var values = [Int](repeating: -1, count: 128)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = value }
        return values
    }()

    /// Returns a number with leading zeros.
    static func text(_ number: Int, digits count: Int) -> String {
        var rest = number
        let digits = (0..<count).map { _ in
            defer { rest /= 83 }
            return alphabet[rest % 83]
        }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// Returns the digits of a text; `nil` if a character is not a digit.
    static func digits(of text: String) -> [Int]? {
        var digits: [Int] = []
        for character in text.utf8 {
            guard character < 128, values[Int(character)] >= 0 else { return nil }
            digits.append(values[Int(character)])
        }
        return digits
    }
}
