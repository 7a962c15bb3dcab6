import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../shared/domain/json.ts";
import { requireSchemas } from "../../../shared/domain/workflow/require-fits.ts";
import { AjvInputChecker } from "../../../shared/schema/ajv-input-checker.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";

function create() {
  const clock = new FakeClock();
  return { clock, checker: new AjvInputChecker({ clock }) };
}

/** No check runs out of time because the machine is busy; those that are to run out use one of their own. */
const checker = new AjvInputChecker({ clock: new FakeClock(), timeoutMs: 20_000 });
const schema: JsonObject = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2 },
    age: { type: "integer" },
    lines: { type: "array", items: { type: "object", properties: { sku: { enum: ["a", "b"] } } } },
    mail: { type: "string", format: "email" },
  },
  required: ["name"],
};

describe("AjvInputChecker: values", () => {
  it("accepts what the schema asks for, and names that it does not mention", async () => {
    expect(await checker.check(schema, { name: "Ada", age: 36, other: true })).toEqual({ kind: "valid" });
  });

  it("says each thing that is wrong, where it is, without the value", async () => {
    const value = { age: 1.5, lines: [{ sku: "a" }, { sku: "topsecret" }], mail: "topsecret" };
    const check = await checker.check(schema, value);
    expect(check).toEqual({
      kind: "invalid",
      errors: [
        { path: ["name"], message: "is required", reason: "missing" },
        { path: ["age"], message: "must be integer", reason: "invalid" },
        { path: ["lines", 1, "sku"], message: 'must be one of "a", "b"', reason: "invalid" },
        { path: ["mail"], message: 'must match format "email"', reason: "invalid" },
      ],
    });
    expect(JSON.stringify(check)).not.toContain("topsecret");
  });

  it("tells a name made of digits from an index, and reads escaped names", async () => {
    const numbers = { properties: { "0": { type: "string" }, "a/b~c": { type: "string" } } };
    const check = await checker.check(numbers, { "0": 1, "a/b~c": 2 });
    expect(check).toMatchObject({ errors: [{ path: ["0"] }, { path: ["a/b~c"] }] });
  });

  it("names at most 100 errors", async () => {
    const check = await checker.check(
      { properties: { a: { items: { type: "string" } } } },
      { a: Array(500).fill(1) },
    );
    expect(check.kind === "invalid" && check.errors.length).toBe(100);
  });

  it.each([
    ["https://json-schema.org/draft/2020-12/schema", { prefixItems: [{ type: "string" }] }],
    ["https://json-schema.org/draft/2019-09/schema", { items: [{ type: "string" }] }],
    ["http://json-schema.org/draft-07/schema#", { items: [{ type: "string" }] }],
    ["http://json-schema.org/draft-06/schema#", { items: [{ type: "string" }] }],
  ])("checks by the words of %s", async ($schema, list) => {
    const dialect = { $schema, properties: { a: list } };
    expect(await checker.check(dialect, { a: ["x", 1] })).toEqual({ kind: "valid" });
    expect(await checker.check(dialect, { a: [1] })).toMatchObject({ errors: [{ path: ["a", 0] }] });
  });
});

describe("AjvInputChecker: secrets and what is inherited", () => {
  const strict: JsonObject = {
    properties: { user: { type: "string" }, password: { type: "string", minLength: 20, pattern: "^x" } },
    required: ["user", "password"],
    additionalProperties: false,
  };

  it("counts a secret as there, and says nothing of what it holds", async () => {
    expect(await checker.check(strict, { user: "ada" })).toMatchObject({ errors: [{ path: ["password"] }] });
    const options = { sensitiveAliases: ["password"] };
    expect(await checker.check(strict, { user: "ada" }, options)).toEqual({ kind: "valid" });
    expect(await checker.check(strict, {}, options)).toMatchObject({ errors: [{ path: ["user"] }] });
  });

  it("lets a secret decide between alternatives by being there alone", async () => {
    const either = {
      oneOf: [
        { properties: { password: { minLength: 9 } }, required: ["password"] },
        { properties: { token: { minLength: 9 } }, required: ["token"] },
      ],
    };
    expect((await checker.check(either, {})).kind).toBe("invalid");
    expect(await checker.check(either, {}, { sensitiveAliases: ["token"] })).toEqual({ kind: "valid" });
  });

  it("says nothing of a secret that the schema reaches by a reference", async () => {
    const referring = { $ref: "#/$defs/login", $defs: { login: strict } };
    const options = { sensitiveAliases: ["password"] };
    expect(await checker.check(referring, { user: "ada" }, options)).toEqual({ kind: "valid" });
  });

  it("checks a plain value whose name is a secret's too", async () => {
    const options = { sensitiveAliases: ["password"] };
    expect((await checker.check(strict, { user: "ada", password: "p" }, options)).kind).toBe("invalid");
  });

  it("passes over what is inherited and not mentioned, but not what the run itself brings too much", async () => {
    const value = { user: "ada", printer: "p1", other: 1 };
    const options = { sensitiveAliases: ["password", "vpn"], inherited: ["printer", "vpn"] };
    expect(await checker.check(strict, value, options)).toEqual({
      kind: "invalid",
      errors: [{ path: ["other"], message: "is not allowed", reason: "not_allowed" }],
    });
  });

  it("checks what is inherited when the schema mentions it", async () => {
    const value = { user: 1, password: "x".repeat(20) };
    const options = { inherited: ["user"] };
    expect(await checker.check(strict, value, options)).toMatchObject({ errors: [{ path: ["user"] }] });
  });
});

describe("AjvInputChecker: schemas of customers", () => {
  it.each<[string, JsonObject, RegExp]>([
    ["a type that is none", { type: "strin" }, /type must be/],
    [
      "a word with a wrong value",
      { properties: { a: { minLength: "many" } } },
      /properties\.a\.minLength must be integer/,
    ],
    [
      "a pattern that is no regular expression",
      { properties: { a: { pattern: "(" } } },
      /regular expression/i,
    ],
    ["a reference to another address", { $ref: "https://example.org/s.json" }, /example\.org/],
    ["a reference to what is not there", { $ref: "#/$defs/none" }, /\$defs\/none/],
    ["a dialect that is unknown", { $schema: "http://json-schema.org/draft-04/schema#" }, /\$schema/],
  ])("calls %s unusable, and says why", async (_what, broken, message) => {
    expect(await checker.checkSchema(broken)).toMatchObject({
      kind: "schema_unusable",
      message: expect.stringMatching(message),
    });
    expect((await checker.check(broken, {})).kind).toBe("schema_unusable");
  });

  it("calls a schema unusable that refers to itself without end", async () => {
    expect((await checker.check({ $ref: "#" }, { a: 1 })).kind).toBe("schema_unusable");
  });

  it("does not take a promise for a yes", async () => {
    const promised = { $async: true, required: ["name"] };
    expect((await checker.check(promised, {})).kind).toBe("invalid");
  });

  it("keeps schemas with the same $id apart, and two of one name inside a schema unusable", async () => {
    expect((await checker.check({ $id: "https://a.b/c", required: ["x"] }, {})).kind).toBe("invalid");
    expect((await checker.check({ $id: "https://a.b/c", required: ["y"] }, { y: 1 })).kind).toBe("valid");
  });

  it("is not changed by names that every object has", async () => {
    const value = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}') as JsonObject;
    expect((await checker.check(schema, { ...value, name: "Ada" })).kind).toBe("valid");
    expect((await checker.check({ required: ["toString"] }, {})).kind).toBe("invalid");
  });

  it("accepts words that no dialect knows", async () => {
    expect(await checker.checkSchema({ "x-widget": "slider", example: 1 })).toEqual({ kind: "valid" });
  });
});

describe("AjvInputChecker: time", () => {
  const endless = { properties: { a: { type: "string", pattern: "^(a+)+$" } } };
  const evil = { a: `${"a".repeat(60)}!` };

  it("cuts a regular expression short that would take years, within half a second", async () => {
    const startedMs = performance.now();
    const check = await create().checker.check(endless, evil);
    expect(check).toMatchObject({
      kind: "schema_too_slow",
      message: expect.stringContaining("schema_too_slow"),
    });
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  it("cuts it short without another thread, whose start would take others' time", async () => {
    const { checker: quick } = create();
    await checker.check({ required: ["a"] }, {});
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    process.on("worker", count);
    const check = await quick.check({ ...endless, $comment: "one thread" }, evil);
    process.off("worker", count);
    expect([check.kind, threads]).toEqual(["schema_too_slow", 0]);
  });

  it("goes on to check other values by that schema", async () => {
    const { checker } = create();
    await checker.check(endless, evil);
    expect(await checker.check(endless, { a: "aaa" })).toEqual({ kind: "valid" });
    expect((await checker.check(endless, { a: "b" })).kind).toBe("invalid");
  });

  it("does not try a workflow's schema for a minute that was too slow three times in a row, whatever its text", async () => {
    const { checker, clock } = create();
    const of = { organizationId: "o", workflowId: "w" };
    const again = (time: number) => checker.check({ ...endless, $comment: `${time}` }, { a: "aaa" }, { of });
    for (let time = 0; time < 3; time += 1) {
      expect((await again(time)).kind).toBe("valid");
      for (let slow = 0; slow <= time; slow += 1)
        await checker.check({ ...endless, $comment: `${slow}` }, evil, { of });
    }
    expect((await again(9)).kind).toBe("schema_too_slow");
    const other = { of: { ...of, organizationId: "p" } };
    expect(await checker.check(endless, { a: "aaa" }, other)).toEqual({ kind: "valid" });
    clock.advance(60_000);
    expect(await again(9)).toEqual({ kind: "valid" });
  });

  it("says of a schema that takes too long to compile, which its workflow's write refuses", async () => {
    const impatient = new AjvInputChecker({ clock: new FakeClock(), timeoutMs: 1 });
    const names = Array.from({ length: 2_000 }, (_, at) => [`n${at}`, { type: "object", required: ["a"] }]);
    const workflow = { inputSchema: { properties: Object.fromEntries(names) } };
    await expect(requireSchemas({ inputChecker: impatient }, workflow)).rejects.toMatchObject({
      items: [{ loc: ["body", "input_schema"], msg: expect.stringContaining("schema_too_slow") }],
    });
  });

  it("lets others be served while it checks", async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    await create().checker.check(endless, evil);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it("cuts a schema short that doubles its work with each level", async () => {
    const levels = Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => [
        `l${level}`,
        level === 39 ? { type: "string" } : { anyOf: Array(2).fill({ $ref: `#/$defs/l${level + 1}` }) },
      ]),
    );
    const check = await create().checker.check({ $ref: "#/$defs/l0", $defs: levels }, { a: 1 });
    expect(check.kind).toBe("schema_too_slow");
  });
});

describe("AjvInputChecker: schemas that ask for too much", () => {
  const long = "a".repeat(20_000);

  it.each([
    ["that is long", long],
    ["that repeats repetitions", "(?:(?:a{1000}){1000}){1000}"],
  ])("says so of a pattern %s, which V8 refuses only when it is used", async (_, pattern) => {
    const check = await create().checker.check({ properties: { a: { pattern } } }, { a: "b" });
    expect(check.kind).not.toBe("valid");
    expect(JSON.stringify(check).length).toBeLessThan(1_000);
  });

  it("cuts short the telling of what is wrong a thousand times over", async () => {
    const values = Array.from({ length: 3_000 }, (_, index) => `value number ${index}`);
    const levels = Object.fromEntries(
      Array.from({ length: 13 }, (_, level) => [
        `l${level}`,
        level === 12 ? { enum: values } : { allOf: Array(2).fill({ $ref: `#/$defs/l${level + 1}` }) },
      ]),
    );
    const { checker } = create();
    await checker.checkSchema({});
    const startedMs = performance.now();
    const check = await checker.check({ $ref: "#/$defs/l0", $defs: levels }, {});
    expect(["invalid", "schema_too_slow"]).toContain(check.kind);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  it("tells long names, deep places and long lists in short", async () => {
    const { checker } = create();
    const deep = { items: { items: { $ref: "#/$defs/deep" }, type: ["array", "null"] } };
    const deepValue: unknown = JSON.parse(`${"[".repeat(300)}1${"]".repeat(300)}`);
    const schema: JsonObject = {
      properties: {
        a: { additionalProperties: { type: "string" } },
        b: { $ref: "#/$defs/deep" },
        c: { dependentRequired: { [long]: [long, "z"] } },
      },
      required: [long],
      $defs: { deep },
    };
    const value = { a: { [long]: 1 }, b: deepValue, c: { [long]: 1 } } as unknown as JsonObject;
    const check = await checker.check(schema, value);
    expect(check.kind === "invalid" && check.errors.length).toBeGreaterThan(2);
    for (const error of check.kind === "invalid" ? check.errors : []) {
      expect(JSON.stringify(error).length).toBeLessThan(1_200);
    }
  });
});
