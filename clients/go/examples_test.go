package hakam_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const first = "examples/first/main.go"

func TestTheReadmeShowsTheFirstExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindSubmatch(readme)
	if block == nil || string(block[1]) != string(code) {
		t.Errorf("the first block is not %s", first)
	}
}

func TestTheFirstExampleRuns(t *testing.T) {
	code, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	here := strings.Replace(string(code), "127.0.0.1:50051", address, 1)
	if said := run(t, "-overlay", overlay(t, first, here), "./examples/first"); !strings.HasPrefix(said, "throw ") {
		t.Error(said)
	}
}

func TestTheExampleOfWholeGamesRuns(t *testing.T) {
	said := run(t, "./examples/games", address)
	for _, game := range []string{"tjau", "trix", "jackaroo"} {
		if !strings.Contains(said, "game="+game) {
			t.Errorf("there is no %s in %s", game, said)
		}
	}
}

func run(t *testing.T, arguments ...string) string {
	t.Helper()
	command := exec.Command("go", append([]string{"run"}, arguments...)...)
	said, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return string(said)
}

// overlay is a file for the go command that has other content in the place of a file.
func overlay(t *testing.T, path, content string) string {
	t.Helper()
	folder := t.TempDir()
	other, list := filepath.Join(folder, "main.go"), filepath.Join(folder, "overlay.json")
	listed, err := json.Marshal(map[string]map[string]string{"Replace": {path: other}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{other: []byte(content), list: listed} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return list
}
