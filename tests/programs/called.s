# Variables whose locations call those of other entries (DW_OP_call2, DW_OP_call4, DW_OP_call_ref), which compilers for
# Ada write; an entry without a location adds nothing.
        .text
        .globl  main
        .type   main, @function
main:
        call    inner
        xorl    %eax, %eax
        ret
        .size   main, .-main
        .type   inner, @function
inner:
        nop
        ret
        .size   inner, .-inner
.Lend:
        .data
place:  .long   17, 23
        .section .debug_abbrev, "", @progbits
        .uleb128 1; .uleb128 0x11; .byte 1      # compile_unit: name, language, low_pc, high_pc
        .uleb128 0x03; .uleb128 0x08; .uleb128 0x13; .uleb128 0x0b; .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x07; .byte 0, 0
        .uleb128 2; .uleb128 0x24; .byte 0      # base_type: name, encoding, byte_size
        .uleb128 0x03; .uleb128 0x08; .uleb128 0x3e; .uleb128 0x0b; .uleb128 0x0b; .uleb128 0x0b; .byte 0, 0
        .uleb128 3; .uleb128 0x34; .byte 0      # variable: name, type, location
        .uleb128 0x03; .uleb128 0x08; .uleb128 0x49; .uleb128 0x13; .uleb128 0x02; .uleb128 0x18; .byte 0, 0
        .uleb128 4; .uleb128 0x2e; .byte 0      # subprogram: name, external, low_pc, high_pc
        .uleb128 0x03; .uleb128 0x08; .uleb128 0x3f; .uleb128 0x19; .uleb128 0x11; .uleb128 0x01; .uleb128 0x12; .uleb128 0x07; .byte 0, 0
        .uleb128 5; .uleb128 0x36; .byte 0      # dwarf_procedure: location
        .uleb128 0x02; .uleb128 0x18; .byte 0, 0
        .byte 0
        .section .debug_info, "", @progbits
.Lunit: .long   .Lunit_end - .Lversion
.Lversion:
        .value  4
        .long   .debug_abbrev
        .byte   8
        .uleb128 1; .asciz "called.s"; .byte 0x0c; .quad main; .quad .Lend - main
.Lint:  .uleb128 2; .asciz "int"; .byte 5, 4
.Lproc: .uleb128 5; .uleb128 9; .byte 0x03; .quad place
.Lsame: .uleb128 5; .uleb128 0
        .uleb128 3; .asciz "direct"; .long .Lint - .Lunit; .uleb128 9; .byte 0x03; .quad place
        .uleb128 3; .asciz "by_two"; .long .Lint - .Lunit; .uleb128 3; .byte 0x98; .value .Lproc - .Lunit
        .uleb128 3; .asciz "by_four"; .long .Lint - .Lunit; .uleb128 7; .byte 0x99; .long .Lproc - .Lunit; .byte 0x23, 4
        .uleb128 3; .asciz "with_nothing"; .long .Lint - .Lunit; .uleb128 8; .byte 0x98; .value .Lproc - .Lunit; .byte 0x99; .long .Lsame - .Lunit
        .uleb128 4; .asciz "main"; .quad main; .quad .Lend - main
        .byte 0
.Lunit_end:
        .section .note.GNU-stack, "", @progbits
