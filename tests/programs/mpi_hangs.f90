! The last rank waits for a message of a rank that is in a collective operation.
module ranks
  implicit none
  integer :: me, np
end module

module exchanges
  use ranks
  use mpi
  implicit none
contains
  subroutine exchange(partner, comm)
    integer, intent(in) :: partner, comm
    real :: b(4)
    integer :: st(MPI_STATUS_SIZE), ierr
    Call Mpi_Recv(b, 4, MPI_REAL, & ! /* BREAK receive */
                  mod(partner + np, np), 7, & ! from there
                  comm, st, ierr)
  end subroutine
end module

program hang
  use exchanges
  implicit none
  integer :: ierr, total
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  if (me == np - 1) call exchange(me - 2, MPI_COMM_WORLD)
  call MPI_Allreduce(me, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr) ! /* BREAK all */
  call MPI_Finalize(ierr)
end program
