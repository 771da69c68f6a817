/* A type of sixteen million members that fills no memory. */
struct empty {
};
#define PAIR(name, of) struct name { struct of left, right; };
PAIR(p1, empty) PAIR(p2, p1) PAIR(p3, p2) PAIR(p4, p3) PAIR(p5, p4) PAIR(p6, p5) PAIR(p7, p6) PAIR(p8, p7)
PAIR(p9, p8) PAIR(p10, p9) PAIR(p11, p10) PAIR(p12, p11) PAIR(p13, p12) PAIR(p14, p13) PAIR(p15, p14) PAIR(p16, p15)
PAIR(p17, p16) PAIR(p18, p17) PAIR(p19, p18) PAIR(p20, p19) PAIR(p21, p20) PAIR(p22, p21) PAIR(p23, p22) PAIR(p24, p23)
struct p24 wide;
struct p4 narrow;
int plain = 7;
#define ONE(n) struct p24 local_##n;
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
/* A frame of a thousand such variables. */
int main(void)
{
    int first = 6;
    struct p24 monstrous;
    int second = 7;
    HUNDRED(0) HUNDRED(1) HUNDRED(2) HUNDRED(3) HUNDRED(4) HUNDRED(5) HUNDRED(6) HUNDRED(7) HUNDRED(8) HUNDRED(9)
    return &wide == 0 || &narrow == 0 || first == second; /* main */
}
