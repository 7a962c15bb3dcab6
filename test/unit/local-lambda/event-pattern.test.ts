import { describe, expect, it } from "vitest";
import { matchesPattern } from "../../../infra/local/events/event-pattern.ts";
import type { JsonObject } from "../../../infra/local/template/json.ts";

const record: JsonObject = {
  eventName: "MODIFY",
  dynamodb: {
    SizeBytes: 70,
    NewImage: { kind: { S: "machine" }, count: { N: "5" }, tags: { L: [{ S: "a" }] } },
    OldImage: { kind: { S: "machine" } },
  },
  list: ["red", "green"],
};

const kind = (tests: JsonObject["x"]): JsonObject => ({
  dynamodb: { NewImage: { kind: { S: tests ?? null } } },
});

const cases: readonly (readonly [string, JsonObject, boolean])[] = [
  ["an exact value", kind(["machine"]), true],
  ["one of several", kind(["run", "machine"]), true],
  ["another value", kind(["run"]), false],
  ["a prefix", kind([{ prefix: "mach" }]), true],
  ["another prefix", kind([{ prefix: "run" }]), false],
  ["a suffix", kind([{ suffix: "ine" }]), true],
  ["any case", kind([{ "equals-ignore-case": "MACHINE" }]), true],
  ["anything but it", kind([{ "anything-but": ["machine"] }]), false],
  ["anything but another", kind([{ "anything-but": "run" }]), true],
  ["anything but a prefix", kind([{ "anything-but": { prefix: "mach" } }]), false],
  ["a field that exists", kind([{ exists: true }]), true],
  ["a field that must not exist", kind([{ exists: false }]), false],
  [
    "a missing field that must not exist",
    { dynamodb: { NewImage: { gone: { S: [{ exists: false }] } } } },
    true,
  ],
  [
    "a missing field with any value but one",
    { dynamodb: { NewImage: { gone: { S: [{ "anything-but": "x" }] } } } },
    false,
  ],
  ["a number in a range", { dynamodb: { SizeBytes: [{ numeric: [">", 50, "<=", 70] }] } }, true],
  ["a number outside", { dynamodb: { SizeBytes: [{ numeric: ["<", 70] }] } }, false],
  [
    "a number of DynamoDB, which is a string",
    { dynamodb: { NewImage: { count: { N: [{ numeric: ["=", 5] }] } } } },
    false,
  ],
  ["a number of DynamoDB as the string it is", { dynamodb: { NewImage: { count: { N: ["5"] } } } }, true],
  ["an element of a list", { list: ["green"] }, true],
  ["no element of a list", { list: ["blue"] }, false],
  [
    "two fields that both hold",
    { eventName: ["MODIFY"], dynamodb: { OldImage: { kind: { S: ["machine"] } } } },
    true,
  ],
  [
    "two fields of which one fails",
    { eventName: ["INSERT"], dynamodb: { OldImage: { kind: { S: ["machine"] } } } },
    false,
  ],
  ["one of two alternatives", { $or: [{ eventName: ["INSERT"] }, { list: ["red"] }] }, true],
];

describe("an event filter", () => {
  it.each(cases)("judges %s", (_what, pattern, expected) => {
    expect(matchesPattern(pattern, record)).toBe(expected);
  });

  it("is an error when it has an operator that is not known, instead of letting everything through", () => {
    expect(() => matchesPattern(kind([{ wildcard: "m*" }]), record)).toThrow("wildcard is not known");
  });
});
