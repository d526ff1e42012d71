"""Who works: processes or threads over one list of jobs, and what they tell of how far they are."""
