import SystemPackage

/// Whether one path comes before another as people count: 2 before 10. Numbers that differ only in the zeros before
/// them are as the bytes are.
func naturalOrder(_ left: FilePath, _ right: FilePath) -> Bool { naturalOrder(left.string, right.string) }

func naturalOrder(_ left: String, _ right: String) -> Bool {
    var (first, second) = (left.utf8[...], right.utf8[...])
    while let (a, b) = first.first.flatMap({ a in second.first.map { (a, $0) } }) {
        if isDigit(a), isDigit(b) {
            let (numberA, numberB) = (takeNumber(&first), takeNumber(&second))
            // Without zeros before them the longer number is the larger.
            if numberA.count != numberB.count { return numberA.count < numberB.count }
            if !numberA.elementsEqual(numberB) { return numberA.lexicographicallyPrecedes(numberB) }
        } else {
            if a != b { return a < b }
            first.removeFirst()
            second.removeFirst()
        }
    }
    if first.isEmpty != second.isEmpty { return first.isEmpty }
    return left.utf8.lexicographicallyPrecedes(right.utf8)
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

/// Takes the digits from the front of a text, and gives them without the zeros before them.
private func takeNumber(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text.removeFirst(digits.count)
    return digits.drop { $0 == 0x30 }
}
