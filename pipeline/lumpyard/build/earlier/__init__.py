"""What earlier builds left: records of archives, and their bytes."""
