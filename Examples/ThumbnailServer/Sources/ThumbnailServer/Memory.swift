import Foundation

/// Returns blocks of a megabyte and more to the system as soon as they are freed.
///
/// By default, glibc raises the size from which it does so to that of the largest block freed, up to 32 MB. Smaller
/// blocks then stay in the arena of the thread that used them, and a server has an arena for each thread that decodes:
/// damaged uploads, which leave blocks of all sizes, grow it by more than 100 MB. A fixed size stays where it is.
func returnFreedMemory() {
    #if os(Linux)
        // Swift's Glibc has no <malloc.h>; other C libraries have no such function, and do not need it.
        typealias SetOption = @convention(c) (_ option: Int32, _ value: Int32) -> Int32
        guard let symbol = dlsym(nil, "mallopt") else { return }
        let mmapThreshold: Int32 = -3
        _ = unsafeBitCast(symbol, to: SetOption.self)(mmapThreshold, 1 << 20)
    #endif
}
