# Rows of the line table that end a prologue, where no compiler of C would say so: gcc -S of
# late(): c = a * b; sink = c; sink = c + 1 (marked); return c, and early(): marked where it begins.
	.file	"marked.c"
	.text
.Ltext0:
	.cfi_sections	.debug_frame
	.file 0 "/" "marked.c"
	.globl	late
	.type	late, @function
late:
.LFB0:
	.file 1 "marked.c"
	.loc 1 4 0
	.cfi_startproc
	.loc 1 5 0
	movl	%edi, %eax
	imull	%esi, %eax
	.loc 1 6 0
	movl	%eax, sink(%rip)
	.loc 1 7 0 prologue_end
	leal	1(%rax), %edx
	movl	%edx, sink(%rip)
	.loc 1 9 0
	ret
	.cfi_endproc
.LFE0:
	.size	late, .-late
	.globl	early
	.type	early, @function
early:
.LFB1:
	.loc 1 12 0 prologue_end
	.cfi_startproc
	.loc 1 13 0
	movl	%edi, sink(%rip)
	.loc 1 14 0
	movl	sink(%rip), %eax
	.loc 1 15 0
	ret
	.cfi_endproc
.LFE1:
	.size	early, .-early
	.globl	main
	.type	main, @function
main:
.LFB2:
	.loc 1 18 0
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	.loc 1 19 0
	movl	$2, %esi
	movl	$1, %edi
	call	late
	movl	%eax, %ebx
	movl	$3, %edi
	call	early
	addl	%ebx, %eax
	.loc 1 20 0
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
.LFE2:
	.size	main, .-main
	.globl	sink
	.bss
	.align 4
	.type	sink, @object
	.size	sink, 4
sink:
	.zero	4
	.text
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x85
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0x2
	.long	.LASF5
	.byte	0x1d
	.long	.LASF0
	.long	.LASF1
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.long	.Ldebug_line0
	.uleb128 0x3
	.long	.LASF6
	.byte	0x1
	.byte	0x1
	.uleb128 0x9
	.byte	0x3
	.quad	sink
	.uleb128 0x4
	.long	.LASF2
	.byte	0x1
	.byte	0x11
	.quad	.LFB2
	.quad	.LFE2-.LFB2
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x1
	.long	.LASF3
	.byte	0xb
	.quad	.LFB1
	.quad	.LFE1-.LFB1
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x1
	.long	.LASF4
	.byte	0x3
	.quad	.LFB0
	.quad	.LFE0-.LFB0
	.uleb128 0x1
	.byte	0x9c
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x1f
	.uleb128 0x1b
	.uleb128 0x1f
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x10
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7c
	.uleb128 0x19
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_aranges,"",@progbits
	.long	0x2c
	.value	0x2
	.long	.Ldebug_info0
	.byte	0x8
	.byte	0
	.value	0
	.value	0
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.quad	0
	.quad	0
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF3:
	.string	"early"
.LASF2:
	.string	"main"
.LASF4:
	.string	"late"
.LASF5:
	.string	"GNU C17 12.2.0 -mtune=generic -march=x86-64 -g1 -gno-column-info -O1 -fno-inline -fno-asynchronous-unwind-tables"
.LASF6:
	.string	"sink"
	.section	.debug_line_str,"MS",@progbits,1
.LASF0:
	.string	"marked.c"
.LASF1:
	.string	"/"
	.section	.note.GNU-stack,"",@progbits
