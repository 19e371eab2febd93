// Makes what is generated: the types of the contract from proto/, and the service config as a
// module. With --check it compares instead, names what differs and fails.

import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(dirname(fileURLToPath(import.meta.url)));
const TOP = join(HERE, "../..");
const PYTHON = join(TOP, ".venv/bin/python");
const CONFIG = "deploy/client/service_config.json";

function generate(out) {
  const gen = join(out, "gen");
  mkdirSync(gen);
  const where = "from google.rpc import error_details_pb2 as m; print(m.__file__)";
  const google = join(execFileSync(PYTHON, ["-c", where], { encoding: "utf8" }), "../../..");
  const protos = readdirSync(join(TOP, "proto/hakam/v1"));
  execFileSync(
    PYTHON,
    [
      ...["-m", "grpc_tools.protoc", `-I${join(TOP, "proto")}`, `-I${google}`],
      `--plugin=protoc-gen-es=${join(HERE, "node_modules/.bin/protoc-gen-es")}`,
      ...[`--es_out=${gen}`, "--es_opt=target=ts,import_extension=js,json_types=true"],
      ...protos.filter((name) => name.endsWith(".proto")).map((name) => `hakam/v1/${name}`),
      "google/rpc/error_details.proto",
    ],
    { stdio: "inherit" },
  );
  const config = JSON.stringify(JSON.parse(readFileSync(join(TOP, CONFIG), "utf8")), null, 2);
  writeFileSync(
    join(out, "service_config.ts"),
    `// Made from ${CONFIG} by \`npm run generate\`; not to be edited.\n` +
      `export const serviceConfig = ${config} as const;\n`,
  );
}

const isGenerated = (path) => path.startsWith("gen/") || path === "service_config.ts";

const files = (folder) =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")])
      .filter(([path]) => isGenerated(path)),
  );

const source = join(HERE, "src");
const out = mkdtempSync(join(tmpdir(), "hakam-generate-"));
try {
  generate(out);
  if (process.argv.includes("--check")) {
    const [have, want] = [files(source), files(out)];
    const paths = [...new Set([...have.keys(), ...want.keys()])];
    const differing = paths.filter((path) => have.get(path) !== want.get(path));
    for (const path of differing) console.error(`src/${path} is out of date: npm run generate`);
    process.exitCode = differing.length ? 1 : 0;
  } else {
    rmSync(join(source, "gen"), { recursive: true, force: true });
    cpSync(out, source, { recursive: true });
  }
} finally {
  rmSync(out, { recursive: true });
}
