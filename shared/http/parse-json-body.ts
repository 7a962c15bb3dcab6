import { DomainError } from "../domain/errors.ts";
import { InvalidInput, type InvalidItem } from "../domain/invalid-input.ts";
import { jsonErrorPosition } from "./json-error-position.ts";

/** Deeper bodies are refused: everything after walks them by recursion. */
const depthMax = 64;

/**
 * The JSON of a body; undefined for an empty one.
 *
 * @throws {InvalidInput} `json_invalid` with the position, and what no store can keep: a number beyond what a
 * double holds, half a surrogate pair, the name `__proto__`.
 * @throws {DomainError} `payload_too_large`.
 */
export function parseJsonBody(bytes: Uint8Array, bytesMax: number): unknown {
  if (bytes.byteLength > bytesMax) {
    throw new DomainError(
      "payload_too_large",
      `the body has ${bytes.byteLength} bytes; this operation takes at most ${bytesMax}`,
    );
  }
  if (bytes.byteLength === 0) return undefined;
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What V8 says of it quotes the body, which may hold secrets.
    throw invalidJson(jsonErrorPosition(text), "Expecting a JSON value as of RFC 8259");
  }
  const [...problems] = unstorable(value);
  if (problems.length > 0) throw new InvalidInput(problems);
  return value;
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

function* unstorable(root: unknown): Generator<InvalidItem> {
  const queue: { readonly loc: readonly (string | number)[]; readonly value: unknown }[] = [
    { loc: ["body"], value: root },
  ];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { loc, value } = next;
    if (typeof value === "number" && !Number.isFinite(value)) {
      yield { loc, msg: "Input should be a finite number", type: "finite_number" };
    } else if (typeof value === "string" && !value.isWellFormed()) {
      yield {
        loc,
        msg: "Input should be a valid string, without half surrogate pairs",
        type: "string_unicode",
      };
    } else if (value !== null && typeof value === "object") {
      if (loc.length > depthMax) throw invalidJson(0, `nested deeper than ${depthMax} levels`);
      const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
        ? value.map((item, index) => [index, item] as const)
        : Object.entries(value);
      for (const [name, item] of entries) {
        if (typeof name === "string" && (name === "__proto__" || !name.isWellFormed())) {
          yield { loc, msg: "Value error, one of its names cannot be used", type: "value_error" };
        } else {
          queue.push({ loc: [...loc, name], value: item });
        }
      }
    }
  }
}
