// Members of the object, a base and an anonymous member that methods, a lambda and a template name without `this`.
struct Base {
    int inherited = 4;
    static int shared;
};
int Base::shared = 6;

namespace app {
class Solver : public virtual Base {
    int rank_;
    int steps_ = 0;
    struct {
        int inner;
    };

public:
    explicit Solver(int rank) : rank_(rank) { inner = rank; }
    int step(int by)
    {
        steps_ += by; /* BREAK step */
        auto twice = [this](int n) {
            return n * 2 + rank_; /* BREAK lambda */
        };
        return twice(steps_) + scaled(2.0);
    }
    template <class T> T scaled(T by)
    {
        return by * rank_; /* BREAK scaled */
    }
};
} // namespace app

int main()
{
    int sum = 0;
    for (int rank = 0; rank < 5; rank++) {
        app::Solver solver(rank);
        sum += solver.step(3); /* BREAK call */
    }
    return sum != 0 ? 0 : 1;
}
