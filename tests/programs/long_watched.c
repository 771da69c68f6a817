/* An array of more elements than are shown as a rule, of which the last one changes. */
int many[250];

int main(void)
{
    for (int i = 0; i < 250; i++)
        many[i] = i;
    many[249] = -1; /* BREAK last */
    return 0;
}
