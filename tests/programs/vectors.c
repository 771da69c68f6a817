/* Vector registers with known contents, wide ones where the processor has them. */
static double numbers[8] = {1.5, -2.25, 3e10, 0.125, -1, 0x1p-1000, 65504, 1e300};
static volatile double seen[4];
int main(void)
{
    unsigned control = 0x1fa5;
    __asm__ volatile("movups (%0), %%xmm3\n\tmovups 32(%0), %%xmm4" : : "r"(numbers) : "xmm3", "xmm4");
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vmovupd (%0), %%ymm3\n\tvmovupd 32(%0), %%ymm5" : : "r"(numbers) : "xmm3", "xmm5");
    __asm__ volatile("ldmxcsr %0" : : "m"(control));
    control++; /* loaded */
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vmovupd %%ymm3, (%0)" : : "r"(seen) : "memory");
    __asm__ volatile("int3");
    return 0;
}
