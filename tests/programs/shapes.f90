! Modules, derived types and arrays of Fortran.
module shapes
  implicit none
  type point
    real(8) :: x, y
    integer :: id
  end type
  integer :: counter = 7
contains
  subroutine scale(p, by, a, n)
    type(point), intent(inout) :: p
    real(8), intent(in) :: by
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    integer :: i
    do i = 1, n
      a(i) = a(i) * by
    end do
    p%x = p%x * by
    counter = counter + 1
    p%id = counter
  end subroutine
  subroutine shaped(b, name)
    real(8), intent(inout) :: b(:)
    character(len=*), intent(in) :: name
    b(1) = b(1) + len(name)
    print *, b(1), name
  end subroutine
end module
program main_program
  use shapes
  type(point) :: p
  real(8) :: a(4)
  integer :: grid(2,3)
  a = [1d0,2d0,3d0,4d0]
  grid = reshape([1,2,3,4,5,6], [2,3])
  p%x = 1.5d0; p%y = 2.5d0
  call scale(p, 2d0, a, 4)
  call shaped(a, "hello")
  print *, p%x, grid
end program
