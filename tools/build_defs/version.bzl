"""The version of Isthmus, for the wheel, the command line and the C++ library."""

VERSION = "0.1.0"
