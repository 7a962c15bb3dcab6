import type { ErrorObject, ValidateFunction } from "ajv";
import type { Clock } from "../domain/clock.ts";
import type { JsonObject } from "../domain/json.ts";
import type { InputCheck, InputChecker, InputCheckOptions } from "../domain/run/inputs/input-checker.ts";
import type { Dialect } from "./ajv-dialects.ts";
import { callBounded } from "./bounded-call.ts";
import { type FittedCheck, fitToSecrets } from "./fit-to-secrets.ts";
import { pathOf, presentErrors, surplusName } from "./present-errors.ts";

export interface AjvInputCheckerOptions {
  readonly clock: Pick<Clock, "now">;
  /** For compiling a schema, and again for each check. @default 250 */
  readonly timeoutMs?: number;
}

type Refusal = Extract<InputCheck, { kind: `schema_${string}` }>;

interface KnownSchema {
  readonly outcome: { readonly kind: "compiled"; readonly validate: ValidateFunction } | Refusal;
  /** How often in a row it took too long, and until when it is not tried again. */
  slow: number;
  slowUntilMs: number;
}

/** Compiled schemas in the cache; the least recently used one is evicted. */
const knownMax = 50;

/** So that one schema cannot keep a matcher busy. */
const slowMax = 3;
const slowPauseMs = 60_000;

const dialects: readonly (readonly [RegExp, Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, "2020-12"],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, "2019-09"],
  // Version 7 only adds keywords to 6.
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, "draft-07"],
];

/** Checks with ajv, which is loaded with the first schema. */
export class AjvInputChecker implements InputChecker {
  readonly #clock: Pick<Clock, "now">;
  readonly #timeoutMs: number;
  readonly #known = new Map<string, KnownSchema>();

  constructor({ clock, timeoutMs = 250 }: AjvInputCheckerOptions) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  async checkSchema(schema: JsonObject): Promise<{ readonly kind: "valid" } | Refusal> {
    try {
      const { outcome } = await this.#knownSchema(schema);
      return outcome.kind === "compiled" ? { kind: "valid" } : outcome;
    } catch (error) {
      return tooDeep(error);
    }
  }

  async check(schema: JsonObject, given: JsonObject, options: InputCheckOptions = {}): Promise<InputCheck> {
    try {
      const fitted = fitToSecrets(schema, given, options);
      const known = await this.#knownSchema(fitted.schema);
      if (known.outcome.kind !== "compiled") return known.outcome;
      const { validate } = known.outcome;
      if (this.#clock.now() < known.slowUntilMs) return this.#tooSlow();
      const checked = callBounded(() => judge(validate, fitted), this.#timeoutMs);
      if (checked.kind === "too_slow") {
        known.slow += 1;
        if (known.slow >= slowMax) known.slowUntilMs = this.#pauseEndMs();
        return this.#tooSlow();
      }
      known.slow = 0;
      return checked.value;
    } catch (error) {
      return tooDeep(error);
    }
  }

  async #knownSchema(schema: JsonObject): Promise<KnownSchema> {
    const text = JSON.stringify(schema);
    const found = this.#known.get(text);
    const known = found && !this.#isToTryAgain(found) ? found : await this.#compiled(schema);
    this.#known.delete(text);
    this.#known.set(text, known);
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > knownMax && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }

  async #compiled(schema: JsonObject): Promise<KnownSchema> {
    const outcome = await this.#compile(schema);
    return { outcome, slow: 0, slowUntilMs: outcome.kind === "schema_too_slow" ? this.#pauseEndMs() : 0 };
  }

  /** Whether its compilation took too long some time ago: the machine may have been busy. */
  #isToTryAgain({ outcome, slowUntilMs }: KnownSchema): boolean {
    return outcome.kind === "schema_too_slow" && this.#clock.now() >= slowUntilMs;
  }

  #pauseEndMs(): number {
    return this.#clock.now() + slowPauseMs;
  }

  async #compile(schema: JsonObject): Promise<KnownSchema["outcome"]> {
    // `$async` would make the check a promise, which is true whatever the value.
    const { $schema, $async: _async, ...plain } = schema;
    const dialect = dialectOf($schema);
    if (dialect === undefined) {
      return unusable("$schema names none of the dialects 2020-12, 2019-09, draft-07 and draft-06");
    }
    const { compileSchema, metaSchemaOf } = await import("./ajv-dialects.ts");
    const judge = metaSchemaOf(dialect);
    try {
      const compiled = callBounded(
        () => (judge(plain) === true ? compileSchema(dialect, plain) : firstOf(judge.errors ?? [], plain)),
        this.#timeoutMs,
      );
      if (compiled.kind === "too_slow") return this.#tooSlow();
      const { value } = compiled;
      return typeof value === "string" ? unusable(value) : { kind: "compiled", validate: value };
    } catch (error) {
      return error instanceof RangeError ? tooDeep(error) : unusable(textOf(error));
    }
  }

  #tooSlow(): Refusal {
    return {
      kind: "schema_too_slow",
      message: `schema_too_slow: checking by it took longer than ${this.#timeoutMs} ms; look for patterns that backtrack without end`,
    };
  }
}

function dialectOf($schema: unknown): Dialect | undefined {
  if ($schema === undefined) return "2020-12";
  return typeof $schema === "string" ? dialects.find(([address]) => address.test($schema))?.[1] : undefined;
}

/** The meta-schema's first error about a schema. */
function firstOf(errors: readonly ErrorObject[], schema: JsonObject): string {
  const [first] = presentErrors(errors, schema);
  return first === undefined ? "is no JSON Schema" : `${first.path.join(".") || "it"} ${first.message}`;
}

/** All work that grows with the errors: a schema can find the same error a hundred thousand times. */
function judge(validate: ValidateFunction, { value, passedOver }: FittedCheck): InputCheck {
  try {
    if (validate(value) === true) return { kind: "valid" };
    const told = (validate.errors ?? []).filter((error) => !isPassedOver(error, passedOver));
    return told.length === 0 ? { kind: "valid" } : { kind: "invalid", errors: presentErrors(told, value) };
  } catch (error) {
    // V8 compiles a regular expression at its first use, and only then finds it too large.
    return error instanceof RangeError ? tooDeep(error) : unusable(textOf(error));
  } finally {
    validate.errors = null;
  }
}

function isPassedOver(error: ErrorObject, names: ReadonlySet<string>): boolean {
  if (error.instancePath === "") return names.has(surplusName(error) ?? error.propertyName ?? "");
  const [name] = pathOf(error.instancePath, null);
  return names.has(String(name));
}

/** @throws errors that are not about the schema. */
function tooDeep(error: unknown): Refusal {
  if (!(error instanceof RangeError)) throw error;
  return unusable("it, or the value, is nested too deeply, or it refers to itself without end");
}

const messageCharactersMax = 300;

function unusable(message: string): Refusal {
  const text = message.length > messageCharactersMax ? `${message.slice(0, messageCharactersMax)}…` : message;
  return { kind: "schema_unusable", message: `is no usable JSON Schema: ${text}` };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
