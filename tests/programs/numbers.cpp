// Containers that store numbers one after another, and others.
#include <array>
#include <cstdio>
#include <list>
#include <valarray>
#include <vector>

struct Particle {
  int id;
  float at[3];
};

int main() {
  std::vector<float> line(1000);
  for (int i = 0; i < 1000; i++)
    line[i] = i % 10 * 0.25f;
  std::vector<float> &same = line;
  std::array<double, 3> three = {1.5, -2.5, 4};
  std::valarray<int> values = {5, 6, 7};
  std::vector<bool> bits = {true, false};
  std::vector<std::vector<double>> rows = {{1, 2, 3}, {4, 5, 6}};
  std::list<int> list = {1, 2};
  std::vector<double> none;
  std::vector<Particle> particles;
  for (int i = 0; i < 5; i++)
    particles.push_back({i, {i + 0.25f, i + 0.5f, i + 0.75f}});
  Particle *first = particles.data();
  std::printf("%zu %zu %zu %zu\n", same.size(), rows.size(), bits.size(), list.size()); // measured here
  return int(three[0] + values[0] + none.size()) + first->id;
}
