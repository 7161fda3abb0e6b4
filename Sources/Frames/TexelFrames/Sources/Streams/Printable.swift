/// Untrusted bytes as short, printable text for a message.
struct Printable: CustomStringConvertible {
    let description: String

    init(_ bytes: some Sequence<UInt8>) {
        let characters = bytes.prefix(32).map { (33...126).contains($0) ? Character(UnicodeScalar($0)) : "?" }
        description = "'\(String(characters))'"
    }
}
