/* Variables of C in a program of Fortran. */
typedef union {
    struct {
        unsigned low, high;
    } parts;
    char bytes[8];
    long whole;
} counter_t;

typedef struct {
    counter_t first;
    union {
        int number;
        float real;
    } second;
    unsigned char letter;
} record_t;

counter_t c_counter = {{5, 6}};
record_t c_record = {{{1, 2}}, {7}, 'r'};
char c_name[24] = "a name";
signed char c_small = 'A';

void counted_(int *a, int *b)
{
    c_counter.whole += *a + *b;
    c_name[0] ^= c_small & 1;
    c_record.second.number++;
}
