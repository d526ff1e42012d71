"""From a plan to its archive, and to nothing at all where that is there already (design.md, section 4).

A task runner asks `task`; that looks at stats (`state`), then opens a `session`, and `outputs` writes what is to be
written. The modules by what they are for, each group resting on those below it:

    tasks       task, session, outputs, project, state, statefile, runs, variables, memory
    reasons     look (what is known of each lump), explain, causes, codes (of problems)
    releases    shipping, lockfile, released, gone, reports, ship_report, budgets, idle_budgets, measured, verifying
    archives    archive (from a plan to a file of lumps), layouts, job, packing, placing, writing_chunks, behind,
                splice (chunks copied whole), packed (on the way to a finished file), read_back, checking, identity
    workers     parallel, forking, interrupting, tally, progress
    lumps       making (any lump), plain (the short way of most), lumps, slots, terms, codecs, encode, blocks
    leftovers   record (what was built last), reuse, keeping
    cooks       cooks (found or made), precooking, cooking (one cook), products, asks, watching, world
    tools       tools, staging, depfiles
    sources     tree (folders, scanned once), layers, overlay, archived, entry_tree, scans, scouting, fingerprints,
                source_errors
"""
