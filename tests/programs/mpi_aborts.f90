! Every rank aborts the job.
program aborts
  use mpi
  implicit none
  integer :: ierr, code
  call MPI_Init(ierr)
  code = 9
  call MPI_Abort(MPI_COMM_WORLD, code, ierr) ! /* BREAK abort */
end program
