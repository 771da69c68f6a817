! Variables of the main program are watched until it returns.
program walk
  implicit none
  type point
    integer :: x
    integer :: y
  end type
  integer :: grid(4)
  type(point) :: p
  call begin(grid, p)
  grid(3) = 7
  p%x = 8
  call sub(grid)
contains
  subroutine begin(g, q)
    integer :: g(4)
    type(point) :: q
    g = 0
    q%x = 1
    q%y = 2
  end subroutine
  subroutine sub(g)
    integer :: g(4)
    g(3) = 2
  end subroutine
end program
