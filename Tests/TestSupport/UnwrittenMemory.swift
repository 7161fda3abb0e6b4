import CTestSupport

/// Calls `body` while newly allocated memory is filled with `byte`, to detect reads of uninitialised memory.
public func withUnwrittenMemory(holding byte: UInt8, _ body: () throws -> Void) throws {
    texel_test_fill_new_memory(Int32(byte))
    defer { texel_test_fill_new_memory(-1) }
    try body()
}
