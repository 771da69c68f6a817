# What the types of printed.c mean.
import gdb
import gdb.printing


class Money:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        cents = int(self.value["cents"])
        return "%s%d.%02d EUR" % ("-" if cents < 0 else "", abs(cents) // 100, abs(cents) % 100)


class Span:
    def __init__(self, value):
        self.first, self.behind = value["first"], value["behind"]

    def to_string(self):
        return "span of length %d" % int(self.behind - self.first)

    def children(self):
        for index in range(int(self.behind - self.first)):
            yield "[%d]" % index, (self.first + index).dereference()

    def display_hint(self):
        return "array"


class Account:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "account"

    def children(self):
        for index in range(int(self.value["used"])):
            entry = self.value["entries"][index]
            yield "key %d" % index, entry["key"]
            yield "value %d" % index, entry["value"]

    def display_hint(self):
        return "map"


class Label:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return self.value["text"].address.cast(gdb.lookup_type("char").pointer()).lazy_string(length=int(self.value["length"]))

    def display_hint(self):
        return "string"


class Angle:
    def __init__(self, value):
        self.turns = value["turns"]

    def to_string(self):
        return "angle"

    def children(self):
        yield "degrees", float(self.turns) * 360
        yield "turns", self.turns
        yield "compass", "east" if float(self.turns) == 0.25 else "elsewhere"


class Broken:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        raise RuntimeError("this printer does not work")


printers = gdb.printing.RegexpCollectionPrettyPrinter("printed")
for name, printer in (("money", Money), ("span", Span), ("account", Account), ("label", Label), ("angle", Angle), ("broken", Broken)):
    printers.add_printer(name, "^%s$" % name, printer)
gdb.printing.register_pretty_printer(None, printers)
