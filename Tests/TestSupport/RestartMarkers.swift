extension [UInt8] {
    /// The numbers of the restart markers of a JPEG, in order.
    public var restartMarkers: [Int] {
        zip(self, dropFirst()).compactMap { first, second in
            first == 0xFF && (0xD0...0xD7).contains(second) ? Int(second - 0xD0) : nil
        }
    }
}
