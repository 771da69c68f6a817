# Instructions of the program as text.
import gdb
import re


class Instructions:
    # "=> 0x000055555555512d <+4>:	mov    $0x0,%eax"
    INSTRUCTION = re.compile(r"^(?:=>)?\s*0x([0-9a-f]+)[^:\t]*(?:<[^\t]*>)?:\t(.*)$")

    # `count` instructions from an address on, or with none all of the function that it is in.
    def instructions(self, thread, level, start, count, end):
        def work():
            frame = self.select(thread, level)
            here = frame.pc()
            first = here if start is None else start
            found = self.function(first) if count is None else self.counted(frame, first, count, end)
            architecture = frame.architecture()
            return [self.instruction(architecture, one, one[0] == here) for one in found]
        self.say(work)

    # The `before` instructions before an address, and `count` from it on.
    def code_page(self, thread, level, at, before, count):
        def work():
            frame = self.select(thread, level)
            here = frame.pc()
            first = here if at is None else at
            architecture = frame.architecture()
            found = self.preceding(architecture, first, before)
            try:
                found += self.counted(frame, first, count, None)
            except gdb.MemoryError:
                if not found:
                    raise
            return [self.instruction(architecture, one, one[0] == here) for one in found]
        self.say(work)

    # Boundaries between instructions are certain from the start of a function on; without one, those are taken that lead
    # to the address.
    FURTHEST = 1 << 16

    def preceding(self, architecture, end, count):
        found = []
        while len(found) < count and end > 0:
            symbol = re.search(r"<.*\+(\d+)>$", self.pointer(end - 1))
            offset = int(symbol.group(1)) if symbol else 0 if "<" in self.pointer(end - 1) else None
            if offset is not None and offset <= self.FURTHEST:
                lengths = [offset + 1]
            else:
                lengths = range(min(64, end), 0, -1)
            part = next((part for part in (self.leading_to(architecture, end, length) for length in lengths) if part), None)
            if part is None:
                break
            found = part + found
            end = part[0][0]
        return found[-count:] if count else []

    def leading_to(self, architecture, end, length):
        try:
            decoded = architecture.disassemble(end - length, end - 1)
        except gdb.MemoryError:
            return None
        last = decoded[-1]
        if last["addr"] + last["length"] != end:
            return None
        return [(one["addr"], one["asm"], one["length"]) for one in decoded]

    def function(self, address):
        lines = gdb.execute("disassemble %d" % address, to_string=True).splitlines()
        matches = [self.INSTRUCTION.match(line) for line in lines]
        found = [(int(match.group(1), 16), match.group(2)) for match in matches if match]
        # Each ends where the next begins.
        ends = [address for address, _ in found[1:]] + [None]
        return [(address, text, end and end - address) for (address, text), end in zip(found, ends)]

    def counted(self, frame, address, count, end):
        found = []
        while len(found) < count and (end is None or address < end):
            try:
                one = frame.architecture().disassemble(address, count=1)[0]
            except gdb.MemoryError:
                if not found:
                    raise gdb.MemoryError("Cannot access memory at address 0x%x" % address)
                # Up to the end of what is mapped.
                break
            found.append((address, one["asm"], one["length"]))
            address += one["length"]
        return found

    def instruction(self, architecture, one, current):
        address, text, length = one
        line = gdb.find_pc_line(address)
        length = length or architecture.disassemble(address, count=1)[0]["length"]
        said = {"address": address, "text": text.rstrip(), "current": current, "symbol": self.pointer(address)}
        said["bytes"] = bytes(gdb.selected_inferior().read_memory(address, length)).hex()
        if line.symtab is not None and line.line:
            said["file"], said["line"] = line.symtab.fullname(), line.line
        return said


