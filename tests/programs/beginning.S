/* A program without a C library and without a main function. With -m32 it is a 32-bit one; with GO it has what tells a
   program of Go's compiler, when that is stripped, too. */
#ifdef GO
    .section .go.buildinfo, "aw"
    .ascii "\377 Go buildinf:"
#endif
    .text
    .globl _start
_start:
#ifdef SPIN
1:  pause
    jmp 1b
#endif
#ifdef __x86_64__
    mov $60, %eax
    mov $7, %edi
    syscall
#else
    mov $1, %eax
    mov $7, %ebx
    int $0x80
#endif
