#ifdef TEXEL_SHAPING

#include <limits.h>
#include <stdlib.h>

#include "shaping_library.h"
#include "shaping_shim.h"

bool texel_bidi_levels(const uint32_t *text, size_t count, int8_t *levels, bool *is_right_to_left) {
    *is_right_to_left = false;
    if (count == 0) return true;
    if (count > INT_MAX) return false;
    FriBidiCharType *types = calloc(count, sizeof *types);
    FriBidiBracketType *brackets = calloc(count, sizeof *brackets);
    bool succeeded = false;
    if (types && brackets) {
        FriBidiStrIndex length = (FriBidiStrIndex)count;
        bidi.fribidi_get_bidi_types(text, length, types);
        bidi.fribidi_get_bracket_types(text, length, types, brackets);
        FriBidiParType direction = FRIBIDI_PAR_ON;
        succeeded = bidi.fribidi_get_par_embedding_levels_ex(types, brackets, length, &direction, levels) != 0;
        *is_right_to_left = FRIBIDI_IS_RTL(direction);
    }
    free(types);
    free(brackets);
    return succeeded;
}

uint32_t texel_script(uint32_t character) {
    return (uint32_t)hb.hb_unicode_script(hb.hb_unicode_funcs_get_default(), character);
}

#endif
