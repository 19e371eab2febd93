#!/bin/sh
# Makes src/main/java from the protos; with --check compares instead, and fails where it differs.
# Needs the repository's .venv (for buf); Maven fetches protoc.
set -eu
cd "$(dirname "$0")/../.."
client=clients/kotlin
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

case "$(uname -s)-$(uname -m)" in
Linux-x86_64) machine=linux-x86_64 ;;
Linux-aarch64) machine=linux-aarch_64 ;;
Darwin-arm64) machine=osx-aarch_64 ;;
Darwin-x86_64) machine=osx-x86_64 ;;
*) echo "no protoc is known for $(uname -s) on $(uname -m)" >&2; exit 2 ;;
esac

mvn -q -B -f $client dependency:copy@protoc -Dprotoc.classifier=$machine
chmod +x $client/target/protoc
.venv/bin/buf generate --template $client/buf.gen.yaml --output "$out"

case "${1-}" in
--check)
	diff -rq "$out/src/main/java" $client/src/main/java ;;
"")
	rm -rf $client/src/main/java
	mkdir -p $client/src/main
	mv "$out/src/main/java" $client/src/main/java ;;
*)
	echo "usage: $0 [--check]" >&2
	exit 2 ;;
esac
