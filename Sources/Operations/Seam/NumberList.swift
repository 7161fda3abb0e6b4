/// Numbers that are separated by commas or spaces.
package enum NumberList {
    /// - Returns: `nil` if a part is not a finite number.
    package static func numbers(_ text: String) -> [Double]? {
        let parts = text.split { $0 == "," || $0 == " " }
        let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
        return numbers.count == parts.count ? numbers : nil
    }
}
