// Package serving starts the real service for tests.
package serving

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Command names the variable with the command that serves, words with spaces between them.
const Command = "HAKAM_SERVE"

// A Service is a server process on a free port of loopback.
type Service struct {
	// Address is where it serves.
	Address string
	process *exec.Cmd
	ended   chan struct{}
	err     error
}

// Start starts a service with variables, such as HAKAM_TOKENS_FILE=…, and waits until it serves.
func Start(variables ...string) (*Service, error) {
	command := strings.Fields(os.Getenv(Command))
	if len(command) == 0 {
		command = []string{filepath.Join(Top(), ".venv", "bin", "hakam"), "serve"}
	}
	process := exec.Command(command[0], command[1:]...)
	process.Env = append(environment(),
		"HAKAM_PORT=0", "HAKAM_METRICS_PORT=0", "HAKAM_WORKERS=1", "HAKAM_LOG_FORMAT=json")
	process.Env = append(process.Env, variables...)
	log, err := process.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	service := &Service{process: process, ended: make(chan struct{})}
	lines := bufio.NewScanner(log)
	service.Address, err = address(lines)
	if err != nil {
		process.Process.Kill()
		return nil, fmt.Errorf("%s: %w", process, err)
	}
	go func() {
		for lines.Scan() {
			continue // so that the service never waits for a reader
		}
		service.err = process.Wait()
		close(service.ended)
	}()
	return service, nil
}

// address reads the log up to the line that says where the service serves.
func address(lines *bufio.Scanner) (string, error) {
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
		var entry struct{ Event, Address string }
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Event == "serving" {
			return entry.Address, nil
		}
	}
	return "", fmt.Errorf("ended before it served: %s", strings.Join(said, "\n"))
}

// environment is this process's without what would set a service up.
func environment() []string {
	var kept []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "HAKAM_") {
			kept = append(kept, variable)
		}
	}
	return kept
}

// Pause stops the process without ending it: its connections stay open and nothing answers. It
// returns once the process has stopped.
func (s *Service) Pause() error {
	if err := s.process.Process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	_, err := syscall.Wait4(s.process.Process.Pid, nil, syscall.WUNTRACED, nil)
	return err
}

// Kill ends the process at once, if it has not ended.
func (s *Service) Kill() {
	s.process.Process.Kill()
	<-s.ended
}

// Stop asks the process to end, and waits for it.
func (s *Service) Stop() error {
	s.process.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		s.Kill()
	}
	return s.err
}

// Top is the folder of the repository.
func Top() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..", "..")
}
