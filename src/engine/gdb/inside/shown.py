# What pretty-printers show of a value, as a tree.
import gdb


class Shown:
    # Of what pretty-printers show.
    MOST_PARTS = 2000
    MOST_FETCHED = 65536

    # As many elements as gdb is to show.
    def most_held(self):
        return min(gdb.parameter("print elements") or self.MOST_FETCHED, self.MOST_FETCHED)

    # Pointers to members, decimal numbers and short ones of floating point are nothing that AIF could tell.
    def is_words_only(self, ty):
        odd = ty.code == gdb.TYPE_CODE_FLT and "bfloat16" in str(ty.name)
        return odd or ty.code in (gdb.TYPE_CODE_METHODPTR, gdb.TYPE_CODE_MEMBERPTR, gdb.TYPE_CODE_DECFLOAT)

    # Whether the value is told by its parts: a pretty-printer has a word in how it is shown, or members whose place is
    # different from value to value, or some that only gdb's words can tell.
    def is_printed(self, value, depth=0):
        if gdb.default_visualizer(value) is not None or self.is_words_only(value.type.strip_typedefs()):
            return True
        ty = value.type.strip_typedefs()
        if depth > 12:
            return False
        if ty.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            return depth == 0 and self.is_printed(value.referenced_value(), 1)
        if not self.is_composed(ty):
            return False
        name = str(ty)
        if name not in self.printed_types:
            self.printed_types[name] = False
            try:
                self.printed_types[name] = self.has_moving_parts(ty) or any(self.is_printed(part, depth + 1) for part in self.parts(value, ty))
            except gdb.error:
                # There are no parts: optimised out, or of a length that makes no sense.
                pass
        return self.printed_types[name]

    def parts(self, value, ty):
        if ty.code == gdb.TYPE_CODE_ARRAY:
            low, high = self.bounds(ty)
            if high is not None and high >= low:
                yield value[low]
            return
        for field in ty.fields():
            yield value[field]

    # Bases that are virtual.
    def has_moving_parts(self, ty):
        composed = ty.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
        return composed and any(getattr(field, "bitpos", 0) is None for field in ty.fields())

    def shown(self, value, depth):
        self.left -= 1
        if self.left < 0 or depth > 20:
            raise NotImplementedError()
        printer = gdb.default_visualizer(value)
        if printer is not None:
            return self.by_printer(printer, depth)
        ty = value.type.strip_typedefs()
        if self.is_words_only(ty):
            return {"as": "titled", "title": self.words(value, False), "of": None}
        if not self.is_printed(value, depth):
            return {"as": "leaf", "leaf": self.leaf(value)}
        if ty.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            of = value.referenced_value()
            return {"as": "reference", "address": int(of.address), "of": self.shown(of, depth + 1)}
        if ty.code == gdb.TYPE_CODE_ARRAY:
            low, high = self.bounds(ty)
            if high - low >= self.most_held():
                raise NotImplementedError()
            held = [(None, self.shown(value[index], depth + 1)) for index in range(low, high + 1)]
            return {"as": "held", "style": "plain", "held": held, "more": False}
        members = []
        for field in ty.fields():
            name = field.name or ""
            if field.is_base_class:
                name = "<%s>" % field.name
            elif not hasattr(field, "bitpos"):
                name = "static %s" % field.name
            members.append((name, self.shown(value[field], depth + 1)))
        return {"as": "members", "name": ty.name or "", "members": members}

    def by_printer(self, printer, depth):
        hint = printer.display_hint() if hasattr(printer, "display_hint") else None
        title = printer.to_string() if hasattr(printer, "to_string") else None
        said = {"as": "titled", "title": "", "of": None}
        if isinstance(title, str):
            if hint == "string":
                said["of"] = {"as": "string", "bytes": title.encode("utf-8").hex()}
            else:
                said["title"] = title
        elif title is not None:
            said["of"] = self.part(title, depth)
        if not hasattr(printer, "children"):
            return said
        held = self.children(printer, hint, depth)
        if said["of"] is not None and held is not None:
            # A value and what it introduces: words are not enough for that.
            raise NotImplementedError()
        said["of"] = said["of"] or held
        return said

    def children(self, printer, hint, depth):
        most = 2 * self.most_held() if hint == "map" else self.most_held()
        children, more = [], False
        for name, child in printer.children():
            if len(children) == most:
                more = True
                break
            children.append((name, self.part(child, depth)))
        if not children:
            return None
        if hint == "map":
            parts = [part for _, part in children]
            return {"as": "held", "style": "keyed", "held": list(zip(parts[::2], parts[1::2])), "more": more}
        if hint == "array":
            return {"as": "held", "style": "plain", "held": [(None, part) for _, part in children], "more": more}
        if all(name == "[%d]" % number for number, (name, _) in enumerate(children)):
            return {"as": "held", "style": "numbered", "held": [(None, part) for _, part in children], "more": more}
        if more:
            raise NotImplementedError()
        return {"as": "members", "name": "", "members": children}

    # What a pretty-printer gives: words, numbers of Python, values, text that is to be read.
    def part(self, given, depth):
        if isinstance(given, str):
            return {"as": "titled", "title": given, "of": None}
        if type(given).__name__ == "LazyString":
            unit = given.type.target() if given.type.code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY) else given.type
            length = given.length
            if given.type.code == gdb.TYPE_CODE_ARRAY and length < 0:
                length = given.type.sizeof // unit.sizeof
            if length < 0:
                return self.shown(given.value(), depth + 1)
            if unit.sizeof != 1 or length > 4096:
                array = gdb.Value(given.address).cast(unit.array(length - 1).pointer()).dereference()
                return {"as": "leaf", "leaf": self.leaf(array)}
            content = gdb.selected_inferior().read_memory(given.address, length) if length else b""
            return {"as": "string", "bytes": bytes(content).hex()}
        return self.shown(given if isinstance(given, gdb.Value) else gdb.Value(given), depth + 1)


