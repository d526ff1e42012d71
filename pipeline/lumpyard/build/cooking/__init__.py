"""Running rules: what a cook is asked, what it answers, and what earlier cooks left."""
