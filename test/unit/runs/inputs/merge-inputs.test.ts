import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../shared/domain/json.ts";
import { mergeInputs } from "../../../../shared/domain/run/inputs/merge-inputs.ts";

const owner = (id: string, parameters: JsonObject, sensitiveAliases: readonly string[] = []) => ({
  id,
  parameters,
  sensitiveAliases,
});

describe("mergeInputs", () => {
  it("takes the run's value, else the machine's, else that of the first pool that has one", () => {
    const merged = mergeInputs({
      run: { inputValues: { a: "run" }, sensitiveAliases: [] },
      machine: owner("m", { a: "machine", b: "machine" }),
      pools: [owner("p2", { b: "p2", c: "p2" }), owner("p1", { c: "p1", d: null })],
    });
    expect(merged).toEqual({
      inputValues: { a: "run", b: "machine", c: "p2", d: null },
      inheritedSecrets: {},
      inherited: ["b", "c", "d"],
    });
  });

  it("ranks plain and sensitive ones together", () => {
    const merged = mergeInputs({
      run: { inputValues: { a: 1 }, sensitiveAliases: ["b"] },
      machine: owner("m", { b: 2, e: 2 }, ["a", "c"]),
      pools: [owner("p1", { c: 3, d: 3 }, ["b", "e"]), owner("p2", {}, ["d", "f"])],
    });
    expect(merged).toEqual({
      inputValues: { a: 1, d: 3, e: 2 },
      inheritedSecrets: { c: { kind: "machine", id: "m" }, f: { kind: "pool", id: "p2" } },
      inherited: ["c", "e", "d", "f"],
    });
  });

  it("takes the secret where an owner has both under one name", () => {
    const run = { inputValues: {}, sensitiveAliases: [] };
    const merged = mergeInputs({ run, machine: owner("m", { a: 1 }, ["a"]), pools: [] });
    expect(merged).toMatchObject({ inputValues: {}, inheritedSecrets: { a: { kind: "machine", id: "m" } } });
  });

  it("keeps a name like any other that objects have of their own", () => {
    const parameters = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as JsonObject;
    const run = { inputValues: {}, sensitiveAliases: [] };
    const { inputValues } = mergeInputs({ run, machine: owner("m", parameters), pools: [] });
    expect(Object.keys(inputValues)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(inputValues)).toBe(Object.prototype);
  });

  it("leaves the run's own as they are while no machine is known", () => {
    const run = { inputValues: { a: 1 }, sensitiveAliases: ["s"] };
    expect(mergeInputs({ run, machine: null, pools: [] })).toEqual({
      inputValues: { a: 1 },
      inheritedSecrets: {},
      inherited: [],
    });
  });
});
