! Solves with MUMPS what a five-point star on a grid of 12 by 12 gives, twice: as it is and with its transpose.
program use_mumps
  implicit none
  include 'mpif.h'
  include 'dmumps_struc.h'
  integer, parameter :: side = 12
  type(dmumps_struc) :: id
  integer :: ierr, row, column, here, entries
  double precision :: largest

  call mpi_init(ierr)
  id%comm = mpi_comm_world
  id%par = 1
  id%sym = 0
  id%job = -1
  call dmumps(id)
  id%icntl(1:4) = (/ 0, 0, 0, 0 /)
  id%n = side * side
  allocate(id%irn(5 * id%n), id%jcn(5 * id%n), id%a(5 * id%n), id%rhs(id%n))
  entries = 0
  do column = 1, side
    do row = 1, side
      here = row + (column - 1) * side
      call add(here, here, 4.5d0)
      if (row > 1) call add(here, here - 1, -1d0)
      if (row < side) call add(here, here + 1, -1.25d0)
      if (column > 1) call add(here, here - side, -1d0)
      if (column < side) call add(here, here + side, -1d0)
    end do
  end do
  id%nnz = entries
  id%rhs = 1d0
  id%job = 6
  call dmumps(id)
  largest = maxval(id%rhs)
  id%icntl(9) = 0
  id%job = 3
  call dmumps(id)
  print '(i0, 2f10.6)', id%infog(1), largest, maxval(id%rhs)
  deallocate(id%irn, id%jcn, id%a, id%rhs)
  id%job = -2
  call dmumps(id)
  call mpi_finalize(ierr)
contains
  subroutine add(row, column, value)
    integer, intent(in) :: row, column
    double precision, intent(in) :: value
    entries = entries + 1
    id%irn(entries) = row
    id%jcn(entries) = column
    id%a(entries) = value
  end subroutine add
end program use_mumps
