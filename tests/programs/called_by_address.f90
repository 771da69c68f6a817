module shapes
  implicit none
contains
  subroutine fill(n)
    integer :: n
    print *, 'fill', n
    n = n + 1
  end subroutine
  integer function twice(n)
    integer, intent(in) :: n
    twice = 2 * n
  end function
  real(8) function area(w, h)
    real(8), intent(in) :: w, h
    area = w * h
  end function
  integer function byval(n)
    integer, value :: n
    byval = n + 100
  end function
  integer function opt(n, m)
    integer, intent(in) :: n
    integer, optional :: m
    opt = n
    if (present(m)) opt = n + m
  end function
  integer function total(a, n)
    integer, intent(in) :: n
    integer, intent(in) :: a(n)
    total = sum(a)
  end function
  integer function assumed(a)
    integer, intent(in) :: a(:)
    assumed = sum(a)
  end function
  integer function length(t)
    character(len=*), intent(in) :: t
    length = len(t) * 1000 + ichar(t(1:1))
  end function
  integer function fixed(t, k)
    character(len=4), intent(in) :: t
    integer :: k
    fixed = ichar(t(4:4)) + k
  end function
  subroutine nothing
    print *, 'nothing'
  end subroutine
  function name_of(k) result(t)
    integer, intent(in) :: k
    character(len=5) :: t
    t = 'abcde'
    if (k > 1) t = 'fghij'
  end function
  function row(k) result(r)
    integer, intent(in) :: k
    integer :: r(3)
    r = k
  end function
  logical function yes(l)
    logical :: l
    yes = .not. l
  end function
  complex(8) function conj2(z)
    complex(8), intent(in) :: z
    conj2 = conjg(z)
  end function
  integer function ptr(p)
    integer, pointer :: p
    ptr = p
  end function
  integer function alloc(a)
    integer, allocatable :: a(:)
    alloc = size(a)
  end function
  function grown(n) result(a)
    integer, intent(in) :: n
    integer, allocatable :: a(:)
    allocate(a(n))
    a = n
  end function
  integer function apply(f, n)
    interface
      integer function f(x)
        integer, intent(in) :: x
      end function
    end interface
    integer, intent(in) :: n
    apply = f(n)
  end function
end module
program main
  use shapes
  integer :: i = 3, arr(3) = [1,2,3]
  integer(8) :: big = 7
  real(8) :: w = 2.5d0
  character(len=6) :: text = 'hello!'
  logical :: l = .true.
  complex(8) :: z = (1d0, 2d0)
  integer, target :: tg = 5
  integer, pointer :: p
  integer, allocatable :: al(:)
  character(len=5) :: res
  integer :: r3(3)
  p => tg
  allocate(al(4))
  al = 2
  call fill(i)
  print *, twice(i), area(w, w), byval(i), opt(i), opt(i, i), total(arr, 3), assumed(arr), length(text), fixed('abcd', i)
  call nothing
  res = name_of(1)
  r3 = row(2)
  print *, yes(l), conj2(z), ptr(p), alloc(al), res, r3, grown(2), apply(twice, 3)
end program
