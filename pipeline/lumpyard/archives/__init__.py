"""Archives of all formats, decoded from buffers and encoded to bytes; nothing here opens a file (docs/formats.md).

Formats are packages that do not import each other; what they share stands beside them:

    any archive         model, opening, detect (the three formats that start with PACK), naming, verifying, findings,
                        structure (what of a file is no lump), identity (content ids)
    all but EWAD, MPQ   directory, ranges, cap, writing
    WADs                flat, flat_writing
    PAK, DAIKATANA      pathed, pathed_writing, pathed_oddities, path_names
"""
