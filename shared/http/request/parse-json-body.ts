import { DomainError } from "../../domain/errors.ts";
import { InvalidInput, type InvalidItem } from "../../domain/invalid-input.ts";
import { jsonDepthMax } from "../../vocabulary/json.ts";
import { jsonErrorPosition } from "./json-error-position.ts";

const problemsMax = 100;

/** @throws {InvalidInput} for no JSON, or text that no store can keep. @throws {DomainError} `payload_too_large` */
export function parseJsonBody(body: Uint8Array | string, bytesMax: number): unknown {
  requireBodyBytes(body, bytesMax);
  if (body.length === 0) return undefined;
  const text = typeof body === "string" ? body : decode(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // V8's message quotes the body, which may hold secrets.
    throw invalidJson(jsonErrorPosition(text), "Expecting a JSON value as of RFC 8259");
  }
  const problems = unstorable(value);
  if (problems.length > 0) throw new InvalidInput(problems);
  return value;
}

/** @throws {DomainError} `payload_too_large` */
export function requireBodyBytes(body: Uint8Array | string, bytesMax: number): void {
  const bytes = Buffer.byteLength(body);
  if (bytes <= bytesMax) return;
  const message = `the body has ${bytes} bytes; this operation takes at most ${bytesMax}`;
  throw new DomainError("payload_too_large", message);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidJson(0, "Expecting UTF-8");
  }
}

function invalidJson(position: number, error: string): InvalidInput {
  return new InvalidInput([
    { loc: ["body", position], msg: "JSON decode error", type: "json_invalid", ctx: { error } },
  ]);
}

/** The whole walk shares one path: a path for each value would take a hundred times the body's memory. */
function unstorable(root: unknown): readonly InvalidItem[] {
  const problems: InvalidItem[] = [];
  const path: (string | number)[] = ["body"];
  const add = (msg: string, type: string): void => {
    problems.push({ loc: [...path], msg, type });
  };
  const visit = (value: unknown): void => {
    if (typeof value === "number" && !Number.isFinite(value)) {
      add("Input should be a finite number", "finite_number");
    } else if (typeof value === "string" && !value.isWellFormed()) {
      add("Input should be a valid string, without half surrogate pairs", "string_unicode");
    } else if (value !== null && typeof value === "object") {
      if (path.length > jsonDepthMax) throw invalidJson(0, `nested deeper than ${jsonDepthMax} levels`);
      visitInside(value);
    }
  };
  const visitInside = (value: object): void => {
    for (const [name, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      if (problems.length >= problemsMax) return;
      if (typeof name === "string" && (name === "__proto__" || !name.isWellFormed())) {
        add("Value error, one of its names cannot be used", "value_error");
        continue;
      }
      path.push(name);
      visit(item);
      path.pop();
    }
  };
  visit(root);
  return problems;
}
