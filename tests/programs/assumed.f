C     Arrays whose last bound nobody says, as programs of Fortran 77 pass them, and constants of a program.
      PROGRAM ASSUMED
      IMPLICIT NONE
      INTEGER N, WIDE
      PARAMETER (N = 4, WIDE = 3)
      DOUBLE PRECISION SCALE
      PARAMETER (SCALE = 2.5D0)
      INTEGER IPIV(N), I
      DOUBLE PRECISION A(N, WIDE), TOTAL
      CHARACTER*6 NAMES(2)
      COMPLEX*16 Z(2)
      NAMES(1) = 'first'
      NAMES(2) = 'second'
      DO 10 I = 1, N
         IPIV(I) = N - I + 1
         A(I, 1) = SCALE * I
         A(I, 2) = -SCALE * I
         A(I, 3) = 0
   10 CONTINUE
      Z(1) = (1D0, 2D0)
      Z(2) = (3D0, 4D0)
      TOTAL = 0
      CALL ADDUP(N, A, N, IPIV, NAMES, Z, TOTAL)
      PRINT *, TOTAL
      END
      SUBROUTINE ADDUP(N, A, LDA, IPIV, NAMES, Z, TOTAL)
      IMPLICIT NONE
      INTEGER N, LDA, I, J
      INTEGER IPIV(*)
      DOUBLE PRECISION A(LDA, *), TOTAL
      CHARACTER*(*) NAMES(*)
      COMPLEX*16 Z(*)
      LOGICAL DONE
      DONE = .FALSE.
      DO 20 J = 1, 3
         DO 30 I = 1, N
            TOTAL = TOTAL + A(I, J) * IPIV(I)
   30    CONTINUE
   20 CONTINUE
      DONE = NAMES(1) .EQ. 'first'
      IF (DONE) TOTAL = TOTAL + DBLE(Z(1))
      END
