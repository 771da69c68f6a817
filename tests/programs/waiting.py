# Python that waits in a function of C, called from Python.
import ctypes
import sys

ctypes.CDLL(sys.argv[1]).wait_for_nothing()
