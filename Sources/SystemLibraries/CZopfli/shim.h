#include <zopfli/deflate.h>
