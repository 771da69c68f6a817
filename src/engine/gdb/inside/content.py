# The bytes of values that are not in memory.
import gdb
import struct
from decimal import Decimal
from fractions import Fraction


class Content:
    MOST_BYTES = 65536
    NUMBERS = (
        gdb.TYPE_CODE_INT,
        gdb.TYPE_CODE_CHAR,
        gdb.TYPE_CODE_BOOL,
        gdb.TYPE_CODE_ENUM,
        gdb.TYPE_CODE_PTR,
        gdb.TYPE_CODE_RANGE,
    )

    # Its bytes, and which of them are known.
    def bytes(self, value):
        ty = value.type.strip_typedefs()
        size = ty.sizeof
        if size > self.MOST_BYTES:
            raise NotImplementedError()
        code = ty.code
        if value.is_optimized_out and not self.is_composed(ty):
            return bytes(size), bytearray(size)
        content = None if value.is_optimized_out else getattr(value, "bytes", None)
        if content is not None:
            return bytes(content), bytearray(b"\1" * size)
        content, known = bytearray(size), bytearray(b"\1" * size)
        if code == gdb.TYPE_CODE_VOID:
            return b"", bytearray()
        if code == gdb.TYPE_CODE_FLT:
            return self.real(value, size), known
        if code == gdb.TYPE_CODE_FLAGS:
            return int(value.format_string(format="x"), 16).to_bytes(size, "little"), known
        if code == gdb.TYPE_CODE_PTR and "<synthetic" in value.format_string():
            raise NotImplementedError()
        if code in self.NUMBERS:
            return (int(value) & ((1 << 8 * size) - 1)).to_bytes(size, "little"), known
        if code == gdb.TYPE_CODE_COMPLEX:
            return self.bytes(self.halves(value, ty))
        if code == gdb.TYPE_CODE_STRING:
            return self.characters(value, ty), known
        if code == gdb.TYPE_CODE_ARRAY:
            low, high = ty.range()
            part = ty.target().sizeof
            for index in range(low, high + 1):
                at = (index - low) * part
                content[at:at + part], known[at:at + part] = self.bytes(value[index])
            return bytes(content), known
        if code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            fields = [field for field in ty.fields() if hasattr(field, "bitpos")]
            if code == gdb.TYPE_CODE_UNION and value.is_optimized_out:
                return self.united(value, fields, content)
            if code == gdb.TYPE_CODE_UNION:
                return self.largest(value, [field for field in fields if field.type.sizeof == size])
            told = False
            for field in fields:
                if field.bitpos is None:
                    raise NotImplementedError()
                at = field.bitpos // 8
                if field.bitsize:
                    length = (field.bitpos % 8 + field.bitsize + 7) // 8
                    if value[field].is_optimized_out:
                        known[at:at + length] = bytes(length)
                        continue
                    told = True
                    bits = int(value[field]) & ((1 << field.bitsize) - 1)
                    old = int.from_bytes(content[at:at + length], "little")
                    content[at:at + length] = (old | bits << field.bitpos % 8).to_bytes(length, "little")
                else:
                    part = field.type.sizeof
                    content[at:at + part], known[at:at + part] = self.bytes(value[field])
                    told = told or any(known[at:at + part])
            # What lies between members is not known when they are not.
            return bytes(content), known if told or not fields else bytearray(size)
        raise NotImplementedError()

    # An array of Fortran whose elements have gaps between them, as one that has none: its type and its bytes.
    def without_gaps(self, value, said):
        dimensions, part, start = [], value, int(value.address)
        while part.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
            low, high = self.bounds(part.type.strip_typedefs())
            if high is None or high < low:
                return None
            first = part[low]
            step = int(part[low + 1].address) - int(first.address) if high > low else None
            dimensions.append((high - low + 1, step))
            # Subscripts of Python begin at the end of one that goes backwards, and what is shown does not.
            start += max(-(step or 0), 0) * (high - low)
            part = first
        size = natural = part.type.sizeof
        for count, step in reversed(dimensions):
            if step not in (None, natural):
                break
            natural *= count
        else:
            return None
        if natural > self.MOST_BYTES:
            raise NotImplementedError()
        addresses = [start]
        for count, step in dimensions:
            addresses = [address + index * (step or 0) for address in addresses for index in range(count)]
            if len(addresses) * size > self.MOST_BYTES:
                raise NotImplementedError()
        memory = gdb.selected_inferior()
        content = b"".join(bytes(memory.read_memory(address, size)) for address in addresses)
        return self.resized(said, [count for count, _ in dimensions], size), content

    def resized(self, said, counts, size):
        if not counts:
            return said
        of = self.resized(said["of"], counts[1:], size)
        for count in counts:
            size *= count
        return dict(said, size=size, of=of)

    # The real part and the imaginary one.
    def halves(self, value, ty):
        try:
            return value.cast(ty.target().array(1))
        except gdb.error:
            raise NotImplementedError()

    # Of text of Fortran, which Python cannot take apart, and gdb's expressions can.
    def characters(self, value, ty):
        low, high = self.bounds(ty)
        if high is None:
            raise NotImplementedError()
        gdb.set_convenience_variable("_rankscope", value)
        try:
            return bytes(int(gdb.parse_and_eval("$_rankscope(%d)" % index)) & 0xFF for index in range(low, high + 1))
        except gdb.error:
            raise NotImplementedError()

    # Of a union what any member knows.
    def united(self, value, fields, content):
        known = bytearray(len(content))
        for field in fields:
            try:
                part, there = self.bytes(value[field])
            except (gdb.error, NotImplementedError):
                continue
            for at, byte in enumerate(part):
                if there[at]:
                    content[at], known[at] = byte, 1
        return bytes(content), known

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


