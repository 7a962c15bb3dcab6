import { describe, expect, it } from "vitest";
import { prepareInputs } from "../../../../shared/domain/run/inputs/prepare-inputs.ts";
import { AjvInputChecker } from "../../../../shared/schema/ajv-input-checker.ts";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";

const checker = new AjvInputChecker({ clock: new FakeClock() });
const machine = { id: "m", parameters: { host: "h1", port: 80 }, sensitiveAliases: ["password"] };
const of = { organizationId: "o", workflowId: "w" };
const run = { inputValues: {}, sensitiveAliases: [] };
const schema = {
  properties: { host: { type: "string" }, port: { type: "string" }, password: { minLength: 99 } },
  required: ["host", "password"],
};

describe("prepareInputs", () => {
  it("resolves, merges and checks", async () => {
    const given = { ...run, inputValues: { port: { $ref: "a.outputs.port" } } };
    const outputsOf = () => ({ port: "8080" });
    expect(await prepareInputs(checker, { of, run: given, machine, pools: [], schema, outputsOf })).toEqual({
      kind: "ready",
      inputValues: { port: "8080", host: "h1" },
      inheritedNames: ["host"],
      inheritedSecrets: { password: { kind: "machine", id: "m" } },
    });
  });

  it("gives each reason for which the schema refuses them", async () => {
    expect(await prepareInputs(checker, { of, run, machine: null, pools: [], schema })).toEqual({
      kind: "refused",
      reasons: ["input_values.host is required", "input_values.password is required"],
    });
    expect(await prepareInputs(checker, { of, run, machine, pools: [], schema })).toEqual({
      kind: "refused",
      reasons: ["input_values.port must be string"],
    });
  });

  it("gives ten reasons, and how many more there are", async () => {
    const required = Array.from({ length: 15 }, (_, index) => `n${index}`);
    const prepared = await prepareInputs(checker, {
      of,
      run,
      machine: null,
      pools: [],
      schema: { required },
    });
    expect(prepared.kind === "refused" && prepared.reasons).toHaveLength(11);
    expect(prepared.kind === "refused" && prepared.reasons.at(-1)).toBe("and 5 more");
  });

  it("gives the reference that cannot be resolved", async () => {
    const given = { ...run, inputValues: { a: { $ref: "b.outputs.c" } } };
    const prepared = await prepareInputs(checker, {
      of,
      run: given,
      machine: null,
      pools: [],
      schema: null,
      outputsOf: () => undefined,
    });
    expect(prepared).toMatchObject({ reasons: [expect.stringContaining("b.outputs.c")] });
  });

  it("takes what looks like a reference for a value in a run of no chain", async () => {
    const inputValues = { a: { $ref: "b.outputs.c" } };
    const given = { ...run, inputValues };
    const prepared = await prepareInputs(checker, { of, run: given, machine: null, pools: [], schema: null });
    expect(prepared).toEqual({ kind: "ready", inputValues, inheritedNames: [], inheritedSecrets: {} });
  });

  it("refuses more secrets than a run can name, but not those of any one pool", async () => {
    const names = (pool: number) =>
      Array.from({ length: 100 }, (_, index) => `${pool}-${index}-${"x".repeat(600)}`);
    const pools = Array.from({ length: 20 }, (_, index) => ({
      id: `p${index}`,
      parameters: {},
      sensitiveAliases: names(index),
    }));
    const prepare = (some: typeof pools) =>
      prepareInputs(checker, { of, run, machine: null, pools: some, schema: null });
    expect((await prepare(pools.slice(0, 1))).kind).toBe("ready");
    expect(await prepare(pools)).toMatchObject({ reasons: [expect.stringContaining("secrets")] });
  });

  it("gives reasons that fit a run, however long what they tell of is", async () => {
    const name = "n".repeat(50_000);
    const given = { ...run, inputValues: { a: { [name]: Array(200).fill(1) } } };
    const strict = { properties: { a: { additionalProperties: { items: { type: "string" } } } } };
    const prepared = await prepareInputs(checker, {
      of,
      run: given,
      machine: null,
      pools: [],
      schema: strict,
    });
    expect(prepared.kind === "refused" && prepared.reasons.join("").length).toBeLessThan(12_000);
    expect(prepared.kind).toBe("refused");
  });

  it("refuses more than a request may send", async () => {
    const large = { ...machine, parameters: { a: "x".repeat(40_000) } };
    const given = { ...run, inputValues: { b: "x".repeat(40_000) } };
    const prepared = await prepareInputs(checker, {
      of,
      run: given,
      machine: large,
      pools: [],
      schema: null,
    });
    expect(prepared).toMatchObject({ reasons: [expect.stringContaining("65536")] });
  });

  it("says that the schema is what cannot be used", async () => {
    const prepared = await prepareInputs(checker, { of, run, machine, pools: [], schema: { type: "strin" } });
    expect(prepared).toMatchObject({ reasons: [expect.stringContaining("the workflow's input_schema")] });
  });
});
