import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { SpawnedStack } from "../support/stack/spawn-stack.ts";
import { closedAfterMs, everyAttack } from "./attacks.ts";

type Attacked = Pick<SpawnedStack, "baseUrl" | "websocketUrl" | "apiKey">;

type Message = { readonly kind: "begun" } | { readonly kind: "closed"; readonly afterMs: readonly number[] };

interface Running {
  readonly begun: Promise<void>;
  /** @returns times from the first ping of each flood until its socket was closed. */
  readonly end: () => Promise<readonly number[]>;
}

/** An attack has a thread of its own, so that what it sends delays nobody who is measured in this one. */
export function startAttack(name: string, { baseUrl, websocketUrl, apiKey }: Attacked): Running {
  const begun = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<readonly number[]>();
  closed.promise.catch(() => undefined);
  const worker = new Worker(new URL(import.meta.url), {
    // The sizes of a smoke are by its option.
    argv: process.argv.slice(2),
    workerData: { name, target: { baseUrl, websocketUrl, apiKey } },
  });
  worker.on("message", (message: Message) => {
    if (message.kind === "begun") begun.resolve();
    else closed.resolve(message.afterMs);
  });
  worker.on("error", (error) => {
    begun.reject(error);
    closed.reject(error);
  });
  return {
    begun: begun.promise,
    end: async () => {
      worker.postMessage("end");
      return await closed.promise;
    },
  };
}

async function attackFromHere(port: NonNullable<typeof parentPort>): Promise<void> {
  const { name, target } = workerData as { readonly name: string; readonly target: Attacked };
  const attack = everyAttack.find((each) => each.name === name);
  if (attack === undefined) throw new Error(`there is no attack "${name}"`);
  const ending = new AbortController();
  port.once("message", () => ending.abort());
  const send = (message: Message) => port.postMessage(message);
  await attack.run({ ...target, signal: ending.signal }, () => send({ kind: "begun" }));
  send({ kind: "closed", afterMs: closedAfterMs });
}

if (!isMainThread && parentPort !== null) await attackFromHere(parentPort);
