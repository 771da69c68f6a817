! Solves, decomposes and finds eigenvalues with LAPACK.
program use_lapack
  implicit none
  integer, parameter :: n = 5
  double precision :: a(n, n), b(n, 2), w(n), s(n), u(n, n), vt(n, n), work(400), copy(n, n)
  complex(kind(1d0)) :: z(n, n), zw(n), zwork(400), vl(1, 1), vr(n, n)
  double precision :: rwork(2 * n)
  integer :: pivots(n), info, i, j
  character(len=8) :: names(2) = ['solve   ', 'eigen   ']
  do j = 1, n
    do i = 1, n
      a(i, j) = 1d0 / (i + j) + merge(2d0, 0d0, i == j)
      z(i, j) = cmplx(i - j, i * j, kind(1d0))
    end do
    b(j, :) = [dble(j), -dble(j)]
  end do
  copy = a
  call dgesv(n, 2, copy, n, pivots, b, n, info)
  copy = a
  call dsyev('V', 'U', n, copy, n, w, work, size(work), info)
  copy = a
  call dgesvd('A', 'A', n, n, copy, n, s, u, n, vt, n, work, size(work), info)
  call zgeev('N', 'V', n, z, n, zw, vl, 1, vr, n, zwork, size(zwork), rwork, info)
  copy = a
  call dgels('N', n, n, 1, copy, n, b, n, work, size(work), info)
  print *, names(1), b(1, 1), names(2), w(n), s(1), zw(1), info
end program
