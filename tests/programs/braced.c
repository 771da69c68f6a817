#include <stdio.h>
struct node { int v; struct node *next; char *s; };
struct pt { int x, y; double d; };
int arr[5]; double dd[2]; struct node n; struct pt p = {1,2,3.5}; struct pt ps[2]; int *ip = arr; int x = 7;
short sh[3]; char buf[8]; int m[2][2];
int cell_of(int v) { return v / 2; }
int square(int v) { return v * v; }
int main(void) { int local = 3; for (int f = 0; f < 4; f++) { x += f;
 local += cell_of(x); }
 printf("%d\n", x); return square(local) > 5 ? 0 : 0; }
