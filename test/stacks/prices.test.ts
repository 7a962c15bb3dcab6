import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isPingNoted } from "../../shared/domain/connection/ping-turn.ts";
import { hoursPerMonth, tunnelSeconds, unnotedSeconds, usd } from "../support/prices.ts";

const deployMd = readFileSync("infra/DEPLOY.md", "utf8");

/** The cells of a section's rows whose first cell matches. */
function rowsOf(section: string, first: RegExp): readonly (readonly string[])[] {
  const [, text = ""] = deployMd.split(`\n## ${section}\n`);
  const [own = ""] = text.split("\n## ");
  return [...own.matchAll(/^\| (.*) \|$/gm)]
    .map(([, cells = ""]) => cells.split(" | "))
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
