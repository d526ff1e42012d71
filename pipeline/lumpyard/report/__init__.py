"""How large archives are and why, what differs between two, and what they may come to: values, rendered by console."""
