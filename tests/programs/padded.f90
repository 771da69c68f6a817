! Texts with more blanks at their ends than characters are shown, in components of derived types and alone; quotes in texts.
! What nobody has set yet is zero: of what a stack happens to hold the two may be of two minds.
program padded
  implicit none
  type :: inner
    character(len=255) :: path
    integer :: n
  end type
  type :: box
    integer :: k
    character(len=255) :: name
    character(len=300) :: blank
    character(len=40) :: short
    character(len=255) :: full
    type(inner) :: in
    character(len=220) :: names(3)
  end type
  type(box), save :: b
  character(len=255), save :: s
  character(len=80), save :: said
  character, save :: letter
  b%k = 1
  b%name = 'twenty characters ok'
  b%blank = ' '
  b%short = 'abc'
  b%full = repeat('xyz', 85)
  b%in%path = repeat('ab', 95) // '/'
  b%in%n = 2
  b%names = 'n'
  b%names(2) = repeat('q', 199)
  s = b%name
  said = 'it''s "said" ' // repeat('''', 20) // repeat('"', 15) // achar(6) // '''' // achar(9)
  letter = ''''
  print *, b%k, s(1:2), len_trim(b%in%path), b%names(1)(1:1), said, letter
end program
