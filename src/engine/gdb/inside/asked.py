# Runs inside of gdb: evaluates an expression once, and says of what comes out its type and its place or bytes, as gdb
# knows them, in one line of JSON. Works with the Python interface of gdb 9 and later.
import gdb
import json
import struct


class Rankscope(Shown, Types, Content, Parting, Instructions):
    LINE = "rankscope:"
    GONE = "<optimized out>"
    # Nobody interrupts gdb: it is how it gives up a command.
    INTERNAL = "gdb has run into an error of its own"
    UNINITIALIZED = " [uninitialized] "
    # Pointers to these are known by the quotes.
    CHARACTERS = ("char", "wchar_t", "char16_t", "char32_t")
    # gdb's own setting would also leave addresses out of frames and breakpoints.
    shows_addresses = True
    # Languages whose values can be said as data; what others write is shown in gdb's words.
    SAID_AS_DATA = ("c", "c++", "fortran", "asm", "minimal", "objective-c", "opencl")

    def say(self, work):
        try:
            self.printed_types = {}
            self.left = max(self.MOST_PARTS, 10 * self.most_held())
            self.past = False
            answer = self.unprinted(work) if self.setting("print raw-values") else work()
        except gdb.error as error:
            answer = {"error": str(error)}
        except KeyboardInterrupt:
            answer = {"error": self.INTERNAL}
        except Exception as error:
            answer = {"error": "%s: %s" % (type(error).__name__, error)}
        print(self.LINE + json.dumps(answer))

    # A setting that an older gdb may lack.
    def setting(self, name):
        try:
            return gdb.parameter(name)
        except RuntimeError:
            return None

    def text(self, digits):
        return bytes.fromhex(digits).decode("utf-8", "replace")

    def select(self, thread, level):
        for known in gdb.selected_inferior().threads():
            if getattr(known, "global_num", known.num) == thread:
                # A thread of the host hides those of its GPU that execute its kernel.
                if gdb.selected_thread() is None or gdb.selected_thread().num != known.num:
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
        self.language = self.current_language()
        return frame

    # "The current source language is "auto; currently fortran"."
    def current_language(self):
        said = gdb.execute("show language", to_string=True).split('"')
        return said[1].split()[-1] if len(said) > 1 else "c"

    # What is asked for.

    # `kept`: the value becomes the last of the history.
    def evaluate(self, thread, level, digits, kept, raw):
        def work():
            self.select(thread, level)
            value = gdb.parse_and_eval(self.text(digits))
            # What was taken down before, as gdb has it, not what has become of it.
            self.past = not value.is_lazy
            if kept:
                self.keep(value)
            value = self.dynamic(value, kept)
            answer = self.unprinted(lambda: self.told(value, True)) if raw else self.told(value, True)
            if self.is_uninitialized(self.text(digits)):
                answer["text"] = self.UNINITIALIZED + self.words(value, False)
            return answer
        self.say(work)

    # Where a value is, for its bytes: nothing of it is printed.
    def place(self, thread, level, digits):
        def work():
            self.select(thread, level)
            # What is taken from memory stays there, and only its place is asked for; values of gdb's own have none.
            value = self.sized(lambda: gdb.parse_and_eval(self.text(digits)))
            self.past = "$" in self.text(digits) and not value.is_lazy
            if value.type.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
                value = value.referenced_value()
            if value.is_optimized_out:
                raise gdb.error("value has been optimized out")
            if not self.expressible(value.type.strip_typedefs()):
                raise gdb.error("the bytes of a %s are not known" % value.type)
            answer = {"type_name": str(value.type), "language": self.language}
            answer.update(self.unprinted(lambda: self.leaf(value)))
            return answer
        self.say(work)

    MOST_BYTES = 1 << 28

    # With room for an array that is too long to be printed; gdb reads `a[0]@n` whole.
    def sized(self, work):
        usual = self.setting("max-value-size")
        gdb.execute("set max-value-size %d" % self.MOST_BYTES)
        try:
            return work()
        finally:
            gdb.execute("set max-value-size %s" % ("unlimited" if usual is None or usual < 0 else usual))

    # An object with the class that it has now, where the user wants that; `prints`: also pointers, which change with it.
    def dynamic(self, value, prints):
        if not self.setting("print object"):
            return value
        try:
            code, dynamic = value.type.strip_typedefs().code, value.dynamic_type
            if dynamic == value.type:
                return value
            if code == gdb.TYPE_CODE_PTR:
                return value.cast(self.qualified(value.type, dynamic)) if prints else value
            if code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
                return self.whole(value.referenced_value(), dynamic.target()).reference_value()
            return self.whole(value, dynamic)
        except (gdb.error, RuntimeError, ValueError, AttributeError):
            return value

    # The class of an object has none of the qualifiers that the pointer's target has.
    def qualified(self, pointer, dynamic):
        of, target = pointer.strip_typedefs().target(), dynamic.target()
        target = target.const() if of == of.const() else target
        target = target.volatile() if of == of.volatile() else target
        return target.pointer()

    def whole(self, value, ty):
        return value.address.cast(ty.pointer()).dereference()

    # Does something as if there were no pretty-printers.
    def unprinted(self, work):
        holders = [gdb] + gdb.progspaces() + gdb.objfiles()
        printers = [holder.pretty_printers for holder in holders]
        types, self.printed_types = self.printed_types, {}
        try:
            for holder in holders:
                holder.pretty_printers = []
            return work()
        finally:
            for holder, kept in zip(holders, printers):
                holder.pretty_printers = kept
            self.printed_types = types

    # Values do not tell it, only "print" of a name does.
    def is_uninitialized(self, expression):
        if not expression.isidentifier():
            return False
        try:
            return gdb.execute("output " + expression, to_string=True).startswith(self.UNINITIALIZED)
        except gdb.error:
            return False

    def keep(self, value):
        if hasattr(gdb, "add_history"):
            gdb.add_history(value)
            return
        # gdb 11 and before: only "print" adds to it.
        gdb.set_convenience_variable("_rankscope", value)
        gdb.execute("print $_rankscope", to_string=True)

    def names(self, thread, level, all_digits):
        def work():
            self.select(thread, level)
            return [self.named(self.text(digits), lambda: gdb.parse_and_eval(self.text(digits))) for digits in all_digits]
        self.say(work)

    # An address with its symbol, as pointers are shown.
    def symbol(self, address):
        self.say(lambda: self.pointer(address))

    def pointer(self, address):
        return gdb.Value(address).cast(gdb.lookup_type("void").pointer()).format_string(symbols=True)

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
            block = self.block(frame, level)
            if block.function is None and arguments and not self.is_in_function(block):
                return found
            while block is not None:
                symbols = [s for s in block if s.is_argument == arguments and self.is_value(s)]
                if not arguments:
                    symbols.sort(key=lambda symbol: symbol.line)
                for symbol in symbols:
                    meant = self.meant(symbol, block)
                    found.append(self.named(symbol.print_name, lambda: meant.value(frame), meant.type))
                if block.function is not None:
                    break
                block = block.superblock
            return found
        self.say(work)

    # Of code that is in no function, as thunks are, gdb shows the variables of the file.
    def block(self, frame, level):
        try:
            return frame.block()
        except RuntimeError:
            block = gdb.block_for_pc(frame.pc() - (1 if level else 0))
            if block is None:
                raise gdb.error("No symbol table info available.")
            return block

    def is_in_function(self, block):
        while block is not None and block.function is None:
            block = block.superblock
        return block is not None

    # gdb looks arguments up again by name: of a parameter pack, whose all have one, it shows the same for each.
    def meant(self, symbol, block):
        if not symbol.is_argument:
            return symbol
        named = gdb.lookup_symbol(symbol.name, block)[0]
        return named if named is not None and named.is_argument else symbol

    # Of a variable that was optimised into a number this is all there is. One that is a constant of many bytes is not in
    # gdb's lists; it may be asked for by its name.
    def is_value(self, symbol):
        if symbol.addr_class == gdb.SYMBOL_LOC_CONST_BYTES:
            return symbol.is_argument
        return symbol.is_variable or symbol.is_argument or symbol.is_constant

    def named(self, name, work, declared=None):
        try:
            return {"name": name, "value": self.told(work())}
        except (gdb.error, KeyboardInterrupt) as error:
            why = str(error) if isinstance(error, gdb.error) else self.INTERNAL
            return {"name": name, "value": {"error": why, "type_name": str(declared or "")}}

    # Values.

    # gdb gives up on a base class of a value in pieces when it does not have them all yet.
    def told(self, value, outermost=False):
        try:
            return self.value(value, outermost)
        except KeyboardInterrupt:
            value.fetch_lazy()
            return self.value(value, outermost)

    # `outermost`: not one of a list, so gdb says the type of a pointer.
    def value(self, value, outermost=False):
        answer = {"type_name": str(value.type), "language": self.language}
        plain = value.type.strip_typedefs()
        if value.is_optimized_out and not self.is_half_there(value, plain):
            answer["type"] = self.type(value.type)
            answer["optimized_out"] = True
            said = self.printed(value) if outermost else self.GONE
            if said != self.GONE:
                # A pointer of which a part is there: gdb says its type.
                answer["text"] = said
            return answer
        if not self.expressible(plain):
            answer["text"] = self.words(value, outermost)
            return answer
        if self.is_printed(value):
            answer["text"] = self.words(value, outermost)
            if not answer["text"]:
                answer["text"] = self.mishap(value)
            # As gdb's text must be, where no type is said.
            answer["plain_text"] = self.words(value, False)
            try:
                answer["shown"] = self.shown(value, 0)
            except (gdb.error, RuntimeError, ValueError, TypeError, NotImplementedError):
                pass
            return answer
        answer.update(self.leaf(value, outermost))
        if "text" not in answer:
            self.add_words(answer, value, outermost)
        return answer

    # What gdb writes: should data not come to the same, this is what is said.
    def add_words(self, answer, value, outermost):
        try:
            answer["plain_text"] = self.words(value, False)
        except UnicodeError:
            # Text of the program that Python cannot have.
            return
        answer["otherwise"] = self.typed(answer["plain_text"], value, outermost)

    # Where a pretty-printer fails gdb says so on its console, and shows nothing.
    def mishap(self, value):
        try:
            printer = gdb.default_visualizer(value)
            if hasattr(printer, "to_string"):
                printer.to_string()
        except Exception as error:
            return "Python Exception %s: %s" % (type(error), error)
        return ""

    def printed(self, value):
        gdb.set_convenience_variable("_rankscope", value)
        return gdb.execute("output $_rankscope", to_string=True)

    def is_half_there(self, value, plain):
        if not self.is_composed(plain):
            return False
        return self.printed(value) != self.GONE

    def is_composed(self, ty):
        return ty.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ARRAY)

    # A value without a pretty-printer in it: its type, and where it is or its bytes.
    def leaf(self, value, outermost=False):
        plain = value.type.strip_typedefs()
        answer = {"type": self.type(value.type)}
        if plain.code == gdb.TYPE_CODE_FLAGS:
            answer["type"]["values"] = self.flags(value)
        if plain.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            try:
                value.referenced_value().fetch_lazy()
            except gdb.MemoryError as error:
                answer["text"] = self.typed("<error reading variable: %s>" % error, value, outermost)
                return answer
            address = value.referenced_value().address
            if address is None:
                # What it refers to is in no memory.
                answer["text"] = self.words(value, outermost)
            else:
                answer["bytes"] = struct.pack("<Q", int(address)).hex()
            return answer
        # gdb gives addresses to bit-fields and to results of pointer arithmetic, too: numbers are asked for themselves.
        number = plain.code in self.NUMBERS and plain.sizeof <= 8
        address = None if number or self.past or plain.code == gdb.TYPE_CODE_VOID else value.address
        if address is not None:
            answer["address"] = int(address)
            if self.language == "fortran" and plain.code == gdb.TYPE_CODE_ARRAY:
                self.close_up(answer, value, outermost)
            return answer
        try:
            content, known = self.bytes(value)
            answer["bytes"] = content.hex()
            if not all(known):
                answer["known"] = bytes(known).hex()
        except (NotImplementedError, OverflowError, ValueError):
            answer["text"] = self.words(value, outermost)
        return answer

    def close_up(self, answer, value, outermost):
        try:
            closed = self.without_gaps(value, answer["type"])
        except (gdb.error, NotImplementedError):
            answer["text"] = self.words(value, outermost)
            return
        if closed is not None:
            answer["type"], content = closed
            answer["bytes"] = content.hex()
            del answer["address"]

    def words(self, value, outermost):
        try:
            # As gdb's "print" does: references show what they refer to.
            hidden = {} if self.shows_addresses else {"address": False}
            text = value.format_string(max_elements=gdb.parameter("print elements") or 0, deref_refs=True, **hidden)
        except (AttributeError, TypeError):
            text = str(value)
        return self.typed(text, value, outermost and gdb.default_visualizer(value) is None)

    # With the type that gdb's "print" puts before addresses.
    def typed(self, text, value, outermost):
        plain = value.type.strip_typedefs()
        if not outermost or plain.code not in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            return text
        if value.type.unqualified().code == gdb.TYPE_CODE_PTR and value.type.target().name in self.CHARACTERS:
            return text
        return "(%s) %s" % (value.type, text)

    def expressible(self, plain):
        if self.language not in self.SAID_AS_DATA:
            return False
        if self.language == "fortran" and not self.is_plain_fortran(plain):
            return False
        little = "little" in gdb.execute("show endian", to_string=True)
        return little and gdb.lookup_type("char").pointer().sizeof == 8

    # Arrays that are not there, and addresses of one-byte integers, which gdb takes for text.
    def is_plain_fortran(self, plain):
        if plain.code == gdb.TYPE_CODE_ARRAY:
            low, high = self.bounds(plain)
            return high is not None and self.is_plain_fortran(plain.target().strip_typedefs())
        if plain.code == gdb.TYPE_CODE_PTR:
            target = plain.target().strip_typedefs()
            return target.code != gdb.TYPE_CODE_INT or target.sizeof != 1
        return True


rankscope = Rankscope()
