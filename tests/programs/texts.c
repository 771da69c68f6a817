/* Texts that are no UTF-8, or end where gdb would look further; statics of functions. */
#include <stdio.h>
#include <string.h>
#include <uchar.h>

struct holder {
    char tail[8];
    int after;
};

static char random_bytes[64][16];
static struct holder holder = {"abcdefg\xc3", 3};

static int checked(const char *version) {
    static const char own[] = "1.2";
    return version[0] == own[0];
}

int main(void) {
    static char kept[8] = "kept";
    char *keeper = kept;
    char incomplete[4] = "abc\xc3", lone[1] = "\xc3", behind_invalid[4] = "a\xff\xe4\xb8", accented[4] = "a\xc3\xa9\xc3";
    char surrogate[6] = "ab\xed\xa0\x80", cut_surrogate[4] = "ab\xed\xa0", overlong[4] = "ab\xe0\x80";
    char beyond[8] = "ab\xf5\x80\x80\x80z", cut_beyond[5] = "ab\xf5\x80\x80", five[7] = "a\xf8\x80\x80\x80\x80", cut_six[4] = "ab\xfd\x80";
    char unassigned[8] = "a\xcd\xb8z", hidden[8] = "a\xc2\xadz", private_use[8] = "a\xee\x80\x80z", none[8] = "a\xef\xbf\xbez";
    char quotes[14] = "\"\"\"\"\"\"\"\"\"\"\"\"\"", digits[6] = "\xff" "1\x01" "2";
    char16_t sixteen[3] = {'a', 'b', 0xd83d};
    char repeated[22], cut[300], uncut[300], exact[201];
    char *within = cut, *behind = uncut, *whole = exact;
    memset(repeated, 'x', sizeof repeated);
    repeated[21] = '\xc3';
    memset(cut, 0, sizeof cut);
    memset(uncut, 0, sizeof uncut);
    memset(exact, 0, sizeof exact);
    for (int i = 0; i < 250; i++) {
        cut[i] = uncut[i] = (char)('a' + i % 26);
        if (i < 200) exact[i] = cut[i];
    }
    memcpy(cut + 199, "\xc3\xa9", 2);
    memcpy(uncut + 200, "\xc3\xa9", 2);
    unsigned state = 12345;
    for (size_t i = 0; i < sizeof random_bytes; i++) {
        state = state * 1103515245 + 12345;
        random_bytes[i / 16][i % 16] = (char)(state >> 16);
    }
    char (*row)[16] = random_bytes;
    for (; row < random_bytes + 64; row += 16) {
        char here[16], again[15];
        memcpy(here, row, sizeof here);
        memcpy(again, row + 1, sizeof again);
        keeper[1] = (char)('a' + checked(keeper));
        printf("%d %d %s %s %s %c\n", here[0], again[0], within, behind, whole, holder.tail[0]);
    }
    return 0;
}
