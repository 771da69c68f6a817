// Matrices, arrays and vectors of Eigen, by rows and by columns, of fixed and of other sizes.
#include <eigen3/Eigen/Core>
#include <cstdio>

struct scaled {
  double factor;
  __attribute__((noinline)) double operator()(int n) const { return factor * n; }
};

static double corner(Eigen::Ref<const Eigen::MatrixXd> part) {
  return part(0, 0) + part(1, 1); // seen here
}

int main() {
  Eigen::MatrixXd m(3, 4);
  Eigen::Matrix<float, 2, 2> fixed;
  Eigen::VectorXd v(5);
  Eigen::RowVector3i row(7, 8, 9);
  Eigen::Matrix<int, 2, Eigen::Dynamic, Eigen::RowMajor> by_rows(2, 3);
  Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, 0, 4, 4> bounded(2, 3);
  Eigen::MatrixXd none;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      m(i, j) = 10 * i + j;
  fixed << 1, 2, 3, 4;
  v << 1, 2, 3, 4, 5;
  by_rows << 1, 2, 3, 4, 5, 6;
  bounded.setConstant(2);
  bounded(1, 2) = 1 / 0.0;
  double own[6] = {1, 2, 3, 4, 5, 6};
  Eigen::Map<Eigen::MatrixXd> map(own, 2, 3);
  double field[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  typedef Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows;
  Eigen::Map<rows, 0, Eigen::OuterStride<>> padded(field, 3, 2, Eigen::OuterStride<>(4));
  Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<3>> thirds(field, 4);
  typedef Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic> strides;
  Eigen::Map<Eigen::MatrixXd, 0, strides> upside_down(field + 11, 2, 3, strides(-4, -2));
  const Eigen::MatrixXd &same = m;
  scaled twice = {2};
  std::printf("%g %ld %g\n", same(0, 1), (long)none.size(), twice(2)); // measured here
  std::printf("%g %g %g %g\n", corner(m.block(1, 1, 2, 2)), padded(1, 1), thirds(1), upside_down(1, 2));
  return (int)(map(0, 0) + row(0) + fixed(0, 0) + v(0) + by_rows(0, 0));
}
