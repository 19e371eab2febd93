"""What keeps the repository consistent: run by `make`, never shipped."""
