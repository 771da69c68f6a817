/* A hash table with the name and the members of GLib's, whose own type is private. */
typedef struct _GHashTable {
    unsigned long size;
    int mod;
    unsigned mask, nnodes, noccupied;
    unsigned have_big_keys : 1, have_big_values : 1;
    void *keys;
    unsigned *hashes;
    void *values;
} GHashTable;

int main(void) {
    void *keys[4] = {0, (void *)1, (void *)2, (void *)3}, *values[4] = {0, (void *)16, (void *)17, (void *)18};
    unsigned hashes[4] = {0, 77, 1, 99};
    GHashTable whole = {4, 4, 3, 2, 3, 1, 1, keys, hashes, values}, *table = &whole;
    return table->nnodes; /* stop here */
}
