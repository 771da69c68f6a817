module kinds
  implicit none
  type :: point
    integer :: x
    real(8) :: y
  end type
contains
  subroutine look(whole, part, names, flag)
    integer, intent(in) :: whole(:,:)
    real(8), intent(in) :: part(:)
    character(len=*), intent(in) :: names(:)
    logical, intent(in) :: flag
    integer :: n
    n = size(whole)
    print *, n, part(1), names(1), flag
  end subroutine
end module
program sections
  use kinds
  implicit none
  integer :: a(4), b(3,2), c(2:4,-1:1,2), i, j, k
  real(8), target :: r(10)
  real(8), pointer :: odd(:), back(:)
  integer, allocatable :: grid(:,:)
  type(point), target :: points(4)
  integer, pointer :: xs(:)
  character(len=5) :: words(3)
  character(len=8) :: text
  logical :: yes, no
  a = [1, 2, 3, 4]
  do j = 1, 2
    do i = 1, 3
      b(i, j) = 10 * i + j
    end do
  end do
  do k = 1, 2
    do j = -1, 1
      do i = 2, 4
        c(i, j, k) = 100 * i + 10 * j + k
      end do
    end do
  end do
  r = [(i * 1.5d0, i = 1, 10)]
  odd => r(1:9:2)
  back => r(10:1:-3)
  allocate(grid(2, 3))
  grid = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  do i = 1, 4
    points(i) = point(i, i * 0.5d0)
  end do
  xs => points%x
  words = ["alpha", "beta ", "gamma"]
  text = "a string"
  yes = .true.
  no = .false.
  call look(b, odd, words, yes)
  call look(grid(:, 1:3:2), r(2:8:3), words(1:3:2), no)
  print *, a, c, odd, back, xs, text
end program
