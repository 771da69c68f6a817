! Values of every kind that Fortran has.
module kinds
  implicit none
  type point
    integer :: x
    real(8) :: y
  end type
  type, extends(point) :: named
    character(len=6) :: label
    logical :: seen
    integer, dimension(2) :: pair
  end type
  integer :: counter = 3
  real(8), parameter :: pi = 3.5d0
  real(8) :: field(2, 2)
contains
  subroutine fill(values, text, total)
    real(8), intent(inout) :: values(:)
    character(len=*), intent(in) :: text
    real(8), intent(out) :: total
    integer :: i
    total = 0
    do i = 1, size(values)
      values(i) = values(i) + len(text)
      total = total + values(i)
    end do
    counter = counter + 1
  end subroutine
end module

program derived
  use kinds
  implicit none
  type(point) :: p
  type(named) :: n
  type(point), pointer :: q
  integer, target :: matrix(2, 3)
  integer(1) :: tiny
  integer(8) :: wide
  logical :: yes, no
  complex :: z
  complex(8) :: w
  real :: small
  real(8) :: numbers(4), total, bounds(-1:1)
  integer :: many(30)
  character :: letter
  character(len=5) :: word
  character(len=3) :: words(2)
  p = point(1, 2.5d0)
  n%x = 7
  n%y = 0.25d0
  n%label = 'abc'
  n%seen = .true.
  n%pair = [4, 5]
  allocate(q)
  q = p
  matrix = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  tiny = -3
  wide = 12345678901_8
  yes = .true.
  no = .false.
  z = (1.5, -2.0)
  w = (0.1d0, 3.0d0)
  small = 1.25
  numbers = [1d0, 2d0, 3d0, 4d0]
  bounds = [7d0, 8d0, 9d0]
  many = 6
  letter = 'x'
  word = 'hello'
  words = ['one', 'two']
  field = 1.5d0
  call fill(numbers, word, total)
  print *, total, p%x, yes, no, z, w, small, tiny, wide, letter, words, many(2), q%x, n%pair, bounds(0)
end program
