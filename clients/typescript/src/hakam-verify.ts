#!/usr/bin/env node
// hakam-verify RECORD.json [--entropy HEX]... [SEEN.json]
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { verify } from "./verify.js";

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { entropy: { type: "string", multiple: true, default: [] } },
  });
  const [record, seen = []] = positionals.map((file) => JSON.parse(readFileSync(file, "utf8")));
  const ownEntropy = values.entropy.map((hex) => Buffer.from(hex, "hex"));
  const report = await verify({ record, seen, ownEntropy });
  console.log(`rules: ${report.rules}`);
  console.log(`game key: ${Buffer.from(report.key).toString("hex")}`);
  for (const [what, count] of Object.entries(report.compared)) {
    console.log(`compared: ${count} ${what}`);
  }
  for (const fault of report.faults) console.log(`DIFFERS: ${fault}`);
  console.log(report.verified ? "verified, as far as it was shown" : "NOT VERIFIED");
  return report.verified ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(`cannot verify: ${error.message}`);
    process.exitCode = 2;
  },
);
