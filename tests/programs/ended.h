struct cell {
    double weight;
    int id;
};
extern int counter;
int work(struct cell *cell, int n);
