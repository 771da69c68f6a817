! What a program does with the types of MOCASSIN: grids whose parts are allocated, vectors with operators, interpolation.
module cells
  use common_mod
  use interpolation_mod
  implicit none
contains
  subroutine fill(grid, n)
    type(grid_type), intent(inout) :: grid
    integer, intent(in) :: n
    integer :: i, j
    grid%composition = 'a shell of gas'
    grid%nx = n
    grid%nCells = n * n
    allocate (grid%xAxis(n), grid%Te(0:n), grid%active(n, n, 2), grid%opacity(-1:n, 3))
    do i = 1, n
      grid%xAxis(i) = real(i) ** 2
      grid%active(i, :, :) = i
      do j = 1, 3
        grid%opacity(i, j) = grid%xAxis(i) / j
      end do
    end do
    grid%opacity(-1:0, :) = 0.
    grid%Te = [(1e4 - i, i = 0, n)]
  end subroutine

  function between(grid, at) result(value)
    type(grid_type), intent(inout) :: grid
    real, intent(in) :: at
    real :: value, second(size(grid%xAxis)), slope
    integer :: place
    call locate(grid%xAxis, at, place)
    call spline(grid%xAxis, grid%Te(1:), 1e30, 1e30, second)
    call splint(grid%xAxis, grid%Te(1:), second, at, value)
    slope = value - grid%Te(place)
    if (place > 2) value = value + 0. * slope
  end function

  subroutine trace(packet, start, way)
    type(photon_packet), intent(inout) :: packet
    type(vector), intent(in) :: start
    type(vector), intent(in), optional :: way
    type(vector) :: towards
    towards = vector(0., 0., 1.)
    if (present(way)) towards = way
    call normalize(towards)
    packet%direction = towards
    packet%position = start + 2. * towards
    packet%nuP = int(10 * modulus(packet%position))
    packet%lgStellar = modulus(packet%position) > 1.
  end subroutine
end module

program use_mocassin
  use cells
  implicit none
  type(grid_type), target :: grids(2)
  type(grid_type), pointer :: one
  type(photon_packet) :: packet
  character(len=:), allocatable :: said
  real :: values(6) = [5., 3., 6., 1., 4., 2.]
  integer :: i
  do i = 1, 2
    call fill(grids(i), 3 + i)
  end do
  one => grids(2)
  call sortUp(values)
  call trace(packet, vector(1., 2., 3.))
  call trace(packet, vector(1., 2., 3.), vector(3., 0., 4.))
  said = trim(one%composition) // ' in cells'
  print *, said, between(one, 5.), values(1), dotProd(packet%direction, packet%position)
  said = said // '!'
  print *, said, between(grids(1), 2.5)
end program
