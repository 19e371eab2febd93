// Command generate makes the package hakamv1 from the contract, by buf and the plugins that
// tools/go.mod pins. With -check it changes nothing and fails where the package is not what the
// contract gives.
//
// It is run in the folder of the module. BUF names the program buf; by default it is the one of the
// repository's Python environment.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

const made = "hakamv1"

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "compare, change nothing")
	flag.Parse()
	if err := run(*check); err != nil {
		log.Fatal(err)
	}
}

func run(check bool) error {
	folder, err := os.MkdirTemp("", "hakam-generate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := generate(folder); err != nil {
		return err
	}
	fresh := os.DirFS(filepath.Join(folder, made))
	if check {
		return same(fresh, os.DirFS(made))
	}
	if err := os.RemoveAll(made); err != nil {
		return err
	}
	return os.CopyFS(made, fresh)
}

func generate(folder string) error {
	buf := exec.Command(cmp.Or(os.Getenv("BUF"), ".venv/bin/buf"), "generate",
		"--template", "clients/go/buf.gen.yaml", "--output", folder)
	buf.Dir = filepath.Join("..", "..")
	buf.Stderr = os.Stderr
	return buf.Run()
}

func same(fresh, kept fs.FS) error {
	want, err := fs.Glob(fresh, "*")
	if err != nil {
		return err
	}
	have, err := fs.Glob(kept, "*")
	if err != nil {
		return err
	}
	if len(want) != len(have) {
		return fmt.Errorf("%s has %d files in place of %d: run go generate", made, len(have), len(want))
	}
	for _, name := range want {
		is, err := fs.ReadFile(kept, name)
		if err != nil {
			return err
		}
		should, err := fs.ReadFile(fresh, name)
		if err != nil {
			return err
		}
		if !bytes.Equal(is, should) {
			return fmt.Errorf("%s/%s is not what the contract gives: run go generate", made, name)
		}
	}
	return nil
}
