/* A function of 400,000 blocks, each within the one before and with the same code. */
    .text
    .globl main
    .type main,@function
main:
.Lbegin:
    push %rbp
    mov %rsp,%rbp
.Lmid:
    xor %eax,%eax
    pop %rbp
    ret
.Lend:
    .size main,.-main
    .section .debug_abbrev,"",@progbits
    .uleb128 1; .uleb128 0x11; .byte 1; .uleb128 0x03; .uleb128 0x08; .uleb128 0x13; .uleb128 0x0b; .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x07; .byte 0,0
    .uleb128 2; .uleb128 0x2e; .byte 1; .uleb128 0x03; .uleb128 0x08; .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x07; .uleb128 0x40; .uleb128 0x18; .uleb128 0x3f; .uleb128 0x19; .byte 0,0
    .uleb128 3; .uleb128 0x0b; .byte 1; .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x07; .byte 0,0
    .byte 0
    .section .debug_info,"",@progbits
    .long .Lie-.Lib
.Lib:
    .value 4
    .long 0
    .byte 8
    .uleb128 1; .string "blocks.c"; .byte 12; .quad .Lbegin; .quad .Lend-.Lbegin
    .uleb128 2; .string "main"; .quad .Lbegin; .quad .Lend-.Lbegin; .uleb128 1; .byte 0x9c
    .rept 400000
    .uleb128 3
    .quad .Lbegin; .quad .Lend-.Lbegin
    .endr
    .rept 400000
    .byte 0
    .endr
    .byte 0,0
.Lie:
    .section .note.GNU-stack,"",@progbits
