! Texts whose lengths are passed behind the other arguments, on the stack; and variables of C.
subroutine passed(a, b, name, opts, c, d, e, f)
  implicit none
  integer, intent(inout) :: a, b, c, d, e, f
  character(len=*), intent(in) :: name, opts
  a = b + c ! mark: passed
  d = e + f
  if (name == opts) a = a + 1
  if (index(opts, 'e') > 0) d = d + 1
  call counted(a, d)
end subroutine

subroutine pointed(n)
  implicit none
  type :: holder
    integer :: n
    integer, allocatable :: many(:)
  end type
  integer, intent(in) :: n
  type(holder), target :: held
  type(holder), pointer :: one
  character(len=:), allocatable :: said
  allocate (held%many(n))
  held%many = 7
  held%n = n
  one => held
  said = 'as long as said'
  print *, one%many, said ! mark: pointed
end subroutine

program texts
  implicit none
  integer :: n(6)
  n = 1
  call passed(n(1), n(2), 'eleven char', 'six ch', n(3), n(4), n(5), n(6))
  call passed(n(1), n(2), 'x', 'seven c', n(3), n(4), n(5), n(6))
  call pointed(n(1))
  print *, n
end program
