import { Script } from "node:vm";
import { parentPort } from "node:worker_threads";
import type { ErrorObject, ValidateFunction } from "ajv";
import type { JsonObject } from "../domain/json.ts";
import type { InputCheck } from "../domain/workflow/input-checker.ts";
import { compileSchema, type Dialect, metaSchemaOf } from "./ajv-dialects.ts";
import type { CheckMessage, CheckOutcome, CheckRequest } from "./check-thread.ts";
import { type FittedCheck, fitToSecrets } from "./fit-to-secrets.ts";
import { pathOf, presentErrors, surplusName } from "./present-errors.ts";

type Compiled =
  | { readonly kind: "compiled"; readonly validate: ValidateFunction }
  | Extract<InputCheck, { readonly kind: "schema_unusable" }>;

const knownMax = 50;
const known = new Map<string, Compiled>();

parentPort?.on("message", (request: CheckRequest) => {
  const judge = metaSchemaOf(request.dialect);
  // From here on the time is spent on the customer's schema.
  tell({ kind: "begun" });
  tell({ kind: "done", check: withinTime(request.timeoutMs, () => checked(request, judge)) });
});

/** Only a script can be interrupted, and that even inside a regular expression. */
const script = new Script("checkWithinTime()");

/** https://nodejs.org/docs/latest-v24.x/api/vm.html#scriptruninthiscontextoptions */
function withinTime(timeout: number, check: () => InputCheck): CheckOutcome {
  Object.assign(globalThis, { checkWithinTime: check });
  try {
    return script.runInThisContext({ timeout }) as InputCheck;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    return { kind: "ended" };
  }
}

function tell(message: CheckMessage): void {
  parentPort?.postMessage(message);
}

function checked({ dialect, schema, value, options }: CheckRequest, judge: ValidateFunction): InputCheck {
  try {
    const whole = JSON.parse(schema) as JsonObject;
    const fitted = fitToSecrets(whole, JSON.parse(value ?? "{}") as JsonObject, options);
    const text = fitted.schema === whole ? schema : JSON.stringify(fitted.schema);
    const compiled = known.get(text) ?? compile(dialect, fitted.schema, judge);
    known.delete(text);
    known.set(text, compiled);
    const oldest = known.keys().next().value;
    if (known.size > knownMax && oldest !== undefined) known.delete(oldest);
    if (compiled.kind !== "compiled") return compiled;
    return value === undefined ? { kind: "valid" } : validated(compiled.validate, fitted);
  } catch (error) {
    return unusable(error);
  }
}

function compile(dialect: Dialect, schema: JsonObject, judge: ValidateFunction): Compiled {
  // `$async` would make the check a promise, which is true whatever the value.
  const { $schema: _dialect, $async: _async, ...plain } = schema;
  try {
    if (judge(plain) !== true) return unusable(firstOf(judge.errors ?? [], plain));
    return { kind: "compiled", validate: compileSchema(dialect, plain) };
  } catch (error) {
    return unusable(error);
  }
}

function firstOf(errors: readonly ErrorObject[], schema: JsonObject): string {
  const [first] = presentErrors(errors, schema);
  return first === undefined ? "is no JSON Schema" : `${first.path.join(".") || "it"} ${first.message}`;
}

/** The time grows with the errors, too, because a schema can find the same error a hundred thousand times. */
function validated(validate: ValidateFunction, { value, passedOver }: FittedCheck): InputCheck {
  try {
    if (validate(value) === true) return { kind: "valid" };
    const told = (validate.errors ?? []).filter((error) => !isPassedOver(error, passedOver));
    return told.length === 0 ? { kind: "valid" } : { kind: "invalid", errors: presentErrors(told, value) };
  } finally {
    validate.errors = null;
  }
}

function isPassedOver(error: ErrorObject, names: ReadonlySet<string>): boolean {
  if (error.instancePath === "") return names.has(surplusName(error) ?? error.propertyName ?? "");
  const [name] = pathOf(error.instancePath, null);
  return names.has(String(name));
}

const messageCharactersMax = 300;

/** V8 compiles a regular expression at its first use, and only then finds it too large. */
function unusable(cause: unknown): Extract<InputCheck, { readonly kind: "schema_unusable" }> {
  const said = cause instanceof Error ? cause.message : String(cause);
  const isTooDeep = cause instanceof RangeError;
  const message = isTooDeep
    ? "it, or the value, is nested too deeply, or it refers to itself without end"
    : said;
  const text = message.length > messageCharactersMax ? `${message.slice(0, messageCharactersMax)}…` : message;
  return { kind: "schema_unusable", message: `is no usable JSON Schema: ${text}` };
}
