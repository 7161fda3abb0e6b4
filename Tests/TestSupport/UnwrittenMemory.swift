import CTestSupport

/// Does something while memory that nobody has written holds a byte of the caller's choice.
public func withUnwrittenMemory(holding byte: UInt8, _ body: () throws -> Void) throws {
    texel_test_fill_new_memory(Int32(byte))
    defer { texel_test_fill_new_memory(-1) }
    try body()
}
