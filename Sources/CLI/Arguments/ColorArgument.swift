import Texel

extension PixelColor: ArgumentValue {
    static let expectation = "a CSS colour such as \"white\" or \"#ff8800\""

    init?(argument: String) { self.init(css: argument) }
}
