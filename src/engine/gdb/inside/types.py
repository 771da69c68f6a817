# Types, as gdb knows them.
import gdb


class Types:
    # The aggregates whose members are being told.
    within = []

    def type(self, ty, pointers=0, depth=0):
        ty = ty.unqualified()
        code = ty.code
        if depth > 40:
            return {"kind": "unknown", "name": "too deep"}
        if code == gdb.TYPE_CODE_TYPEDEF:
            return {"kind": "typedef", "name": ty.name, "of": self.type(ty.target(), pointers, depth + 1)}
        try:
            size = ty.sizeof
        except gdb.error:
            size = None
        said = {"name": ty.name, "size": size}
        if code == gdb.TYPE_CODE_PTR and pointers > 3:
            said.update(kind="pointer", of={"kind": "void"})
        elif code == gdb.TYPE_CODE_PTR:
            said.update(kind="pointer", of=self.type(ty.target(), pointers + 1, depth + 1))
        elif code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            # What is referred to is shown with it, so its members matter.
            kind = "reference" if code == gdb.TYPE_CODE_REF else "rvalue_reference"
            inner = 1 if pointers else 0
            said.update(kind=kind, of=self.type(ty.target(), inner, depth + 1))
        elif code == gdb.TYPE_CODE_ARRAY:
            low, high = self.bounds(ty)
            # Of one without an end gdb says that it has one element.
            there = high is not None and (size or ty.target().sizeof == 0)
            count = max(high - low + 1, 0) if there else None
            said.update(kind="array", of=self.type(ty.target(), pointers, depth + 1), low=low, count=count)
        elif code == gdb.TYPE_CODE_STRING:
            character = {"kind": "character", "name": "character(kind=1)", "size": 1, "signed": False}
            said.update(kind="array", of=character, low=1, count=size)
        elif code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            said["kind"] = "struct" if code == gdb.TYPE_CODE_STRUCT else "union"
            self.within.append(str(ty))
            # One that is a member of itself, for all its values, is told twice, not without end.
            again = self.within.count(str(ty)) > 2
            said["members"] = [] if pointers or again else self.members(ty, depth)
            self.within.pop()
            said["declaration"] = not pointers and not size and not said["members"]
        elif code == gdb.TYPE_CODE_ENUM:
            said["kind"] = "enum"
            said["values"] = [(field.name, self.signed(field.enumval)) for field in ty.fields()]
        elif code == gdb.TYPE_CODE_FLAGS:
            said["kind"] = "flags"
        elif code == gdb.TYPE_CODE_FUNC:
            said["kind"] = "function"
            said["of"] = self.type(ty.target(), pointers + 1, depth + 1)
            said["parameters"] = [self.type(field.type, pointers + 1, depth + 1) for field in ty.fields()]
        elif code == gdb.TYPE_CODE_VOID:
            said["kind"] = "void"
        elif code == gdb.TYPE_CODE_BOOL:
            said["kind"] = "boolean"
        elif code == gdb.TYPE_CODE_FLT:
            said["kind"] = "unknown" if "bfloat16" in str(ty.name) else "float"
        elif code == gdb.TYPE_CODE_COMPLEX:
            said["kind"] = "complex"
        elif code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_RANGE):
            # Parts of vector registers have these names of their own, and are numbers.
            number = ty.name in ("int8_t", "uint8_t") or self.language == "fortran"
            small = size == 1 and not number
            said["kind"] = "character" if code == gdb.TYPE_CODE_CHAR or small else "integer"
            said["signed"] = self.is_signed(ty, size)
        else:
            said["kind"] = "unknown"
        return said

    def is_signed(self, ty, size):
        if size > 8:
            # Python has no number for these.
            return "unsigned" not in str(ty) and not str(ty).startswith("u")
        return bool(int(gdb.Value(-1).cast(ty)) < 0)

    # Python is told nothing of them; people are: "  bool CF @0;".
    def flags(self, value):
        gdb.set_convenience_variable("rankscope_flags", value)
        lines = gdb.execute("ptype $rankscope_flags", to_string=True).splitlines()
        words = [line.strip().rstrip(";").split() for line in lines]
        return [(w[1], int(w[2][1:])) for w in words if len(w) == 3 and w[0] == "bool" and w[2][1:].isdigit()]

    def signed(self, number):
        number &= (1 << 64) - 1
        return number - (1 << 64) if number >> 63 else number

    def bounds(self, ty):
        try:
            return ty.range()
        except gdb.error:
            return 0, None

    def members(self, ty, depth):
        members = []
        for field in ty.fields():
            if not hasattr(field, "bitpos"):
                members.extend(self.static(ty, field, depth))
                continue
            # gdb shows a base class by its own name, whatever it is derived by.
            ty_of = field.type.strip_typedefs() if field.is_base_class else field.type
            name = ty_of.name if field.is_base_class else field.name
            member = {"name": name, "type": self.type(ty_of, 0, depth + 1), "bit": field.bitpos}
            member["bits"] = field.bitsize
            member["base"] = field.is_base_class
            members.append(member)
        return members

    # A member that all values of a type share, with its place. Enumerators are named among members, too.
    def static(self, ty, field, depth):
        if hasattr(field, "enumval"):
            return []
        said = {"name": field.name, "bit": 0, "bits": 0, "base": False, "static": True}
        said["type"] = self.type(field.type, 0, depth + 8)
        try:
            shared = gdb.Value(0).cast(ty.pointer()).dereference()[field]
            said["type"] = self.type(shared.type, 0, depth + 8)
            if shared.address is not None:
                said["address"] = int(shared.address)
            elif not shared.is_optimized_out:
                # A constant that is nowhere.
                said["bytes"] = self.bytes(shared)[0].hex()
        except (gdb.error, NotImplementedError, OverflowError):
            pass
        return [said]


