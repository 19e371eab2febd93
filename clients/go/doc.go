// Package hakam is a client of Hakam, the referee of Tjau, Trix and Jackaroo.
//
// A [Client] is one connection to the service, whatever the number of its replicas. It gives calls a
// deadline, sends them again where a replica ends, dies or falls silent, and turns errors into
// [*Error]. A [Game] holds the newest state of one game and the credentials of the seats for which it
// speaks. Both are safe for concurrent use.
//
// There are no rules of any game in this package: what is legal, what happens and what a seat may
// see, the service says. Its messages are in the package hakamv1.
package hakam

//go:generate go run ./internal/generate
