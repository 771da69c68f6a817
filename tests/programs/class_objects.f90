! Polymorphic objects: class dummy arguments, pointers, allocatable objects and arrays, of types that extend others.
! Tests find lines by their BREAK marks.
module shapes_mod
  implicit none
  type :: base_t
    integer :: step = 3
    real(8), allocatable :: field(:)
    real(8), pointer :: view(:) => null()
    character(len=8) :: label = 'base'
  contains
    procedure :: advance
  end type
  type, extends(base_t) :: child_t
    integer :: extra = 7
    type(base_t), allocatable :: inner
    class(base_t), pointer :: next => null()
  end type
  type, extends(child_t) :: leaf_t
    integer :: last = 11
  end type
contains
  subroutine advance(self, n)
    class(base_t), intent(inout) :: self
    integer, intent(in) :: n
    self%step = self%step + n ! BREAK advance
  end subroutine
  subroutine look(self, anything)
    class(child_t), intent(inout) :: self
    class(*), intent(in) :: anything
    self%extra = self%extra + 1
    call self%advance(2)
    select type (anything)
    type is (integer)
      self%extra = self%extra + anything ! BREAK look
    end select
  end subroutine
end module
program classes
  use shapes_mod
  implicit none
  class(base_t), pointer :: ptr
  class(base_t), allocatable :: one
  class(base_t), pointer :: none
  type(leaf_t), target :: obj
  class(base_t), allocatable :: list(:)
  class(child_t), allocatable :: children(:)
  allocate(obj%field(4))
  obj%field = [1d0, 2d0, 3d0, 4d0]
  obj%view => obj%field
  allocate(obj%inner)
  obj%inner%step = 42
  obj%next => obj
  ptr => obj
  nullify(none)
  allocate(child_t :: one)
  allocate(base_t :: list(3))
  list(2)%step = 9
  allocate(children(2))
  children(2)%step = 13
  call look(obj, 5)
  print *, ptr%step, one%step, list(2)%step, children(2)%step, associated(none) ! BREAK done
end program
