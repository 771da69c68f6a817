// Strings, and what their methods say of them.
#include <string>
#include <string_view>

std::string text = "a little text, all in all";
std::string_view view = "view of it";
const char *word = "all";

struct Said {
    unsigned long first, second, last, last_before, of, not_of, last_of, last_not_of, nowhere, from_view;
    int same, longer, less;
    std::string part, rest;
    bool front;
};

int main()
{
    Said said;
    said.first = text.find("ll");
    said.second = text.find(word, 17);
    said.last = text.rfind('l');
    said.last_before = text.rfind("l", 20);
    said.of = text.find_first_of(",.");
    said.not_of = text.find_first_not_of("a lit");
    said.last_of = text.find_last_of(std::string("xy,"));
    said.last_not_of = text.find_last_not_of("al");
    said.nowhere = text.find("nothing");
    said.from_view = view.find("of");
    said.same = text.compare("a little text, all in all");
    said.longer = text.compare("a little");
    said.less = text.compare("b");
    said.part = text.substr(2, 6);
    said.rest = text.substr(19);
    said.front = text[0] == 'a';
    return said.front ? 0 : 1; /* look */
}
