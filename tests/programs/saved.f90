! Arrays of Fortran that a user saves in files.
program saved
  implicit none
  type :: cell
    real(8) :: u(2)
    integer :: n
  end type
  real(8) :: a(3, 4)
  integer, allocatable :: tall(:, :)
  integer :: line(6)
  integer, pointer :: odd(:)
  integer, target :: whole(10)
  complex(8) :: z(2)
  type(cell) :: cells(3)
  integer :: i, j
  do j = 1, 4
    do i = 1, 3
      a(i, j) = 10 * i + j
    end do
  end do
  allocate(tall(2000, 3))
  do j = 1, 3
    do i = 1, 2000
      tall(i, j) = 10 * i + j
    end do
  end do
  line = [1, 2, 3, 4, 5, 6]
  whole = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  odd => whole(9:1:-2)
  z = [(1.0d0, 2.0d0), (3.0d0, -4.0d0)]
  do i = 1, 3
    cells(i)%u = [10.0d0 * i, 10.0d0 * i + 1]
    cells(i)%n = i
  end do
  print *, a(1, 1), tall(1, 1), line(1), odd(1), z(1), cells(1)%n ! stop here
end program
