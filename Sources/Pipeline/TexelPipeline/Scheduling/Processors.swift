import PlatformLibc

/// The number of processors that are online.
func activeProcessorCount() -> Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
