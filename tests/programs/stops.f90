! Stops in the way that is named, on the ranks above 0, or on all if EVERY_RANK is set.
module ways
  implicit none
contains
  subroutine fill(a, n)
    real, intent(inout) :: a(:)
    integer, intent(in) :: n
    a(n) = 1.0 ! /* BREAK bounds */
  end subroutine
end module

program stops
  use ways
  implicit none
  character(20) :: how, rank
  character(8) :: text
  real, allocatable :: a(:)
  integer :: unit, number, status
  call get_command_argument(1, how)
  call get_environment_variable('RANKSCOPE_RANK', rank)
  call get_environment_variable('EVERY_RANK', length=status)
  if (rank == '0' .and. status == 0) how = ''
  allocate (a(3))
  ! Errors that the program handles are no reason to stop.
  open (newunit=unit, file='/nonexistent/file', status='old', iostat=status)
  text = ''
  read (text, *, end=10) number
10 continue
  select case (how)
  case ('error number')
    error stop 3 ! /* BREAK number */
  case ('error text')
    error stop 'negative size' ! /* BREAK text */
  case ('error bare')
    error stop
  case ('stop number')
    stop 4 ! /* BREAK stop */
  case ('stop text')
    stop 'all is well'
  case ('stop zero')
    stop 0
  case ('bounds')
    call fill(a, 7)
  case ('again')
    allocate (a(4)) ! /* BREAK again */
  case ('open')
    open (newunit=unit, file='/nonexistent/file', status='old') ! /* BREAK open */
  case ('end')
    text = ''
    read (text, *) number ! /* BREAK end */
  case ('number')
    text = 'four'
    read (text, *) number ! /* BREAK conversion */
  end select
end program
