"""What commands and doit tasks print: text for people, data for programs; values in, text out.

The modules by what they print:

    any text    escape (names that are safe to print), terminal, tables, sizes, signed, suggest, markdown, pages
    problems    problems (with the line and a caret), annotations (SARIF, GitHub), meanings (of codes)
    progress    progress, running, moving
    reports     size_report, size_markdown, size_page, size_maps, size_words
    diffs       diff_text, diff_markdown, diff_page, diff_maps, diff_walk, diff_words
    maps        map_findings, map_statistics, map_changes, map_words

All that comes from archives and folders goes through `escape` first.
"""
