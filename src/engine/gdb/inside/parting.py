# Letting go of a stopped program that another debugger takes over.
import gdb
import json
import os
import signal


class Parting:
    # The calls of ptrace(2), which only the thread that traces may make: this one.
    def tracer(self):
        import ctypes
        library = ctypes.CDLL(None, use_errno=True)
        library.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
        library.ptrace.restype = ctypes.c_long
        return ctypes, library.ptrace

    def can_release(self):
        self.say(lambda: self.tracer() is not None)

    # The general registers of a thread, as the kernel numbers it.
    def kernel_registers(self, number):
        ctypes, ptrace = self.tracer()
        registers = (ctypes.c_ubyte * (27 * 8))()
        ptrace(12, number, None, ctypes.byref(registers))
        return bytes(registers).hex()

    def snapshot(self, thread):
        def work():
            self.select(thread, 0)
            number = gdb.selected_thread().ptid[1]
            return {"thread": number, "registers": self.kernel_registers(number)}
        self.say(work)

    # Executes one instruction of a thread; the signals that came first.
    def step(self, number):
        ctypes, ptrace = self.tracer()
        before = self.kernel_registers(number)
        signals = []
        for _ in range(16):
            if ptrace(9, number, None, None) != 0:
                break
            _, status = os.waitpid(number, 0x40000000)
            if not os.WIFSTOPPED(status) or os.WSTOPSIG(status) == signal.SIGTRAP:
                break
            if os.WSTOPSIG(status) != signal.SIGSTOP:
                signals.append(os.WSTOPSIG(status))
            if self.kernel_registers(number) != before:
                break
        return signals

    # The signals that wait for a thread and that it does not block, as bits, of which the lowest is signal 1.
    def waiting(self, number):
        masks = {"SigPnd": 0, "ShdPnd": 0, "SigBlk": 0}
        with open("/proc/%d/status" % number) as status:
            for line in status:
                name, _, digits = line.partition(":")
                if name in masks:
                    masks[name] = int(digits, 16)
        return (masks["SigPnd"] | masks["ShdPnd"]) & ~masks["SigBlk"]

    # Has a thread report the signals that wait for it: most come before the stop signal does, and would reach the
    # program when nobody traces it. It executes nothing, since it has them to report first.
    def hear_waiting(self, number):
        ctypes, ptrace = self.tracer()
        heard = []
        for _ in range(64):
            waiting = self.waiting(number)
            if not waiting & ~(1 << signal.SIGSTOP - 1) or waiting & 1 << signal.SIGTRAP - 1:
                break
            if ptrace(7, number, None, None) != 0:
                break
            _, status = os.waitpid(number, 0x40000000)
            if not os.WIFSTOPPED(status):
                break
            if os.WSTOPSIG(status) != signal.SIGSTOP:
                heard.append(os.WSTOPSIG(status))
        return heard

    # Gets the program ready to be let go: the signal that each thread was stopped for. Those whose registers are still
    # as given were resumed and came no further: they execute the instruction they are at.
    def ready(self, digits):
        def work():
            ctypes, ptrace = self.tracer()
            told = {shot["thread"]: shot["registers"] for shot in json.loads(self.text(digits))}
            ready = []
            for thread in gdb.selected_inferior().threads():
                number = thread.ptid[1]
                information = (ctypes.c_int * 32)()
                known = ptrace(0x4202, number, None, ctypes.byref(information)) == 0
                said = {"thread": number, "signal": information[0] if known else 0, "unheard": []}
                if number in told and self.kernel_registers(number) == told[number]:
                    said["unheard"] += self.step(number)
                said["unheard"] += self.hear_waiting(number)
                ready.append(said)
            return ready
        self.say(work)

    # Lets go of every thread.
    def release(self):
        def work():
            _, ptrace = self.tracer()
            return [ptrace(17, thread.ptid[1], None, None) for thread in gdb.selected_inferior().threads()]
        self.say(work)

    # What stays the same of a frame while it is there: the stack pointer of the frame it returns to; 0 of the outermost.
    def base(self, frame):
        while frame is not None and frame.type() == gdb.INLINE_FRAME:
            frame = frame.older()
        older = frame.older() if frame is not None else None
        return 0 if older is None else int(older.read_register("rsp")) & (1 << 64) - 1

    def frame_place(self, thread, level):
        def work():
            frame = self.select(thread, level)
            return {"base": self.base(frame), "function": frame.name()}
        self.say(work)

    def level_of(self, thread, base, digits):
        def work():
            function = json.loads(self.text(digits))
            frame, level = self.select(thread, 0), 0
            while frame is not None:
                if frame.name() == function and self.base(frame) == base:
                    return level
                frame, level = frame.older(), level + 1
            return None
        self.say(work)


