import { describe, expect, it } from "vitest";
import { curlOf } from "../../../functions/console/page/data/curl.ts";
import { isPassing, requestIdOf, sentenceOf } from "../../../functions/console/page/data/say-failure.ts";
import { duration, nowFor, relativeTime } from "../../../functions/console/page/parts/time-words.ts";
import { hrefOf, isOfConsole, placeOf } from "../../../functions/console/page/shell/place.ts";
import { ApiError, ApiUnreachable } from "../../../shared/client/api-error.ts";

describe("a call as a command", () => {
  it("names the key by its variable, and survives a shell", () => {
    const input = { path: { machine_id: "a/b" }, body: { name: "it's $HOME", is_available: false } };
    expect(curlOf("https://api.test", "updateMachine", input)).toBe(
      "curl -sS -X PATCH 'https://api.test/v1/machines/a%2Fb' -H \"Authorization: Bearer $DAS_API_KEY\" " +
        `-H 'Content-Type: application/json' -d '{"name":"it'\\''s $HOME","is_available":false}'`,
    );
    expect(curlOf("https://api.test", "deleteMachine", { path: { machine_id: "1" } })).toBe(
      "curl -sS -X DELETE 'https://api.test/v1/machines/1' -H \"Authorization: Bearer $DAS_API_KEY\"",
    );
  });

  it("shows no secret of the body", () => {
    const body = {
      machine_sensitive_parameters: { pin: "1234", deep: { also: ["5678"] } },
      api_key: "sk-1",
      secret_access_key: "aws-1",
      service_account_json: "{}",
      filename: "shown.txt",
    };
    const command = curlOf("https://api.test", "createMachine", { body });
    expect(command).toContain("shown.txt");
    expect(command).not.toMatch(/1234|5678|sk-1|aws-1/);
  });
});

describe("an address of the console", () => {
  it.each([
    ["/console", { section: "", item: undefined, query: {} }],
    [
      "/console/runs?status=error&skip=50",
      { section: "runs", item: undefined, query: { status: "error", skip: "50" } },
    ],
    ["/console/runs/a%2Fb", { section: "runs", item: "a/b", query: {} }],
    ["/console/runs/%E0%A4%A", { section: "runs", item: "%E0%A4%A", query: {} }],
  ])("%s is read", (address, place) => {
    expect(placeOf(new URL(address, "https://api.test"))).toEqual(place);
  });

  it("is written so that it is read as it was", () => {
    expect(hrefOf("")).toBe("/console");
    expect(hrefOf("runs", undefined, { status: "error", search: undefined, page: "" })).toBe(
      "/console/runs?status=error",
    );
    const place = { section: "machines", item: "a b/c?d#e", query: { tab: "x&y=z" } };
    const href = hrefOf(place.section, place.item, place.query);
    expect(placeOf(new URL(href, "https://api.test"))).toEqual(place);
    expect(["/console", "/console/x", "/consoles", "/docs"].map(isOfConsole)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("a failure in words", () => {
  const facts = { status: 409, errorCode: undefined, details: null, retryAfterSeconds: undefined };
  it("is the API's own sentence, with the request's id", () => {
    const error = new ApiError({ ...facts, message: "the machine is busy", requestId: "r-1" });
    expect([sentenceOf(error), requestIdOf(error), isPassing(error)]).toEqual([
      "The machine is busy.",
      "r-1",
      false,
    ]);
    expect(sentenceOf(new Error("Is it there?"))).toBe("Is it there?");
    expect([requestIdOf("text"), sentenceOf("text")]).toEqual([undefined, "Text."]);
  });
  it("passes when the service is away", () => {
    expect(isPassing(new ApiUnreachable("cause"))).toBe(true);
    expect(isPassing(new ApiError({ ...facts, status: 503, message: "m", requestId: undefined }))).toBe(true);
  });
});

describe("times in words", () => {
  it.each([
    [0, "now"],
    [-999, "now"],
    [-1_500, "1 second ago"],
    [-90_000, "1 minute ago"],
    [7_200_000, "in 2 hours"],
    [-86_400_000, "yesterday"],
    [-3 * 86_400_000, "3 days ago"],
  ])("%i ms away is %s", (ms, words) => {
    expect(relativeTime(1_000_000_000_000 + ms, 1_000_000_000_000)).toBe(words);
  });
  it("is not said to come when it has just been, though the page's time is a few seconds old", () => {
    expect(nowFor(9_000, 5_000, 9_500)).toBe(9_000);
    expect(nowFor(4_000, 5_000, 9_500)).toBe(5_000);
    expect(nowFor(60_000, 5_000, 9_500)).toBe(9_500);
  });
  it.each([
    [900, "0.9 s"],
    [12_300, "12 s"],
    [61_000, "1 min 1 s"],
    [3_900_000, "1 h 5 min"],
  ])("%i ms last %s", (ms, words) => {
    expect(duration(ms)).toBe(words);
  });
});
