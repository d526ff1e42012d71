"""One lump, or all of them by the column: what is known of it, and how it comes to its stored bytes."""
