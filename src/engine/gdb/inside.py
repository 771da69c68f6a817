# Runs inside of gdb: evaluates an expression once, and says of what comes out its type and its place or bytes, as gdb
# knows them, in one line of JSON. Works with the Python interface of gdb 9 and later.
import gdb
import json
import struct
from decimal import Decimal
from fractions import Fraction


class Rankscope:
    LINE = "rankscope:"
    MOST_BYTES = 65536
    NUMBERS = (
        gdb.TYPE_CODE_INT,
        gdb.TYPE_CODE_CHAR,
        gdb.TYPE_CODE_BOOL,
        gdb.TYPE_CODE_ENUM,
        gdb.TYPE_CODE_PTR,
        gdb.TYPE_CODE_RANGE,
    )

    def say(self, work):
        try:
            answer = work()
        except gdb.error as error:
            answer = {"error": str(error)}
        except Exception as error:
            answer = {"error": "%s: %s" % (type(error).__name__, error)}
        print(self.LINE + json.dumps(answer))

    def text(self, digits):
        return bytes.fromhex(digits).decode("utf-8", "replace")

    def select(self, thread, level):
        for known in gdb.selected_inferior().threads():
            if getattr(known, "global_num", known.num) == thread:
                known.switch()
                break
        else:
            raise gdb.error("There is no thread %d." % thread)
        frame = gdb.newest_frame()
        for _ in range(level):
            frame = frame.older()
            if frame is None:
                raise gdb.error("No frame at level %d." % level)
        frame.select()
        return frame

    # What is asked for.

    def evaluate(self, thread, level, digits):
        def work():
            self.select(thread, level)
            return self.value(gdb.parse_and_eval(self.text(digits)))
        self.say(work)

    def names(self, thread, level, all_digits):
        def work():
            self.select(thread, level)
            return [self.named(self.text(digits), lambda: gdb.parse_and_eval(self.text(digits))) for digits in all_digits]
        self.say(work)

    def registers(self, thread, level):
        def work():
            self.select(thread, level)
            lines = gdb.execute("info registers", to_string=True).splitlines()
            names = [line.split()[0] for line in lines if line and not line[0].isspace()]
            return [self.named(name, lambda: gdb.parse_and_eval("$" + name)) for name in names]
        self.say(work)

    def variables(self, thread, level, arguments):
        def work():
            frame = self.select(thread, level)
            found = []
            block = frame.block()
            while block is not None:
                symbols = [s for s in block if s.is_argument == arguments and self.is_value(s)]
                if not arguments:
                    symbols.sort(key=lambda symbol: symbol.line)
                for symbol in symbols:
                    found.append(self.named(symbol.print_name, lambda: symbol.value(frame), symbol.type))
                if block.function is not None:
                    break
                block = block.superblock
            return found
        self.say(work)

    # Of a variable that was optimised into a number this is all there is.
    def is_value(self, symbol):
        return symbol.is_variable or symbol.is_argument or symbol.is_constant

    def named(self, name, work, declared=None):
        try:
            return {"name": name, "value": self.value(work())}
        except gdb.error as error:
            return {"name": name, "value": {"error": str(error), "type_name": str(declared or "")}}

    # Values.

    def value(self, value):
        answer = {"type_name": str(value.type)}
        if value.is_optimized_out:
            answer["type"] = self.type(value.type)
            answer["optimized_out"] = True
            return answer
        printed = gdb.default_visualizer(value) is not None
        plain = value.type.strip_typedefs()
        if value.dynamic_type is not None and plain.code == gdb.TYPE_CODE_STRUCT:
            value = value.cast(value.type)
        answer["type"] = self.type(value.type)
        if plain.code == gdb.TYPE_CODE_FLAGS:
            answer["type"]["values"] = self.flags(value)
        if printed or not self.expressible():
            answer["text"] = self.words(value)
            return answer
        if plain.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            answer["bytes"] = struct.pack("<Q", int(value.referenced_value().address)).hex()
            return answer
        # gdb gives addresses to bit-fields and to results of pointer arithmetic, too: numbers are asked for themselves.
        number = plain.code in self.NUMBERS and plain.sizeof <= 8
        address = None if number or plain.code == gdb.TYPE_CODE_VOID else value.address
        if address is not None:
            answer["address"] = int(address)
            return answer
        try:
            content, known = self.bytes(value)
            answer["bytes"] = content.hex()
            if not all(known):
                answer["known"] = bytes(known).hex()
        except (NotImplementedError, OverflowError, ValueError):
            answer["text"] = self.words(value)
        return answer

    def words(self, value):
        try:
            return value.format_string(max_elements=200)
        except (AttributeError, TypeError):
            return str(value)

    def expressible(self):
        little = "little" in gdb.execute("show endian", to_string=True)
        return little and gdb.lookup_type("char").pointer().sizeof == 8

    # Of a value that is not in memory: its bytes, and which of them are known.
    def bytes(self, value):
        ty = value.type.strip_typedefs()
        size = ty.sizeof
        if size > self.MOST_BYTES:
            raise NotImplementedError()
        if value.is_optimized_out:
            return bytes(size), bytearray(size)
        content = getattr(value, "bytes", None)
        if content is not None:
            return bytes(content), bytearray(b"\1" * size)
        code = ty.code
        content, known = bytearray(size), bytearray(b"\1" * size)
        if code == gdb.TYPE_CODE_VOID:
            return b"", bytearray()
        if code == gdb.TYPE_CODE_FLT:
            return self.real(value, size), known
        if code == gdb.TYPE_CODE_FLAGS:
            return int(value.format_string(format="x"), 16).to_bytes(size, "little"), known
        if code in self.NUMBERS:
            return (int(value) & ((1 << 8 * size) - 1)).to_bytes(size, "little"), known
        if code == gdb.TYPE_CODE_ARRAY:
            low, high = ty.range()
            part = ty.target().sizeof
            for index in range(low, high + 1):
                at = (index - low) * part
                content[at:at + part], known[at:at + part] = self.bytes(value[index])
            return bytes(content), known
        if code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            fields = [field for field in ty.fields() if hasattr(field, "bitpos")]
            if code == gdb.TYPE_CODE_UNION:
                return self.largest(value, [field for field in fields if field.type.sizeof == size])
            for field in fields:
                at = field.bitpos // 8
                if field.bitsize:
                    bits = int(value[field]) & ((1 << field.bitsize) - 1)
                    length = (field.bitpos % 8 + field.bitsize + 7) // 8
                    old = int.from_bytes(content[at:at + length], "little")
                    content[at:at + length] = (old | bits << field.bitpos % 8).to_bytes(length, "little")
                else:
                    part = field.type.sizeof
                    content[at:at + part], known[at:at + part] = self.bytes(value[field])
            return bytes(content), known
        raise NotImplementedError()

    # Members of a union that are as large as it is say the same; numbers of floating point may not say all.
    def largest(self, value, fields):
        def is_real(field):
            ty = field.type.strip_typedefs()
            while ty.code == gdb.TYPE_CODE_ARRAY:
                ty = ty.target().strip_typedefs()
            return ty.code == gdb.TYPE_CODE_FLT
        for field in sorted(fields, key=is_real):
            try:
                return self.bytes(value[field])
            except (gdb.error, NotImplementedError):
                pass
        raise NotImplementedError()

    def real(self, value, size):
        if size == 4:
            return struct.pack("<f", float(value))
        if size == 8:
            return struct.pack("<d", float(value))
        if size not in (10, 12, 16):
            raise NotImplementedError()
        # Extended precision of the x87: 64 bits of mantissa, of which gdb prints enough digits.
        number = Decimal(str(value).split()[0])
        if not number.is_finite():
            raise NotImplementedError()
        sign = 0x8000 if number.is_signed() else 0
        exact = abs(Fraction(number))
        if exact == 0:
            return struct.pack("<QH", 0, sign).ljust(size, b"\0")
        exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
        while exact / Fraction(2) ** exponent >= 2:
            exponent += 1
        while exact / Fraction(2) ** exponent < 1:
            exponent -= 1
        mantissa = round(exact / Fraction(2) ** exponent * 2 ** 63)
        if mantissa >> 64:
            mantissa, exponent = mantissa >> 1, exponent + 1
        if not 0 < exponent + 16383 < 0x7FFF:
            raise NotImplementedError()
        return struct.pack("<QH", mantissa, sign | exponent + 16383).ljust(size, b"\0")

    # Types.

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
            count = None if high is None else max(high - low + 1, 0)
            said.update(kind="array", of=self.type(ty.target(), pointers, depth + 1), low=low, count=count)
        elif code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            said["kind"] = "struct" if code == gdb.TYPE_CODE_STRUCT else "union"
            said["members"] = [] if pointers else self.members(ty, depth)
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
            said["kind"] = "character" if code == gdb.TYPE_CODE_CHAR or size == 1 else "integer"
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
                continue
            member = {"name": field.name, "type": self.type(field.type, 0, depth + 1), "bit": field.bitpos}
            member["bits"] = field.bitsize
            member["base"] = field.is_base_class
            members.append(member)
        return members


rankscope = Rankscope()
