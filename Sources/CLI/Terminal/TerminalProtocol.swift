/// How a terminal displays images.
enum TerminalProtocol: Sendable {
    /// The kitty graphics protocol.
    case kitty
    /// DEC sixels: six pixels in a character.
    case sixel
    /// Text: upper half blocks of two pixels each.
    case blocks
}
