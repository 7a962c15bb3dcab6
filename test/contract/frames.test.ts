import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { DriverMessage, GoodbyeCode, ServiceMessage } from "../../shared/contract/tunnel.ts";
import { parseDriverFrame, parseServiceFrame } from "../../shared/contract/tunnel-frames.ts";
import { parseApiKey } from "../../shared/secrets/api-key-text.ts";
import { contains, latest, linesIn, readFixture } from "./fixture-files.ts";
import { binding } from "./frames/binding.ts";
import { contentOf, type EndName, type Exchange, type Frame } from "./frames/exchange.ts";
import { recordExchanges } from "./frames/exchanges.ts";
import { replay } from "./frames/play.ts";

const lines = linesIn<Exchange>(readFixture("frames.jsonl"));
const last = latest(lines);
const schemas = { driver: DriverMessage, service: ServiceMessage };
const parsers = { driver: parseDriverFrame, service: parseServiceFrame };

const messagesFrom = (from: EndName) =>
  lines
    .flatMap(({ frames }) => frames.filter((frame) => from in frame))
    .map((frame) => parsers[from](JSON.stringify(contentOf(frame))))
    .flatMap((frame) => (frame.kind === "message" ? [frame.message] : []));

const messages = (["driver", "service"] as const).flatMap((from) =>
  schemas[from].options.map((schema) => {
    const [type] = (schema.shape.type as z.ZodLiteral<string>).values;
    const usable = messagesFrom(from).filter((message) => message.type === type);
    const optional = Object.entries(schema.shape)
      .filter(([, field]) => field.safeParse(undefined).success)
      .map(([name]) => name);
    return { from, type, optional, usable };
  }),
);

describe("the fixtures of frames", () => {
  it.each(messages)("have $type from the $from, with each optional field and without", (message) => {
    const { usable, optional } = message;
    expect(usable).not.toEqual([]);
    for (const field of optional) {
      expect(
        usable.some((one) => field in one),
        `with ${field}`,
      ).toBe(true);
      expect(
        usable.some((one) => !(field in one)),
        `without ${field}`,
      ).toBe(true);
    }
  });

  it("have every goodbye and bodies in up to three parts", () => {
    const goodbyes = messagesFrom("service").flatMap((one) => (one.type === "goodbye" ? [one.code] : []));
    expect(new Set(goodbyes)).toEqual(new Set(GoodbyeCode.options));
    for (const from of ["driver", "service"] as const) {
      const parts = messagesFrom(from).flatMap((one) => ("parts" in one ? [one.parts] : []));
      expect(new Set(parts)).toEqual(new Set([1, 2, 3]));
    }
  });

  it("are what both ends write today", async () => {
    const today = await recordExchanges();
    expect(today.map(({ name }) => name).sort()).toEqual([...last.keys()].sort());
    for (const exchange of today) {
      const line = last.get(exchange.name);
      expect(line && binding(exchange), exchange.name).toEqual(line && binding(line));
    }
  });

  it("hold no key", () => {
    for (const file of ["frames.jsonl", "events.jsonl", "rows.jsonl", "openapi.json", "asyncapi.json"]) {
      for (const [text] of readFixture(file).matchAll(/das_\w+/g)) expect(parseApiKey(text)).toBeUndefined();
    }
  });
});

describe.each(["driver", "service"] as const)("our %s", (end) => {
  const played = lines.filter(({ ours }) => ours.includes(end));

  it.each(played)("still plays its part: $name", async (exchange) => {
    const own = exchange.frames.filter((frame): frame is Frame => end in frame);
    const outcome = await replay(exchange, end);
    const { handshake, seen, ended, answered } = exchange;
    const expected = end === "driver" ? { handshake, seen, ended } : { answered };
    const before = binding({ ...expected, frames: own });
    const today = binding(outcome);
    if (last.get(exchange.name) === exchange) expect(today).toEqual(before);
    else expect(contains(today, before), JSON.stringify(today)).toBe(true);
  });
});
