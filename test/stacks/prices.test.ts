import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isPingNoted } from "../../shared/domain/connection/ping-turn.ts";
import {
  hoursPerMonth,
  modelSeconds,
  stepSeconds,
  tunnelSeconds,
  unnotedSeconds,
  usd,
} from "../support/prices.ts";
import { makeServiceApp, resourcesOf, templatesOf } from "./synthesize.ts";

const deployMd = readFileSync("infra/DEPLOY.md", "utf8");

/** The cells of a section's rows whose first cell matches. */
function rowsOf(section: string, first: RegExp): readonly (readonly string[])[] {
  const [, text = ""] = deployMd.split(`\n## ${section}\n`);
  const [own = ""] = text.split("\n## ");
  return [...own.matchAll(/^\| (.*) \|$/gm)]
    .map(([, cells = ""]) => cells.split(/ ?\| /))
    .filter(([cell = ""]) => first.test(cell));
}

describe("the price of pings in DEPLOY.md", () => {
  const rows = rowsOf("What machines cost", /^\d+ s$/);

  /** A machine's pings of a year, and the share of them that is written. */
  const notedShare = (pingSeconds: number) => {
    const pings = Math.round((365 * 86_400) / pingSeconds);
    const noted = Array.from({ length: pings }, (_, at) => {
      const nowMs = at * (pingSeconds * 1_000 + 20);
      return isPingNoted({
        pingSeconds,
        nowMs,
        websocketId: "price=",
        heardBeforeMs: undefined,
        hasProof: false,
      });
    });
    return noted.filter(Boolean).length / pings;
  };

  it("has the least, the usual and the greatest interval", () => {
    expect(rows.map(([interval]) => interval)).toEqual(["60 s", "120 s", "300 s", "330 s"]);
  });

  it.each(rows)("is worked out for %s", (interval, messages, writes, price) => {
    const seconds = Number.parseInt(interval ?? "", 10);
    const pings = (hoursPerMonth * 3_600) / seconds;
    const noted = pings * notedShare(seconds);
    expect(Number(messages?.replaceAll(",", ""))).toBe(Math.round(2 * pings));
    // A machine's row is two units.
    expect(Number(writes?.replaceAll(",", ""))).toBe(Math.round(2 * noted));
    const tunnel = (times: number, long: number) => times * (usd.invocation + long * usd.gigabyteSecond);
    const machine =
      2 * pings * usd.message +
      2 * noted * usd.write +
      tunnel(noted, tunnelSeconds) +
      tunnel(pings - noted, unnotedSeconds);
    expect(price).toBe((1_000 * machine).toFixed(2));
  });
});

const calls: Readonly<Record<string, Readonly<Record<string, number>>>> = JSON.parse(
  readFileSync("test/integration/local-stack/calls-budget.json", "utf8"),
);

/** The units of a kind, of all functions together, that a path takes. */
function unitsOf(path: string, kind: "read" | "write"): number {
  const units = Object.entries(calls[path] ?? {}).filter(([name]) => name.endsWith(` ${kind} units`));
  return units.reduce((sum, [, count]) => sum + count, 0);
}

describe("the price of a model's steps in DEPLOY.md", () => {
  const rows = rowsOf("What a run costs", /./);
  const priceOf = (what: string) => Number(rows.find(([cell]) => cell?.startsWith(what))?.[2]);
  const { service } = templatesOf(makeServiceApp());
  const executor = resourcesOf(service, "AWS::Lambda::Function").find(
    ({ Properties }) => Properties.DurableConfig !== undefined && Properties.Timeout === 900,
  );
  const second = (executor?.Properties.MemorySize / 1_024) * usd.gigabyteSecond;
  const polls = 20;

  it.each([
    ["`executor`, the wait for the model", modelSeconds * second],
    ["`executor`, the rest", stepSeconds * second],
    ["durable operations |", usd.durableOperation],
    [
      "table |",
      unitsOf("model's step", "write") * usd.write + (unitsOf("model's step", "read") + polls) * usd.read,
    ],
    ["bucket: the picture", 2 * usd.bucketPut + 2 * usd.bucketGet],
    ["WebSocket messages |", 5 * usd.message],
    ["`tunnel`, 1,024 MB |", 3 * (usd.invocation + 0.02 * usd.gigabyteSecond)],
    ["logs |", (0.8 / 1_000_000) * usd.logGigabyte],
  ])("is worked out for %s", (what, price) => {
    const [, text = ""] = deployMd.split("USD for 100,000 steps");
    const row = text.split("\n").find((line) => line.startsWith(`| ${what}`));
    expect(row?.split(" | ").at(-1)).toBe(`${(100_000 * price).toFixed(2)} |`);
  });

  it("is their sum", () => {
    const [, text = ""] = deployMd.split("USD for 100,000 steps");
    const [table = ""] = text.split("| a model's steps together");
    const parts = [...table.matchAll(/ (\d+\.\d\d) \|$/gm)].map(([, price]) => Number(price));
    expect(parts).toHaveLength(8);
    expect(parts.reduce((sum, price) => sum + price, 0)).toBeCloseTo(priceOf("a model's steps together"), 5);
  });
});

describe("the price of a call in DEPLOY.md", () => {
  const rows = rowsOf("What a million calls cost", /./).map(([what = "", , price = ""]) => ({
    what,
    price: Number(price.replace(/[^\d.].*$/, "")),
  }));
  const priceOf = (start: string) => rows.find(({ what }) => what.startsWith(start))?.price ?? Number.NaN;

  it("is the sum of its parts, and the full one has what is written beside it", () => {
    const at = rows.findIndex(({ what }) => what === "together");
    const parts = rows.slice(0, at).filter(({ price }) => price > 0);
    expect(parts).toHaveLength(7);
    const sum = (of: typeof parts) => of.reduce((total, { price }) => total + price, 0);
    expect(sum(parts)).toBeCloseTo(priceOf("together"), 5);
    const beside = rows.filter(({ what }) => what.startsWith("beside: "));
    expect(beside).toHaveLength(3);
    expect(priceOf("together") + sum(beside)).toBeCloseTo(priceOf("with all of that"), 5);
  });

  it("has the write units that are counted for a call", () => {
    const full = rowsOf("What a million calls cost", /^with all of that/)[0]?.[1];
    expect(full).toBe(`${unitsOf("scroll", "write")} writes`);
  });
});
