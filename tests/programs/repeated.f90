! Arrays whose elements and rows are alike, in part and beyond what is shown.
program repeated
  integer :: a10(12), a11(13), rows(3,14), wide(15,30), mixed(30,12), cube(4,5,20), big(250,3)
  integer :: i
  a10 = 7; a10(1)=1; a10(12)=2
  a11 = 7; a11(1)=1; a11(13)=2
  rows = 5
  wide = 3
  mixed = 1
  mixed(:,3) = [(i, i=1,30)]
  cube = 2
  cube(1,1,1) = 1
  big = 9
  print *, a10(1)
end program
