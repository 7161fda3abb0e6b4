import SystemPackage

/// Whether `left` sorts before `right` in natural order, which compares runs of digits as numbers: 2 before 10. Texts
/// that differ only in leading zeros are compared by bytes.
func naturalOrder(_ left: FilePath, _ right: FilePath) -> Bool { naturalOrder(left.string, right.string) }

func naturalOrder(_ left: String, _ right: String) -> Bool {
    var (first, second) = (left.utf8[...], right.utf8[...])
    while let (a, b) = first.first.flatMap({ a in second.first.map { (a, $0) } }) {
        if isDigit(a), isDigit(b) {
            let (numberA, numberB) = (takeNumber(&first), takeNumber(&second))
            // Without leading zeros, the number with more digits is larger.
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

/// Removes the leading digits of `text` and returns them without leading zeros.
private func takeNumber(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text.removeFirst(digits.count)
    return digits.drop { $0 == 0x30 }
}
