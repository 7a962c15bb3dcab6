import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../shared/domain/json.ts";
import {
  hasReference,
  parseReference,
  referencedAliases,
  resolveReferences,
} from "../../../../shared/domain/run/inputs/resolve-references.ts";

const outputs: Record<string, Json> = {
  login: { token: "t1", rows: [{ id: 7 }, { id: 8 }], "0": "zero", gone: null },
  silent: null,
};
const resolve = (inputs: JsonObject) =>
  resolveReferences(inputs, (alias) => (Object.hasOwn(outputs, alias) ? outputs[alias] : undefined));
const ref = (text: string) => ({ $ref: text });

describe("parseReference", () => {
  it.each([
    ["login.outputs.token", { alias: "login", path: ["token"] }],
    ["login.outputs.rows.0.id", { alias: "login", path: ["rows", "0", "id"] }],
    ["login.outputs", { alias: "login", path: [] }],
    ["my.step 1.outputs.a", { alias: "my.step 1", path: ["a"] }],
    ["a.outputs.outputs.b", { alias: "a", path: ["outputs", "b"] }],
    ["login.token", undefined],
    ["login.outputsx", undefined],
    [".outputs.a", undefined],
    ["login.outputs.", undefined],
    ["", undefined],
  ])("reads %j", (text, expected) => {
    expect(parseReference(text)).toEqual(expected);
  });
});

describe("resolveReferences", () => {
  it.each<[string, Json]>([
    ["login.outputs.token", "t1"],
    ["login.outputs.rows", [{ id: 7 }, { id: 8 }]],
    ["login.outputs.rows.1.id", 8],
    ["login.outputs.0", "zero"],
    ["login.outputs.gone", null],
    ["silent.outputs", null],
  ])("puts what %s stands for in its place, wherever that is", (text, value) => {
    expect(resolve({ a: ref(text), b: [{ c: [ref(text), 1] }] })).toEqual({
      kind: "resolved",
      inputs: { a: value, b: [{ c: [value, 1] }] },
    });
  });

  it.each([
    ["other.outputs.a", /no earlier step .* "other"/],
    ["login.outputs.missing", /"login.outputs" has no "missing"/],
    ["login.outputs.rows.2.id", /"login.outputs.rows" has no "2"/],
    ["login.outputs.rows.01", /has no "01"/],
    ["login.outputs.rows.length", /has no "length"/],
    ["login.outputs.toString", /has no "toString"/],
    ["login.outputs.token.0", /"login.outputs.token" has no "0"/],
    ["silent.outputs.a", /"silent.outputs" has no "a"/],
    ["login", /alias.outputs.path/],
  ])("names the reference %s that cannot be resolved", (text, message) => {
    const outcome = resolve({ a: [ref(text)] });
    expect(outcome).toEqual({ kind: "unresolved", reference: text, message: expect.stringMatching(message) });
    expect(outcome.kind === "unresolved" && outcome.message).toContain(`"${text}"`);
  });

  it("leaves an object alone that has other names beside $ref, or no text in it", () => {
    const inputs = { a: { $ref: "login.outputs.token", b: 1 }, c: { $ref: 1 }, d: { $ref: { $ref: null } } };
    expect(resolve(inputs)).toEqual({ kind: "resolved", inputs });
  });

  it("does not resolve what an output holds", () => {
    const inputs = { a: ref("x.outputs") };
    expect(resolveReferences(inputs, () => ref("x.outputs"))).toEqual({
      kind: "resolved",
      inputs: { a: ref("x.outputs") },
    });
  });

  it("stops before small references become large inputs", () => {
    const inputs = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`a${i}`, ref("x.outputs")]));
    expect(resolveReferences(inputs, () => "x".repeat(2_000)).kind).toBe("too_large");
    expect(resolveReferences(inputs, () => "x".repeat(1_000)).kind).toBe("resolved");
  });

  it("refuses to go deeper than a stack is", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`) as JsonObject;
    expect(resolve(deep).kind).toBe("unresolved");
    expect(hasReference(deep)).toBe(true);
    expect(referencedAliases(deep)).toEqual([]);
  });

  it("changes nothing where there is no reference", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const inputs = JSON.parse(JSON.stringify(value)) as JsonObject;
        fc.pre(!hasReference(inputs));
        expect(resolve(inputs)).toEqual({ kind: "resolved", inputs });
      }),
      { numRuns: 200 },
    );
  });
});

describe("referencedAliases", () => {
  it("names each step once, and only those", () => {
    const inputs = {
      a: ref("x.outputs.b"),
      c: [ref("x.outputs"), ref("y.outputs.z")],
      d: "q.outputs.r",
      e: ref("w"),
    };
    expect(referencedAliases(inputs)).toEqual(["x", "y"]);
    expect(hasReference(inputs)).toBe(true);
    expect(hasReference({ a: "x.outputs.b" })).toBe(false);
  });
});
