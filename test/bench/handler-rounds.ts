import { createRequire } from "node:module";
import { median } from "./figure.ts";

/**
 * The task of a process of its own, whose standard output takes the function's log lines as Lambda's does. It gets the
 * task as its argument, and replies with a message.
 */
export interface HandlerRounds {
  readonly functionFile: string;
  readonly bareFile: string;
  /** API Gateway's event in payload format 2.0. */
  readonly event: unknown;
  readonly warmUp: number;
  readonly rounds: number;
}

/** Medians in milliseconds. */
export interface HandlerTimes {
  readonly functionMs: number;
  readonly bareMs: number;
}

type Handler = (event: unknown) => Promise<{ readonly statusCode: number }>;

function load(file: string): Handler {
  const loaded = createRequire(import.meta.url)(file) as { readonly handler: Handler };
  return loaded.handler;
}

async function timeOf(handler: Handler, event: unknown): Promise<number> {
  const startedMs = performance.now();
  const { statusCode } = await handler(event);
  const tookMs = performance.now() - startedMs;
  if (statusCode !== 200) throw new Error(`a machine was answered with ${statusCode}`);
  return tookMs;
}

const { functionFile, bareFile, event, warmUp, rounds } = JSON.parse(process.argv[2] ?? "") as HandlerRounds;
const [whole, bare] = [load(functionFile), load(bareFile)];
const times = { whole: [] as number[], bare: [] as number[] };
for (let round = 0; round < warmUp + rounds; round += 1) {
  const wholeMs = await timeOf(whole, event);
  const bareMs = await timeOf(bare, event);
  if (round < warmUp) continue;
  times.whole.push(wholeMs);
  times.bare.push(bareMs);
}
process.send?.({ functionMs: median(times.whole), bareMs: median(times.bare) } satisfies HandlerTimes);
