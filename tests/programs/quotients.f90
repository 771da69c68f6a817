! Each rank divides its own numbers; the last divisor is zero.
program quotients
  use, intrinsic :: ieee_exceptions
  implicit none
  character(len=8) :: text
  real(8) :: a(4), b(4)
  integer :: rank, i
  logical :: raised
  call get_environment_variable("RANKSCOPE_RANK", text)
  read (text, *) rank
  b = [4, 3, 2, 0]
  do i = 1, 4
    a(i) = quotient(real(rank + i, 8), b(i))
  end do
  call ieee_get_flag(ieee_divide_by_zero, raised)
  if (.not. raised .or. a(4) < huge(a)) stop 1
contains
  real(8) function quotient(x, y)
    real(8), value :: x, y
    quotient = x / y ! /* BREAK quotient */
  end function
end program
