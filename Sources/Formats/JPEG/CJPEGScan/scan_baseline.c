#include "inverse_transform_scalar.h"

#define LEVEL_NAME(name) name##_baseline
#include "scan_loops.h"
