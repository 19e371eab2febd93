-- A match and its newest state, which nobody but the backends sees. The ply decides races: an UPDATE
-- names the ply that it follows, so of two moves on one state one is kept.
CREATE TABLE IF NOT EXISTS match (
    id    text PRIMARY KEY,
    ply   integer NOT NULL,
    state bytea NOT NULL, -- hakam.v1.State
    turn  bytea NOT NULL, -- hakam.v1.Turn
    due   timestamptz     -- when the safe move is played; none before all have joined, and at the end
);

CREATE INDEX IF NOT EXISTS match_due ON match (due) WHERE due IS NOT NULL;

CREATE TABLE IF NOT EXISTS seat (
    match  text NOT NULL REFERENCES match,
    seat   integer NOT NULL,
    bot    boolean NOT NULL, -- always played for
    sha256 bytea UNIQUE,     -- of the token of whoever took it
    PRIMARY KEY (match, seat)
);

-- How each ply was reached: the events, which are public, for sockets that were away; and the move,
-- by which the match can be verified once its seed is told.
CREATE TABLE IF NOT EXISTS step (
    match  text NOT NULL REFERENCES match,
    ply    integer NOT NULL,
    move   text NOT NULL,  -- as notation; empty at the start
    events jsonb NOT NULL, -- a list of hakam.v1.Event
    PRIMARY KEY (match, ply)
);
