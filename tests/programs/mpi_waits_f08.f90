! The last rank receives in vain, on a communicator that is a member of a type.
module grids
  use mpi_f08
  implicit none
  type grid
    type(MPI_Comm) :: comm
    integer :: left
  end type
contains
  subroutine receive(g, tag)
    type(grid), intent(in) :: g
    integer, intent(in) :: tag
    integer :: values(4)
    type(MPI_Status) :: st
    call MPI_Recv(values, 4, MPI_INTEGER, g%left, tag, g%comm, st) ! /* BREAK receive */
  end subroutine
  subroutine total(n, comm)
    integer, intent(inout) :: n
    type(MPI_Comm), intent(in) :: comm
    call MPI_Allreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_SUM, comm) ! /* BREAK all */
  end subroutine
end module

program waits
  use grids
  implicit none
  type(grid) :: g
  integer :: me, np, n
  call MPI_Init()
  g%comm = MPI_COMM_WORLD
  call MPI_Comm_rank(g%comm, me)
  call MPI_Comm_size(g%comm, np)
  g%left = modulo(me - 2, np)
  if (me == np - 1) call receive(g, 4)
  n = 1
  call total(n, g%comm)
  call MPI_Finalize()
end program
