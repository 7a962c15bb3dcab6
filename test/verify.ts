import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/**
 * `npm run verify`: runs the checks that need neither a table nor a stack, and prints the time of each. Checks run side
 * by side, and each one's output is shown in one piece; `npm run verify -- <checks>` runs those alone.
 */
const named = process.argv.slice(2);
const times: string[] = [];
const started = performance.now();

function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1_000).toFixed(1)} s`;
}

/** @returns whether it passed. */
async function run(part: string, stdio: "inherit" | "pipe"): Promise<boolean> {
  const begun = performance.now();
  const child = spawn("npm", ["run", "--silent", part], { stdio: ["ignore", stdio, stdio] });
  const ended = once(child, "close");
  const printed = [child.stdout, child.stderr].map((stream) => (stream === null ? "" : text(stream)));
  process.stdout.write((await Promise.all(printed)).join(""));
  const [status] = await ended;
  times.push(`${part} ${secondsSince(begun)}${status === 0 ? "" : " failed"}`);
  return status === 0;
}

const checks = named.length > 0 ? named : ["budget", "lint", "boundaries", "types", "unused"];
const passed = await Promise.all(checks.map((check) => run(check, "pipe")));
const isFine = !passed.includes(false) && (named.length > 0 || (await run("unit", "inherit")));
console.log(`verify ${secondsSince(started)}: ${times.join(", ")}`);
process.exitCode = isFine ? 0 : 1;
