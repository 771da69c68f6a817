! An array of a derived type whose elements have components with bounds of their own.
module cells
  implicit none
  type cell
    integer :: number
    real(8), allocatable :: weights(:)
    integer, pointer :: near(:, :)
  end type
end module

program several
  use cells
  implicit none
  type(cell), target :: row(3), many(12)
  type(cell), allocatable :: later(:)
  type(cell), pointer :: one
  integer :: n
  do n = 1, 3
    row(n)%number = n
    allocate(row(n)%weights(n), row(n)%near(n, 2))
    row(n)%weights = n + 0.5d0
    row(n)%near = n
  end do
  do n = 1, 12
    many(n)%number = 0
    nullify(many(n)%near)
  end do
  allocate(many(12)%weights(2))
  many(12)%weights = 1.5d0
  allocate(later(2))
  later(1)%number = 8
  allocate(later(1)%weights(0:1))
  later(1)%weights = 2.5d0
  nullify(later(1)%near, later(2)%near)
  later(2)%number = 9
  one => row(3)
  n = one%number ! mark: filled
  print *, n, later(1)%weights
end program
