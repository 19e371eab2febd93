#!/bin/sh
# Makes src/main/java from the protos; with --check compares instead, and fails where it differs.
# Needs the repository's .venv (for buf); Maven fetches protoc.
set -eu
cd "$(dirname "$0")/../.."
client=clients/kotlin
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

mvn -q -B -f $client dependency:copy@protoc
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
