// The last rank receives in vain: in a method from a neighbour in a vector, or exchanges in a function template. Or all send
// more than is buffered, through a link of which optimised code keeps only the address in the object that has it.
#include <cstring>
#include <mpi.h>
#include <vector>

namespace field {

class Halo {
public:
    explicit Halo(MPI_Comm comm) : comm_(comm), ghosts_(8)
    {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        neighbours_ = {(rank + size - 2) % size, (rank + 1) % size};
    }

    void receive(int side, int tag)
    {
        MPI_Recv(ghosts_.data(), static_cast<int>(ghosts_.size()), MPI_DOUBLE, /* BREAK receive */
                 neighbours_[side], tag, comm_, MPI_STATUS_IGNORE);
    }

    template <class T> T sum(T value, MPI_Datatype type) const
    {
        std::vector<T> total(1);
        MPI_Allreduce(&value, total.data(), 1, type, MPI_SUM, comm_); /* BREAK all */
        return total[0];
    }

    template <int Tag, class Values> void exchange(const Values &out, int peer) const
    {
        Values in(out.size());
        MPI_Sendrecv(out.data(), int(out.size()), MPI_INT, peer, Tag, in.data(), int(in.size()), MPI_INT, peer, Tag, /* BREAK exchange */
                     this->comm_, MPI_STATUS_IGNORE);
    }

    int rank, size;

private:
    MPI_Comm comm_;
    std::vector<double> ghosts_;
    std::vector<int> neighbours_;
};

class Link {
public:
    explicit Link(MPI_Comm comm) : comm_(comm) {}

    void send(const std::vector<double> &out, int peer) const
    {
        MPI_Send(out.data(), static_cast<int>(out.size()), MPI_DOUBLE, peer, 3, comm_); /* BREAK send */
    }

private:
    MPI_Comm comm_;
};

class Step {
public:
    Step(const Link &link, int right) : link_(link), right_(right), out_(1 << 18) {}

    __attribute__((noinline)) double run()
    {
        link_.send(out_, right_);
        return out_[0];
    }

private:
    const Link &link_;
    int right_;
    std::vector<double> out_;
};

} // namespace field

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    field::Halo halo(MPI_COMM_WORLD);
    bool is_last = halo.rank == halo.size - 1;
    if (is_last && !strcmp(argv[1], "method"))
        halo.receive(0, 5);
    if (is_last && !strcmp(argv[1], "template"))
        halo.exchange<9>(std::vector<int>(3), halo.rank - 2);
    double sent = 0;
    if (!strcmp(argv[1], "cycle")) {
        field::Link link(MPI_COMM_WORLD);
        sent = field::Step(link, (halo.rank + 1) % halo.size).run();
    }
    double sum = halo.sum(1.0, MPI_DOUBLE) + sent;
    MPI_Finalize();
    return sum < 0;
}
