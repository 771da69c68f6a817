/* Containers of GLib. */
#include <glib.h>

int main(void) {
    GString *text = g_string_new("some text"), *empty = g_string_new("");
    GList *list = NULL, *nothing = NULL;
    GSList *singles = NULL;
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(int));
    GPtrArray *pointers = g_ptr_array_new();
    GByteArray *bytes = g_byte_array_new();
    for (long n = 3; n > 0; n--) {
        int number = n;
        list = g_list_prepend(list, (gpointer)n);
        singles = g_slist_prepend(singles, (gpointer)(10 * n));
        g_array_append_val(numbers, number);
        g_ptr_array_add(pointers, (gpointer)(100 * n));
    }
    g_byte_array_append(bytes, (const guint8 *)"abc", 3);
    GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
    return text->len + empty->len + (list->next->data != singles->data) + numbers->len + pointers->len + bytes->len +
           g_hash_table_size(table) + (nothing == NULL); /* stop here */
}
