#include <stdio.h>
#include <string.h>
#include <zlib.h>

static unsigned char in[20000], out[30000], back[20000];

static void fill(unsigned char *to, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        to[i] = (unsigned char)(i * i >> 5 ^ i % 7);
}

int main(void) {
    uLongf n = sizeof out, m = sizeof back;
    fill(in, sizeof in);
    if (compress2(out, &n, in, sizeof in, 9))
        return 1;
    if (uncompress(back, &m, out, n))
        return 2;
    printf("%lu %lu %lx\n", n, m, crc32(0, back, (uInt)m));
    return memcmp(in, back, sizeof in) != 0;
}
