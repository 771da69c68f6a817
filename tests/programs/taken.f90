! Components of sections of arrays, texts without characters, formats.
program sec
  implicit none
  type point
    integer :: p
    real(8) :: q
    character(len=4) :: name
    integer, dimension(3) :: v
  end type
  type outer
    type(point) :: inner
    type(point), dimension(4) :: many
  end type
  type(point) :: a(20, 10)
  type(outer) :: o(5)
  type(point), allocatable :: al(:,:)
  integer :: i, j, grid(6,5)
  character(len=0) :: empty
  character(len=:), allocatable :: def, gone
  character(len=0), dimension(3) :: empties
  character(len=8) :: word
  complex(8) :: z(4)
  integer(16) :: big
  type(point), pointer :: ptr(:)
  allocate(al(3,4), ptr(5))
  do j = 1, 10
    do i = 1, 20
      a(i,j)%p = 100*j + i
      a(i,j)%q = i + j*0.5d0
      a(i,j)%name = char(96+i)//char(96+j)
      a(i,j)%v = [i, j, i*j]
    end do
  end do
  do i = 1, 5
    o(i)%inner = a(i,1)
    do j = 1, 4
      o(i)%many(j) = a(i,j)
    end do
  end do
  do j = 1, 4
    do i = 1, 3
      al(i,j) = a(i,j)
    end do
  end do
  ptr = a(1:5,1)
  do j=1,5
   do i=1,6
    grid(i,j)=10*i+j
   end do
  end do
  z = (1d0, 2d0)
  def = ''
  word = 'abcdefgh'
  big = 2_16**100
  call show(word(3:2), def, empties)
  j = 1 ! /* BREAK stop */
  print *, a(15,9)%p, len(def), o(1)%inner%p, al(1,1)%p, grid(1,1), empty, z(1), big, ptr(1)%p
contains
  subroutine show(t, d, e)
    character(len=*), intent(in) :: t, d
    character(len=*), intent(in) :: e(:)
    print *, len(t), len(d), size(e) ! /* BREAK inside */
  end subroutine
end program
