// The last rank is in another collective operation, each behind a virtual method that leaves its frame to the call of MPI.
// With an argument, each rank waits so for a message of the next one.
// Optimised, a table that is read into a register which nobody preserves has the only pointer to the method.
#include <memory>
#include <mpi.h>
#include <vector>

namespace stages {

class Stage {
public:
    virtual ~Stage() = default;
    virtual int run(int root) = 0;
};

class Spread : public Stage {
public:
    int run(int root) override
    {
        return MPI_Bcast(values, 8, MPI_CHAR, root, MPI_COMM_WORLD); /* BREAK spread */
    }

private:
    char values[8] = {};
};

class Sum : public Stage {
public:
    int run(int) override
    {
        return MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* BREAK sum */
    }

private:
    int own = 1, all = 0;
};

class Look : public Stage {
public:
    int run(int peer) override
    {
        return MPI_Probe(peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* BREAK look */
    }
};

__attribute__((noinline)) int all_of(const std::vector<std::unique_ptr<Stage>> &stages, int root)
{
    int errors = 0;
    for (const auto &stage : stages)
        errors += stage->run(root);
    return errors;
}

} // namespace stages

int main(int argc, char **argv)
{
    int rank, size, peer;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<std::unique_ptr<stages::Stage>> all;
    peer = argc > 1 ? (rank + 1) % size : 1;
    if (argc > 1)
        all.push_back(std::make_unique<stages::Look>());
    else if (rank == size - 1)
        all.push_back(std::make_unique<stages::Spread>());
    else
        all.push_back(std::make_unique<stages::Sum>());
    int errors = stages::all_of(all, peer);
    MPI_Finalize();
    return errors;
}
