"""The codes of Daikatana's compression, a stream of bytes.

    code        then                means
    0 to 63     code + 1 bytes      these bytes (1 to 64)
    64 to 127   nothing             code - 62 zeros (2 to 65)
    128 to 191  a byte              it code - 126 times (2 to 65)
    192 to 253  a byte, distance    code - 190 bytes (2 to 63) that were written before, the first of them
                                    distance + 2 (2 to 257) bytes before the next one to write
    254         undefined           refused; a lenient reader skips it, as the programs do that were tried
    255         nothing             the end

A reference that is longer than its distance is read in different ways: some programs repeat bytes, which is what is
read here, some write zeros, one stops. The encoder writes none.

Source: "Description of Daikatana .pak format".
"""

LITERALS, ZEROS, RUN, REFERENCE, UNDEFINED, END = 0, 64, 128, 192, 254, 255  # first code of each
ZEROS_LESS = 62  # what is subtracted from a code to get its length; of literals one is added
RUN_LESS = 126
REFERENCE_LESS = 190
DISTANCE_MORE = 2  # what is added to the distance byte
MAX_LITERALS = 64
MAX_RUN = 65  # of zeros, too
MAX_REFERENCE = 63
MAX_DISTANCE = 257
MIN_LENGTH = 2  # of runs and references
