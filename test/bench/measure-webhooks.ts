import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { durableStarts } from "../support/execution/durable-starts.ts";
import { askApi } from "../support/stack/ask-api.ts";
import { type Figure, median, milliseconds, percentile } from "./figure.ts";
import { openPlainStack } from "./plain-stack.ts";
import { sized } from "./sized.ts";

const warmUp = sized(5, 1);
const rounds = sized(90, 3);
const turns = 3;
const medianMsMax = 500;
const ratioMax = 1.2;
/** Pause between two events, in which the effects of the last one are over. */
const restMs = 200;
/** An event that is not sent by then fails the measurement. */
const patienceMs = 20_000;

/** Events of a machine, one after the other: how late each comes to an endpoint, alone and beside one that hangs. */
export async function measureWebhooks(): Promise<readonly Figure[]> {
  const stack = await openPlainStack();
  const arrived = new Map<string, () => void>();
  const taking = await listen(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8"));
    response.writeHead(204).end();
    if (request.url === "/other") return;
    arrived.get(body.event_type)?.();
  });
  const hanging = await listen(() => {});
  try {
    const ask = (path: string, method: string, body?: object) =>
      askApi<{ readonly id: string }>(stack, path, method, body);
    const { id } = await ask("/v1/machines", "POST", { fingerprint: randomUUID() });
    const event_types = ["machine.available", "machine.unavailable"];
    await ask("/v1/webhook-endpoints", "POST", { url: taking.url, event_types });
    let isAvailable = true;
    const one = async () => {
      await new Promise((resolve) => setTimeout(resolve, restMs));
      isAvailable = !isAvailable;
      const came = new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error("no event came")), patienceMs);
        arrived.set(isAvailable ? "machine.available" : "machine.unavailable", () => {
          clearTimeout(late);
          resolve();
        });
      });
      const from = performance.now();
      await ask(`/v1/machines/${id}`, "PATCH", { is_available: isAvailable });
      await came;
      return performance.now() - from;
    };
    const some = async (count: number) => {
      const took: number[] = [];
      for (let round = 0; round < count; round += 1) took.push(await one());
      return took;
    };
    await some(warmUp);
    const alone = await some(rounds / turns);
    const [beside, besideHanging]: [number[], number[]] = [[], []];
    // Both are measured in turns, so that other work of this machine affects them equally.
    for (let turn = 0; turn < turns; turn += 1) {
      for (const [url, took] of [[taking.url, beside] as const, [hanging.url, besideHanging] as const]) {
        const other = await ask("/v1/webhook-endpoints", "POST", { url: `${url}other`, event_types });
        await some(warmUp);
        took.push(...(await some(rounds / turns)));
        await ask(`/v1/webhook-endpoints/${other.id}`, "DELETE");
      }
    }
    return [...figuresOf(alone, beside, besideHanging), await figureOfStarts()];
  } finally {
    await Promise.all([taking.close(), hanging.close()]);
    await stack.stop();
  }
}

/** An account's starts of executions, 300 a second, are its runs'. */
async function figureOfStarts(): Promise<Figure> {
  const runs = sized(1_000, 10);
  const { ofRuns, ofDeliveries, sent } = await durableStarts({ runs, endpoints: 5 });
  return {
    figure: `durable executions started of ${runs} runs whose ends go to five endpoints (sent)`,
    measured: `${ofRuns + ofDeliveries} (${sent})`,
    target: `${runs} (${5 * runs})`,
    isReached: ofRuns + ofDeliveries === runs && sent === 5 * runs,
  };
}

async function listen(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      const closed = once(server, "close");
      server.closeAllConnections();
      server.close();
      await closed;
    },
  };
}

function figuresOf(
  alone: readonly number[],
  beside: readonly number[],
  besideHanging: readonly number[],
): readonly Figure[] {
  const middle = median(alone);
  const ratio = percentile(besideHanging, 95) / percentile(beside, 95);
  const of = (took: readonly number[]) =>
    `${milliseconds(median(took))} (${milliseconds(percentile(took, 95))})`;
  return [
    {
      figure: `webhook: a change's request to the first attempt, local stack, p50 of ${alone.length} (p95)`,
      measured: of(alone),
      target: `at most ${medianMsMax} ms`,
      isReached: middle <= medianMsMax,
    },
    {
      figure: `webhook: the same beside another endpoint that takes events, and beside one that hangs; p95 as a multiple`,
      measured: `${of(beside)}; ${of(besideHanging)}; ${ratio.toFixed(2)}`,
      target: `at most ${ratioMax}`,
      isReached: ratio <= ratioMax,
    },
  ];
}
