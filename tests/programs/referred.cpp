#include <cstdlib>
#include <string>
/* Every rank has the same text elsewhere. */
static long use(const std::string &name, const std::string *address)
{
    return name.size() + address->size(); /* use */
}
int main()
{
    long before = 4096 * (1 + std::atoi(std::getenv("RANKSCOPE_RANK")));
    char *room = new char[before];
    std::string *name = new std::string("north");
    long size = use(*name, name);
    delete name;
    delete[] room;
    return size == 10 ? 0 : 1;
}
