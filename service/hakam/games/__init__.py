"""The rules of the games: pure Python, no I/O. See `game.py` for the laws and the protocol."""
