! Procedures behind `contains` see the variables of the procedure around them.
program host
  implicit none
  integer :: grank, i
  real :: field(4)
  grank = 7
  field = [1.0, 2.0, 3.0, 4.0]
  call work(3)
  print *, grank, field
contains
  subroutine work(n)
    integer, intent(in) :: n
    integer :: rows
    rows = n + grank ! /* BREAK work */
    do i = 1, 4
      field(i) = field(i) * rows ! /* BREAK row */
    end do
    call deeper(rows)
  end subroutine
  subroutine deeper(m)
    integer, intent(in) :: m
    integer :: inside
    inside = m + grank ! /* BREAK deeper */
    field(1) = inside
    grank = 8
  end subroutine
end program
