/* Types that say little by themselves: tests/programs/printed.py has gdb print what they mean. */
#include <stdio.h>

struct money { long cents; };
struct span { int *first, *behind; };
struct entry { const char *key; struct money value; };
struct account { int used; struct entry entries[4]; };
struct label { int length; char text[16]; };
struct angle { double turns; };
struct report { struct label title; struct account paid; struct span days; struct angle aim; int plain; };
struct broken { int value; };

int numbers[6] = {2, 3, 5, 7, 11, 13};
struct money price = {1234};
struct money prices[3] = {{100}, {250}, {-5}};
struct span primes = {numbers + 1, numbers + 5};
struct span nothing = {numbers, numbers};
struct account paid = {2, {{"rent", {90000}}, {"tea", {350}}}};
struct label title = {5, "april and more"};
struct angle aim = {0.25};
struct report report = {{4, "todo"}, {1, {{"rent", {1}}}}, {numbers, numbers + 2}, {0.5}, 42};
struct report *pointer = &report;
struct broken broken = {9};

int main(void)
{
    numbers[5]++;
    printf("%ld %d %f\n", price.cents, *primes.first, aim.turns);
    return report.plain + paid.used + title.length + prices[0].cents + nothing.first[0] + pointer->plain + broken.value != 0;
}
