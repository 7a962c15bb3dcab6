import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AuditExceptions, judgeAudit, readAdvisories } from "../audit/judge-audit.ts";

/** As `npm audit --json` prints it, shortened. */
const report = {
  auditReportVersion: 2,
  vulnerabilities: {
    ajv: {
      via: [
        {
          source: 1,
          name: "ajv",
          title: "runs a schema",
          url: "https://github.com/advisories/GHSA-aaaa-bbbb-cccc",
          severity: "high",
        },
      ],
    },
    "ajv-formats": { via: ["ajv"] },
    vitest: {
      via: [
        {
          source: 2,
          name: "vitest",
          title: "serves files",
          url: "https://github.com/advisories/GHSA-dddd-eeee-ffff",
          severity: "low",
        },
      ],
    },
  },
};
const all = readAdvisories(report) ?? [];
const ofProduction = all.filter(({ packageName }) => packageName === "ajv");
const exception = {
  advisory: "GHSA-aaaa-bbbb-cccc",
  until: "2026-11-22",
  reason: "schemas run in a thread of their own, which is ended",
};

describe("the audit of the lock file", () => {
  it("reads each advisory once", () => {
    expect(all.map(({ id }) => id)).toEqual(["GHSA-aaaa-bbbb-cccc", "GHSA-dddd-eeee-ffff"]);
  });

  it("does not take a registry without advisories for one without findings", () => {
    expect(readAdvisories({ statusCode: 405, body: "" })).toBeUndefined();
  });

  it("fails for what runs in production, and reports the rest", () => {
    const { failing, reported } = judgeAudit({ all, ofProduction }, [], "2026-11-22");
    expect([
      failing.map(({ packageName }) => packageName),
      reported.map(({ packageName }) => packageName),
    ]).toEqual([["ajv"], ["vitest"]]);
  });

  it.each([
    ["to its last day", "2026-11-22", 0],
    ["not after it", "2026-11-23", 1],
  ])("an exception holds %s", (_what, today, count) => {
    expect(judgeAudit({ all, ofProduction }, [exception], today).failing).toHaveLength(count);
  });

  it("names exceptions that nothing needs", () => {
    const verdict = judgeAudit({ all: [], ofProduction: [] }, [exception], "2026-11-22");
    expect(verdict.unused).toEqual([exception.advisory]);
  });

  it("has exceptions that say why and until when", () => {
    const text = readFileSync(new URL("../audit/exceptions.json", import.meta.url), "utf8");
    expect(AuditExceptions.safeParse(JSON.parse(text)).success).toBe(true);
  });
});
