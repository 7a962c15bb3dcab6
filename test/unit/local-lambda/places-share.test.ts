import { describe, expect, it } from "vitest";
import { environmentsMax } from "../../../infra/local/lambda/limits.ts";
import { withLocalShare } from "../../../infra/local/lambda/places-share.ts";
import { functionOnDisk } from "../../integration/local-lambda/function-on-disk.ts";

const callsOf = (environment: Readonly<Record<string, string>>) =>
  withLocalShare(functionOnDisk("", { environment })).environment;

describe("an organization's share of the local stack", () => {
  it("is at most a quarter of its places, however many an account has", () => {
    const { ORGANIZATION_CALLS_MAX } = callsOf({ ORGANIZATION_CALLS_MAX: "200" });
    expect(Number(ORGANIZATION_CALLS_MAX)).toBe(Math.floor(environmentsMax / 4));
  });

  it("is what the template says where that is less", () => {
    expect(callsOf({ ORGANIZATION_CALLS_MAX: "3", NAME: "other" })).toEqual({
      ORGANIZATION_CALLS_MAX: "3",
      NAME: "other",
    });
  });

  it("is a tenth of its places for all requests that wait", () => {
    expect(callsOf({ WAITS_MAX: "1" })).toEqual({ WAITS_MAX: String(environmentsMax / 10) });
  });

  it("is a quarter of its places for all requests that wait for a screen", () => {
    expect(callsOf({ LOOKS_MAX: "56" })).toEqual({ LOOKS_MAX: String(Math.floor(environmentsMax / 4)) });
  });

  it("is nothing to a function that calls no desktop", () => {
    expect(callsOf({ NAME: "other" })).toEqual({ NAME: "other" });
  });
});
