! Components that are allocated or point somewhere, arrays of a module that are not yet, a common block.
module holdings
  implicit none
  type holding
    integer :: number
    real(8), pointer :: share(:)
    integer, allocatable :: grid(:, :)
  end type
  integer, allocatable :: later(:)
end module

subroutine look(held, count)
  use holdings
  implicit none
  type(holding), target :: held
  integer :: count
  integer :: first, second
  common /shared/ first, second
  first = held%number
  if (associated(held%share)) second = size(held%share)
  count = first + second
end subroutine

program components
  use holdings
  implicit none
  type(holding), target :: mine
  integer :: count
  interface
    subroutine look(held, count)
      use holdings
      type(holding), target :: held
      integer :: count
    end subroutine
  end interface
  mine%number = 4
  nullify(mine%share)
  call look(mine, count)
  allocate(mine%share(3), mine%grid(2, 0:1))
  mine%share = (/ 1.5d0, 2.5d0, 3.5d0 /)
  mine%grid = reshape((/ 1, 2, 3, 4 /), (/ 2, 2 /))
  call look(mine, count)
  allocate(later(2))
  later = (/ 7, 8 /)
  call look(mine, count)
  print *, count, later, mine%grid
  deallocate(mine%share)
end program
