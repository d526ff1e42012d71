"""Archives as pages to look at: one HTML file that needs nothing else, or the same page over a server of this machine.

    subject     an open archive, and what its lumps are called
    kinds       what a lump probably is, by its name and its first bytes
    places      which lumps are parts of maps
    rows        the directory as columns
    embedding   the bytes that go into the page, up to a budget
    assembling  the page's modules as one script
    page        all of it as HTML, with the policy that lets nothing else run
    serving     the page and lumps on request, to this machine alone

What the page itself does stands in `page/`, as JavaScript modules that a browser, and nothing else, needs to read.
"""

MOST_DRAWN = (
    200  # maps of a page, where nobody says; to draw 33,333 takes minutes, and nobody looks at so many
)
