// Command backend is a small game backend: matches in PostgreSQL, players on WebSockets, Hakam for
// every question about the rules. It keeps nothing of its own, so any number of it serve one match.
package main

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	hakam "github.com/hakam-referee/hakam/clients/go"
)

func main() {
	slog.SetDefault(slog.New(slog.NewJSONHandler(os.Stderr, nil)))
	listen := flag.String("listen", "127.0.0.1:8080", "where to serve")
	database := flag.String("database", "", "PostgreSQL, as a URL or as keywords and values")
	referee := flag.String("hakam", "127.0.0.1:50051", "Hakam, HOST:PORT with commas between several")
	var pace pace
	flag.DurationVar(&pace.turn, "turn", 30*time.Second, "how long a player may think; then the safe move is played")
	flag.DurationVar(&pace.bot, "bot", time.Second, "how long a bot seems to think")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *listen, *database, *referee, pace); err != nil {
		slog.Error("ended", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, listen, database, referee string, pace pace) error {
	client, err := hakam.New(referee, hakam.WithPlaintext())
	if err != nil {
		return err
	}
	defer client.Close()
	db, err := pgxpool.New(ctx, database)
	if err != nil {
		return err
	}
	defer db.Close()
	table := &table{db: db, hakam: client, pace: pace}
	if err := table.prepare(ctx); err != nil {
		return err
	}
	news := newNews()
	go news.listen(ctx, database)
	for range watchers {
		go table.watch(ctx, news)
	}

	socket, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           routes(table, news),
		ReadHeaderTimeout: 5 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	context.AfterFunc(ctx, func() { server.Close() })
	slog.Info("serving", "address", socket.Addr().String())
	if err := server.Serve(socket); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
