import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { startCommand } from "../support/stack/start-command.ts";
import type { Figure } from "./figure.ts";
import { sized } from "./sized.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** A smoke leaves what is built to the tests beside it. */
const removed = sized([".build", "cdk.out", ".local/assemblies", ".local/compiled"], []);

/** Measures the time from the command to a connected desktop: with nothing built, and with nothing changed since. */
export async function measureStart(): Promise<readonly Figure[]> {
  for (const made of removed) await rm(`${project}/${made}`, { recursive: true, force: true });
  const fresh = await startSeconds();
  const again = await startSeconds();
  return [
    figureOf("start, bundling and synthesis included", fresh, 7),
    figureOf("start, nothing changed since the last", again, 2.2),
  ];
}

async function startSeconds(): Promise<number> {
  const startedMs = performance.now();
  const command = await startCommand([]);
  const seconds = (performance.now() - startedMs) / 1_000;
  await command.end("SIGTERM");
  return seconds;
}

function figureOf(figure: string, seconds: number, secondsMax: number): Figure {
  return {
    figure,
    measured: `${seconds.toFixed(1)} s`,
    target: `at most ${secondsMax} s`,
    isReached: seconds <= secondsMax,
  };
}
