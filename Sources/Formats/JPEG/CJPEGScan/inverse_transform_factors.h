// The factors of libjpeg's integer transforms, times 2 to the power of 13.

#ifndef INVERSE_TRANSFORM_FACTORS_H
#define INVERSE_TRANSFORM_FACTORS_H

enum {
    FACTOR_BITS = 13,
    /// Results of the columns keep two bits more than whole numbers; those of the rows are divided by 8 as well.
    FIRST_SHIFT_8 = FACTOR_BITS - 2,
    SECOND_SHIFT_8 = FACTOR_BITS + 2 + 3,
    FIRST_SHIFT_4 = FIRST_SHIFT_8 + 1,
    SECOND_SHIFT_4 = SECOND_SHIFT_8 + 1,
    FIRST_SHIFT_2 = FIRST_SHIFT_8 + 2,
    SECOND_SHIFT_2 = SECOND_SHIFT_8 + 2,
    /// A block of a DC coefficient only.
    DC_SHIFT = 3,

    F_0_211 = 1730,
    F_0_298 = 2446,
    F_0_390 = 3196,
    F_0_509 = 4176,
    F_0_541 = 4433,
    F_0_601 = 4926,
    F_0_720 = 5906,
    F_0_765 = 6270,
    F_0_850 = 6967,
    F_0_899 = 7373,
    F_1_061 = 8697,
    F_1_175 = 9633,
    F_1_272 = 10426,
    F_1_451 = 11893,
    F_1_501 = 12299,
    F_1_847 = 15137,
    F_1_961 = 16069,
    F_2_053 = 16819,
    F_2_172 = 17799,
    F_2_562 = 20995,
    F_3_072 = 25172,
    F_3_624 = 29692,
};

#endif
