package main

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"google.golang.org/protobuf/encoding/protojson"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

// largestRequest is more than any request of a player's needs.
const largestRequest = 1 << 16

// routes are what the backend serves.
func routes(table *table, news *news) http.Handler {
	mux := http.NewServeMux()
	// {"rules": hakam.v1.Rules, "bots": [1, 3]} begins a match.
	mux.HandleFunc("POST /matches", func(w http.ResponseWriter, r *http.Request) {
		var wanted struct {
			Rules json.RawMessage
			Bots  []int32
		}
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, largestRequest)).Decode(&wanted); err != nil {
			http.Error(w, "the body is no such JSON", http.StatusBadRequest)
			return
		}
		rules := &hakamv1.Rules{}
		if err := protojson.Unmarshal(wanted.Rules, rules); err != nil {
			http.Error(w, "rules are no hakam.v1.Rules", http.StatusBadRequest)
			return
		}
		match, err := table.create(r.Context(), rules, wanted.Bots)
		answer(w, map[string]any{"match": match}, err)
	})
	// Takes a free seat of a match.
	mux.HandleFunc("POST /matches/{match}/seats", func(w http.ResponseWriter, r *http.Request) {
		seat, token, err := table.join(r.Context(), r.PathValue("match"))
		answer(w, map[string]any{"seat": seat, "token": token}, err)
	})
	// Whoever opens a socket sends a hello first.
	mux.HandleFunc("GET /socket", func(w http.ResponseWriter, r *http.Request) {
		serve(w, r, table, news)
	})
	return mux
}

func answer(w http.ResponseWriter, content any, err error) {
	switch refused, _ := errors.AsType[*hakam.Error](err); {
	case err == nil:
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(content)
	case errors.Is(err, errNoSeat):
		http.Error(w, err.Error(), http.StatusNotFound)
	case errors.Is(err, hakam.ErrInvalidRequest):
		http.Error(w, refused.Text, http.StatusBadRequest)
	default:
		slog.Error("request", "error", err)
		http.Error(w, "not now", http.StatusServiceUnavailable)
	}
}
