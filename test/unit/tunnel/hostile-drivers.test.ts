import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { callDriver } from "../../../shared/domain/tunnel/call-driver.ts";
import type { DriverRequest } from "../../../shared/domain/tunnel/driver-channel.ts";
import {
  base64,
  type RequestMessage,
  responseTo,
  tunnelWorld,
} from "../../support/tunnel-world/tunnel-world.ts";

interface Told {
  readonly request: RequestMessage;
  readonly send: (message: unknown) => Promise<void>;
  readonly vanish: () => Promise<void>;
  /** A request for another machine's driver, of the same organization, and one that was for this driver before. */
  readonly others: Readonly<Record<"another's" | "an earlier one's", RequestMessage>>;
}

type Behave = (told: Told) => Promise<void>;

const part = (number: number, parts: number, body = `${number};`) => ({
  part: number,
  parts,
  body: base64(body),
});
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

/** What came of a call: the body of the response, or an error's code. */
const behaviours: Readonly<Record<string, readonly [Behave, string]>> = {
  "never answers": [async () => {}, "driver_timeout"],
  "sends parts but for the last": [
    async ({ request, send }) => {
      await send(responseTo(request, part(0, 3)));
      await send(responseTo(request, part(1, 3)));
    },
    "driver_timeout",
  ],
  "sends its parts in another order": [
    async ({ request, send }) => {
      for (const number of [2, 0, 1]) await send(responseTo(request, part(number, 3)));
    },
    "0;1;2;",
  ],
  "sends a part again with other words": [
    async ({ request, send }) => {
      for (const body of ["first;", "second;"]) await send(responseTo(request, part(0, 2, body)));
      await send(responseTo(request, part(1, 2)));
    },
    "first;1;",
  ],
  "sends the last part a hundred times": [
    async ({ request, send }) => {
      for (let times = 0; times < 100; times += 1) await send(responseTo(request, part(1, 2)));
    },
    "driver_timeout",
  ],
  "says another total in each part": [
    async ({ request, send }) => {
      await send(responseTo(request, part(0, 2)));
      await send(responseTo(request, part(1, 3)));
    },
    "driver_timeout",
  ],
  "sends a part above its total": [
    async ({ request, send }) => await send(responseTo(request, part(2, 2))),
    "driver_timeout",
  ],
  "sends a thousand parts": [
    async ({ request, send }) => await send(responseTo(request, part(0, 1_000))),
    "driver_timeout",
  ],
  "answers another driver's call": [
    async ({ others, send }) => await send(responseTo(others["another's"])),
    "driver_timeout",
  ],
  "answers this call with another driver's reply_to": [
    async ({ request, others, send }) =>
      await send(responseTo({ id: request.id, reply_to: others["another's"].reply_to })),
    "driver_timeout",
  ],
  "answers a call that was answered": [
    async ({ others, send }) => await send(responseTo(others["an earlier one's"])),
    "driver_timeout",
  ],
  "goes away in the middle of its parts": [
    async ({ request, send, vanish }) => {
      await send(responseTo(request, part(0, 2)));
      await vanish();
    },
    "driver_connection_lost",
  ],
  redirects: [
    async ({ request, send }) =>
      await send(responseTo(request, { status: 307, headers: { location: "http://169.254.169.254/" } })),
    "driver_failed",
  ],
  "says a status that there is not": [
    async ({ request, send }) => await send(responseTo(request, { status: 999 })),
    "driver_timeout",
  ],
  "lies about its length": [
    async ({ request, send }) =>
      await send(responseTo(request, { ...part(0, 1), headers: { "content-length": "99999999999" } })),
    "0;",
  ],
  "has uploaded nothing, and says it did": [
    async ({ request, send }) => await send(responseTo(request, { uploaded: true })),
    "driver_failed",
  ],
  "sends what is no base64": [
    async ({ request, send }) => await send({ ...responseTo(request), body: "%%%" }),
    "driver_timeout",
  ],
  "sends a message of 32,001 bytes": [
    async ({ request, send }) => {
      const message = responseTo(request, { headers: { x: "" } });
      const bytes = Buffer.byteLength(JSON.stringify(message));
      await send({ ...message, headers: { x: "x".repeat(32_001 - bytes) } });
    },
    "driver_timeout",
  ],
  "sends one of 32,000 bytes": [
    async ({ request, send }) => {
      const message = responseTo(request, { ...part(0, 1), headers: { x: "" } });
      const bytes = Buffer.byteLength(JSON.stringify(message));
      await send({ ...message, headers: { x: "x".repeat(32_000 - bytes) } });
    },
    "0;",
  ],
  "sends a hundred megabytes at once": [
    async ({ send }) => await send("x".repeat(100_000_000)),
    "driver_timeout",
  ],
  "sends a bomb of a compressed message": [
    async ({ send }) => await send(deflateRawSync(Buffer.alloc(10_000_000)).toString("latin1")),
    "driver_timeout",
  ],
  "sends bytes for text": [async ({ send }) => await send("\u0000\u0001\ufffd"), "driver_timeout"],
  "nests its message five thousand deep": [
    async ({ request, send }) =>
      await send(JSON.stringify(responseTo(request)).replace(/}$/, `,"more":${deep(5_000)}}`)),
    "{}",
  ],
  "nests a header": [
    async ({ request, send }) => await send({ ...responseTo(request), headers: { a: { b: "c" } } }),
    "driver_timeout",
  ],
  "names its headers like an object's own": [
    async ({ request, send }) =>
      await send(
        JSON.stringify(responseTo(request, part(0, 1))).replace(
          /"headers":{[^}]*}/,
          '"headers":{"__proto__":"x","constructor":"y","toString":"z"}',
        ),
      ),
    "0;",
  ],
};

describe("a call of a driver", () => {
  it.each(Object.entries(behaviours))("that %s ends, as documented", async (_, [behave, expected]) => {
    const world = tunnelWorld();
    const key = await world.key();
    const [driver, another] = [await world.driver({ key }), await world.driver({ key })];
    const { websocketId } = driver;
    const seen: RequestMessage[] = [];
    for (const each of [driver, another]) {
      world.script(each.websocketId, async (request) => {
        seen.push(request);
        await world.send(each.websocketId, responseTo(request));
      });
      await world.ask(await world.machineOf(each));
    }
    const [earlier, anothers] = seen;
    if (earlier === undefined || anothers === undefined) throw new Error("the drivers were not asked");
    world.script(websocketId, async (request) => {
      await behave({
        request,
        send: async (message) => await world.send(websocketId, message),
        vanish: async () => await world.disconnected(websocketId),
        others: { "another's": anothers, "an earlier one's": earlier },
      });
    });
    const startedMs = world.clock.now();
    const asked: Partial<DriverRequest> = { largeResponse: true };
    const machine = await world.machineOf(driver);
    const outcome = await callDriver(world, { machine, method: "GET", path: "/computer/x", ...asked }).then(
      (reply) => (reply.kind === "answered" ? Buffer.from(reply.body).toString() : reply.kind),
      (error: Error & { readonly code?: string }) => error.code ?? error,
    );
    expect(outcome).toBe(expected);
    expect(world.clock.now() - startedMs).toBeLessThanOrEqual(26_000);
  });
});
