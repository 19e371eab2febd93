package hakam

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hakam-referee/hakam/clients/go/internal/serving"
)

func TestTheServiceConfigIsTheShippedOne(t *testing.T) {
	shipped, err := os.ReadFile(filepath.Join(serving.Top(), "deploy/client/service_config.json"))
	if err != nil {
		t.Fatal(err)
	}
	if string(shipped) != serviceConfig {
		t.Error("copy deploy/client/service_config.json")
	}
}

func TestAttemptsHaveTheLimitsOfTheServiceConfig(t *testing.T) {
	read, err := readAttempts(serviceConfig)
	if err != nil {
		t.Fatal(err)
	}
	want := attempts{
		"/hakam.v1.GameService/":                   {2 * time.Second, 5},
		"/hakam.v1.GameService/ReplayGame":         {10 * time.Second, 5},
		"/hakam.v1.GameService/BatchValidateMoves": {10 * time.Second, 5},
		"/hakam.v1.GameService/BatchApplyMoves":    {10 * time.Second, 5},
	}
	if len(read) != len(want) {
		t.Errorf("limits are %v", read)
	}
	for method, limit := range want {
		if read[method] != limit {
			t.Errorf("%s has %v", method, read[method])
		}
	}
}
