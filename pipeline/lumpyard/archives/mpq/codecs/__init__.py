"""The compression methods of MPQ sectors, each a pure function from stored bytes to raw bytes.

`chain` undoes what a sector's first byte names; `explode` is also what files with the flag IMPLODE use, without
such a byte. Every decoder takes the most bytes that may come out, stops there, and raises MalformedError or
UnsupportedError and nothing else. Bytes behind the end of a stream are ignored, as all readers of the format do.
"""
