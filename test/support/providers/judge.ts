import { isDeepStrictEqual } from "node:util";
import type { SeenPicture } from "./wire-format.ts";

export class RefusedRequest extends Error {}

export function require(isRight: boolean, what: string): asserts isRight {
  if (!isRight) throw new RefusedRequest(what);
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** @throws {RefusedRequest} unless it is a PNG in base64 that says its size. */
export function readPicture(base64: string): SeenPicture {
  const png = Buffer.from(base64, "base64");
  require(png.toString("base64") === base64, "a picture is not in base64");
  require(png.subarray(0, 8).equals(pngStart) && png.length > 24, "a picture is no PNG");
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  require(width > 0 && height > 0 && width <= 8_000 && height <= 8_000, "a picture's size");
  return { png, width, height };
}

export function requireAnswers(calls: readonly string[], answered: readonly string[]): void {
  require(new Set(answered).size === answered.length, "a call has two results");
  require(isDeepStrictEqual(
    [...calls].sort(),
    [...answered].sort(),
  ), `calls ${calls.join()}, results ${answered.join()}`);
}

export class SaidBefore {
  readonly #turns = new Map<string, unknown>();
  #count = 0;

  id(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count.toString().padStart(6, "0")}`;
  }

  keep(id: string, turn: unknown): void {
    this.#turns.set(id, structuredClone(turn));
  }

  /** @throws {RefusedRequest} unless the turn is exactly the one with that id. */
  requireUnchanged(id: string, turn: unknown): void {
    const said = this.#turns.get(id);
    require(said !== undefined, `${id} was never said`);
    require(isDeepStrictEqual(
      JSON.parse(JSON.stringify(said)),
      JSON.parse(JSON.stringify(turn)),
    ), `${id} was changed: ${JSON.stringify(turn)} instead of ${JSON.stringify(said)}`);
  }
}

/** Keywords allowed in the schema of a `strict` tool, as each provider documents them. */
const strictKeywords = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "description",
  "anyOf",
  "const",
]);

/** @param requiresAll each property has to be required, as by OpenAI. */
export function requireStrictSchema(schema: unknown, requiresAll: boolean): void {
  require(typeof schema === "object" && schema !== null, "a schema is no object");
  const node = schema as Record<string, unknown>;
  for (const keyword of Object.keys(node))
    require(strictKeywords.has(keyword), `a strict schema has ${keyword}`);
  if (node.type === "object") {
    require(node.additionalProperties === false, "a strict object is open");
    const properties = Object.entries((node.properties ?? {}) as Record<string, unknown>);
    const required = (node.required ?? []) as readonly string[];
    if (requiresAll)
      require(properties.every(([name]) =>
        required.includes(name),
      ), "a strict object has an optional property");
    for (const [, property] of properties) requireStrictSchema(property, requiresAll);
  }
  if (node.items !== undefined) requireStrictSchema(node.items, requiresAll);
}
