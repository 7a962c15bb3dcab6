import type { Clock } from "../domain/clock.ts";
import type { JsonObject } from "../domain/json.ts";
import type { InputCheck, InputChecker, InputCheckOptions } from "../domain/workflow/input-checker.ts";
import type { Dialect } from "./ajv-dialects.ts";
import { checkMemoryMax, checkThread } from "./check-thread.ts";

export interface AjvInputCheckerOptions {
  readonly clock: Pick<Clock, "now">;
  readonly timeoutMs?: number;
}

type Refusal = Extract<InputCheck, { kind: `schema_${string}` }>;

interface Slowness {
  readonly times: number;
  readonly untilMs: number;
}

/** Keeps one workflow from occupying a matcher, whatever its schema is changed to. */
const slowMax = 3;
const slowPauseMs = 60_000;
const rememberedMax = 1_000;

const dialects: readonly (readonly [RegExp, Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, "2020-12"],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, "2019-09"],
  // Version 7 only adds keywords to 6.
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, "draft-07"],
];

/** Checks with ajv, in a separate thread that starts with the first check. */
export class AjvInputChecker implements InputChecker {
  readonly #clock: Pick<Clock, "now">;
  readonly #timeoutMs: number;
  readonly #slow = new Map<string, Slowness>();

  constructor({ clock, timeoutMs = 250 }: AjvInputCheckerOptions) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  async checkSchema(schema: JsonObject): Promise<{ readonly kind: "valid" } | Refusal> {
    const check = await this.#run(schema, undefined, {});
    return check.kind === "invalid" ? { kind: "valid" } : check;
  }

  async check(schema: JsonObject, value: JsonObject, options: InputCheckOptions = {}): Promise<InputCheck> {
    const owner = options.of === undefined ? undefined : Object.values(options.of).join(" ");
    const slow = owner === undefined ? undefined : this.#slow.get(owner);
    if (slow !== undefined && this.#clock.now() < slow.untilMs) return this.#tooSlow();
    const check = await this.#run(schema, value, options);
    if (owner !== undefined) this.#remember(owner, slow, check);
    return check;
  }

  #remember(owner: string, before: Slowness | undefined, { kind }: InputCheck): void {
    this.#slow.delete(owner);
    if (kind !== "schema_too_slow") return;
    const times = (before?.times ?? 0) + 1;
    this.#slow.set(owner, { times, untilMs: times < slowMax ? 0 : this.#clock.now() + slowPauseMs });
    const oldest = this.#slow.keys().next().value;
    if (this.#slow.size > rememberedMax && oldest !== undefined) this.#slow.delete(oldest);
  }

  async #run(schema: JsonObject, value: JsonObject | undefined, options: InputCheckOptions) {
    const dialect = dialectOf(schema.$schema);
    if (dialect === undefined) {
      return unusable("$schema names none of the dialects 2020-12, 2019-09, draft-07 and draft-06");
    }
    const { of: _of, ...judged } = options;
    let request: Parameters<typeof checkThread.run>[0];
    try {
      const given = value === undefined ? {} : { value: JSON.stringify(value) };
      const timeoutMs = this.#timeoutMs;
      request = { dialect, schema: JSON.stringify(schema), ...given, options: judged, timeoutMs };
    } catch (error) {
      if (error instanceof RangeError) return unusable("it, or the value, is nested too deeply");
      throw error;
    }
    const outcome = await checkThread.run(request);
    return outcome.kind === "ended" ? this.#tooSlow() : outcome;
  }

  #tooSlow(): Refusal {
    return {
      kind: "schema_too_slow",
      message: `schema_too_slow: checking by it took longer than ${this.#timeoutMs} ms, or more than ${checkMemoryMax} MB; look for patterns that backtrack without end`,
    };
  }
}

function dialectOf($schema: unknown): Dialect | undefined {
  if ($schema === undefined) return "2020-12";
  return typeof $schema === "string" ? dialects.find(([address]) => address.test($schema))?.[1] : undefined;
}

function unusable(message: string): Refusal {
  return { kind: "schema_unusable", message: `is no usable JSON Schema: ${message}` };
}
