#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The number of processors that are online.
func activeProcessorCount() -> Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
