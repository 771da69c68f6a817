// Views with the names and members of Kokkos's, in the memory of the host; no code of Kokkos.
#include <cstddef>

namespace Kokkos {
struct LayoutLeft {};
struct LayoutRight {};

namespace Impl {
struct OneExtent {
    std::size_t N0;
};
struct TwoExtents {
    std::size_t N0, N1;
};
template <typename Extents> struct Offset {
    Extents m_dim;
};
template <typename Value, typename Extents> struct Mapping {
    Value *m_impl_handle;
    Offset<Extents> m_impl_offset;
};
template <typename Data> struct Of;
template <typename Value> struct Of<Value *> {
    using Map = Mapping<Value, OneExtent>;
};
template <typename Value> struct Of<Value **> {
    using Map = Mapping<Value, TwoExtents>;
};
} // namespace Impl

template <typename Data, typename... Properties> struct View {
    typename Impl::Of<Data>::Map m_map;
};
} // namespace Kokkos

int main() {
    double numbers[6] = {1, 2, 3, 4, 5, 6};
    Kokkos::View<double *> line{{numbers, {{4}}}};
    Kokkos::View<double **, Kokkos::LayoutRight> rows{{numbers, {{2, 3}}}};
    Kokkos::View<double **, Kokkos::LayoutLeft> columns{{numbers, {{2, 3}}}};
    Kokkos::View<double **> either{{numbers, {{2, 3}}}};
    return line.m_map.m_impl_handle == rows.m_map.m_impl_handle && columns.m_map.m_impl_handle[0] == 1 &&
           either.m_map.m_impl_handle; // stop here
}
