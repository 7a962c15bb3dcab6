import { spawnSync } from "node:child_process";

/** `npm run verify`: what needs neither a table nor a stack, with the time that each part took. */
const parts = ["lint", "boundaries", "types", "unit"];
const times: string[] = [];
const started = performance.now();

function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1_000).toFixed(1)} s`;
}

for (const part of parts) {
  const begun = performance.now();
  const { status } = spawnSync("npm", ["run", "--silent", part], { stdio: "inherit" });
  times.push(`${part} ${secondsSince(begun)}`);
  if (status !== 0) {
    process.exitCode = status ?? 1;
    break;
  }
}
console.log(`verify ${secondsSince(started)}: ${times.join(", ")}`);
