"""Between the wire's messages and the games' own types, one module a game.

A codec only moves fields: it says what is missing, and leaves every judgement to the rules.
"""
