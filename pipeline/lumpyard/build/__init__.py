"""From a plan to its archive, and to nothing at all where that is there already (design.md, section 4).

A task runner asks `task`; that looks at stats (`state`), then opens a `session`, and `outputs` writes what is to be
written. The modules by what they are for; groups with more than a few are packages, and rest on those below them:

    tasks       task, outputs, session, project, state
    reasons     explain, causes, codes (of problems)
    release     shipping, lockfile, released, gone, reports, ship_report, budgets, idle_budgets, measured, verifying
    packing     pack (all lumps of an archive), layouts, job, worker, placing, writing_chunks, behind,
                splice (chunks copied whole), packed (on the way to a finished file), read_back, checking, identity
    earlier     record (what was built last), reuse, keeping
    lumps       look (what is known of each), making (any lump), plain (the short way of most), slots, terms, codecs,
                encode, blocks
    cooking     cooks (found or made), precooking, cook (one run of a rule), products, watching, world, tally
    tools       resolving, staging, depfiles
    sources     tree (folders, scanned once), layers, overlay, archived, entry_tree, scans, scouting, fingerprints,
                source_errors
    workers     parallel, forking, interrupting, progress
    ground      shapes (a lump on its way), asks, statefile, runs, variables, memory
"""
