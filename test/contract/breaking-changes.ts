import { isDeepStrictEqual } from "node:util";

type Json = Readonly<Record<string, unknown>>;

/** `request` is read by the service, `response` by whoever it serves. */
type Direction = "request" | "response";

const annotations: ReadonlySet<string> = new Set([
  ..."$comment $id $schema contentEncoding contentMediaType deprecated description example examples".split(
    " ",
  ),
  ..."discriminator readOnly summary title writeOnly".split(" "),
]);
const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const compared: ReadonlySet<string> = new Set([
  ...["$ref", "anyOf", "oneOf", "type", "const", "enum", "properties", "required", "additionalProperties"],
  ...["items", "propertyNames", "default", "pattern", "format", ...lowerBounds, ...upperBounds],
]);
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * The changes from one document (OpenAPI 3.1 or AsyncAPI 3) to another that would break a client: one line each, that
 * begins with its place. What may come in is narrowed, what goes out is missing or another than before. A keyword that
 * is not known here counts as broken by any change.
 *
 * No package does: of 16 breaks like those of the test, `api-smart-diff` misses five, and `openapi-diff` reads no 3.1 (2026-11-24).
 */
export function breakingChanges(before: object, after: object): readonly string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const comparison = new Comparison(before as Json, after as Json);
  comparison.paths();
  comparison.messages();
  return [...new Set(comparison.found)];
}

class Comparison {
  readonly found: string[] = [];
  readonly #before: Json;
  readonly #after: Json;
  /** Schemas by name that are compared already, or just now, since they may hold themselves. */
  readonly #known = new Set<string>();

  constructor(before: Json, after: Json) {
    this.#before = before;
    this.#after = after;
  }

  paths(): void {
    const after = child(this.#after, "paths");
    for (const [path, item] of entries(child(this.#before, "paths"))) {
      for (const method of methods.filter((name) => name in item)) {
        const place = `${method.toUpperCase()} ${path}`;
        const now = child(after, path)[method];
        if (now === undefined) this.#add(place, "is gone");
        else this.#operation(place, child(item, method), now as Json);
      }
    }
  }

  messages(): void {
    this.#handshakes();
    const operations = child(this.#after, "operations");
    for (const [name, operation] of entries(child(this.#before, "operations"))) {
      const now = child(operations, name);
      for (const message of list(operation.messages)) {
        const place = `${name} ${lastOf(message.$ref)}`;
        const isThere = list(now.messages).some(({ $ref }) => $ref === message.$ref);
        if (!isThere || now.action !== operation.action) {
          this.#add(place, "is gone");
          continue;
        }
        const [payload, payloadNow] = [this.#old(message), this.#new(message)].map(
          (found) => found.payload as Json,
        );
        const direction = operation.action === "send" ? "response" : "request";
        this.#schema(place, payload ?? {}, payloadNow ?? {}, direction);
      }
    }
  }

  #handshakes(): void {
    const headersOf = (channel: Json) => child(child(child(channel, "bindings"), "ws"), "headers");
    for (const [name, channel] of entries(child(this.#before, "channels"))) {
      const now = child(child(this.#after, "channels"), name);
      this.#same(`channel ${name}`, "address", channel.address, now.address);
      this.#schema(`channel ${name} headers`, headersOf(channel), headersOf(now), "request");
    }
  }

  #operation(place: string, before: Json, after: Json): void {
    const [security, securityNow] = [before.security, after.security];
    this.#same(place, "security", security ?? this.#before.security, securityNow ?? this.#after.security);
    this.#parameters(place, before, after);
    this.#requestBody(place, this.#old(before.requestBody), this.#new(after.requestBody));
    const responses = child(after, "responses");
    for (const [status, response] of entries(child(before, "responses"))) {
      const at = `${place} ${status}`;
      // A refusal that is given no more breaks nobody.
      if (!(status in responses)) {
        if (status < "300") this.#add(at, "is gone");
      } else this.#response(at, this.#old(response), this.#new(responses[status]));
    }
  }

  #parameters(place: string, before: Json, after: Json): void {
    const keyOf = (parameter: Json) => `${parameter.in} ${parameter.name}`;
    const old = list(before.parameters).map((one) => this.#old(one));
    const now = list(after.parameters).map((one) => this.#new(one));
    for (const parameter of now) {
      const was = old.find((one) => keyOf(one) === keyOf(parameter));
      if (parameter.required === true && was?.required !== true) {
        this.#add(`${place} ${keyOf(parameter)}`, "is required now");
      }
    }
    for (const parameter of old) {
      const at = `${place} ${keyOf(parameter)}`;
      const is = now.find((one) => keyOf(one) === keyOf(parameter));
      if (is === undefined) {
        this.#add(at, "is gone");
        continue;
      }
      const [schema, schemaNow] = [child(parameter, "schema"), child(is, "schema")];
      // One value of a list by commas is written as it was alone.
      if (isByCommas(is) && !typesOf(this.#old(schema)).includes("array")) {
        this.#schema(at, schema, child(schemaNow, "items"), "request");
        continue;
      }
      for (const how of ["style", "explode"]) this.#same(at, how, parameter[how], is[how]);
      this.#schema(at, schema, schemaNow, "request");
    }
  }

  #requestBody(place: string, before: Json, after: Json): void {
    const at = `${place} request`;
    if (after.required === true && before.required !== true) this.#add(at, "is required now");
    this.#content(at, before, after, "request");
  }

  #response(place: string, before: Json, after: Json): void {
    for (const name of Object.keys(child(before, "headers"))) {
      if (!(name in child(after, "headers"))) this.#add(`${place} header ${name}`, "is gone");
    }
    this.#content(place, before, after, "response");
  }

  #content(place: string, before: Json, after: Json, direction: Direction): void {
    const now = child(after, "content");
    for (const [type, { schema = {} }] of entries(child(before, "content"))) {
      if (!(type in now)) this.#add(`${place} ${type}`, "is gone");
      else this.#schema(place, schema as Json, child(child(now, type), "schema"), direction);
    }
  }

  #schema(place: string, one: Json, other: Json, direction: Direction): void {
    const pair = `${one.$ref} ${other.$ref} ${direction}`;
    const name = one.$ref ?? other.$ref;
    if (name !== undefined && this.#known.has(pair)) return;
    if (name !== undefined) this.#known.add(pair);
    // A schema with a name is a place of its own, wherever it is used.
    const at = name === undefined ? place : `${direction} ${lastOf(name)}`;
    const [before, after] = [this.#old(one), this.#new(other)];
    if (isUnion(before) || isUnion(after)) this.#union(at, before, after, direction);
    else this.#plain(at, before, after, direction);
  }

  /** Each alternative that a client knows or sends must fit one that there is. */
  #union(place: string, before: Json, after: Json, direction: Direction): void {
    const [old, now] = [this.#alternatives(before), this.#alternatives(after)];
    const fits = (one: Json, other: Json) => {
      const trial = new Comparison(this.#before, this.#after);
      for (const pair of this.#known) trial.#known.add(pair);
      trial.#schema(place, one, other, direction);
      return trial.found;
    };
    const tried =
      direction === "request"
        ? old.map((one) => now.map((other) => fits(one, other)))
        : now.map((other) => old.map((one) => fits(one, other)));
    for (const [number, attempts] of tried.entries()) {
      if (attempts.some((found) => found.length === 0)) continue;
      // Changed in itself rather than exchanged: what changed tells more.
      const own = old.length === now.length ? attempts[number] : undefined;
      if (own === undefined) this.#add(place, `alternatives ${old.length} -> ${now.length}`);
      else this.found.push(...own);
    }
  }

  #alternatives(schema: Json): readonly Json[] {
    if (!isUnion(schema)) return typesOf(schema).map((type) => ({ ...schema, type }));
    const { anyOf, oneOf, ...beside } = schema;
    return list(anyOf ?? oneOf).flatMap((one) =>
      isUnion(one) ? this.#alternatives({ ...beside, ...one }) : [{ ...beside, ...one }],
    );
  }

  #plain(place: string, before: Json, after: Json, direction: Direction): void {
    this.#types(place, before, after, direction);
    this.#values(place, before, after, direction);
    if (direction === "request") this.#bounds(place, before, after);
    this.#properties(place, before, after, direction);
    for (const inner of ["items", "propertyNames", "additionalProperties"] as const) {
      const [old, now] = [before[inner], after[inner]];
      if (isObject(old) && isObject(now)) {
        this.#schema(`${place}${inner === "items" ? "[]" : `.{${inner}}`}`, old, now, direction);
      } else if (direction === "request" && (now === false || isObject(now))) {
        this.#same(place, inner, old, now);
      }
    }
    if (before.format !== after.format && (direction === "response" || after.format !== undefined)) {
      this.#same(place, "format", before.format, after.format);
    }
    for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (annotations.has(keyword) || compared.has(keyword) || keyword.startsWith("x-")) continue;
      if (!isDeepStrictEqual(before[keyword], after[keyword])) this.#add(place, `${keyword} is another now`);
    }
  }

  #types(place: string, before: Json, after: Json, direction: Direction): void {
    const [old, now] = [typesOf(before), typesOf(after)];
    const isNarrowed = direction === "request" && !old.every((type) => covers(now, type));
    const isWidened = direction === "response" && !now.every((type) => covers(old, type));
    if (isNarrowed || isWidened) this.#add(place, `type ${old.join("|")} -> ${now.join("|")}`);
  }

  /** A value less breaks who sends it, and who waits for it; a value more breaks nobody. */
  #values(place: string, before: Json, after: Json, direction: Direction): void {
    const [old, now] = [valuesOf(before), valuesOf(after)];
    if (old === undefined && now !== undefined && direction === "request")
      this.#add(place, "has an enum now");
    if (old !== undefined && now === undefined && direction === "response")
      this.#add(place, "has no enum now");
    if (old === undefined || now === undefined) return;
    for (const value of old) {
      const isThere = now.some((one) => isDeepStrictEqual(one, value));
      if (!isThere) this.#add(place, `value ${JSON.stringify(value)} is gone`);
    }
  }

  #bounds(place: string, before: Json, after: Json): void {
    for (const bound of [...lowerBounds, ...upperBounds]) {
      const isLower = lowerBounds.includes(bound);
      const none = isLower ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      const [old, now] = [before[bound] ?? none, after[bound] ?? none] as [unknown, unknown] as [
        number,
        number,
      ];
      if (isLower ? now > old : now < old) this.#same(place, bound, before[bound], after[bound]);
    }
    if (after.pattern !== undefined) this.#same(place, "pattern", before.pattern, after.pattern);
    this.#same(place, "default", before.default, after.default);
  }

  #properties(place: string, before: Json, after: Json, direction: Direction): void {
    const now = child(after, "properties");
    for (const [name, schema] of entries(child(before, "properties"))) {
      if (!(name in now)) this.#add(`${place}.${name}`, "is gone");
      else this.#schema(`${place}.${name}`, schema, now[name] as Json, direction);
    }
    const [old, required] = [before, after].map((schema) => (schema.required ?? []) as readonly string[]);
    for (const name of required ?? []) {
      if (direction === "request" && !old?.includes(name)) this.#add(`${place}.${name}`, "is required now");
    }
    for (const name of old ?? []) {
      const isLeftOut = name in now && !required?.includes(name);
      if (direction === "response" && isLeftOut) this.#add(`${place}.${name}`, "is optional now");
    }
  }

  #same(place: string, what: string, before: unknown, after: unknown): void {
    if (isDeepStrictEqual(before, after)) return;
    this.#add(place, `${what} ${JSON.stringify(before)} -> ${JSON.stringify(after)}`);
  }

  #add(place: string, change: string): void {
    this.found.push(`${place}: ${change}`);
  }

  #old(node: unknown): Json {
    return resolve(this.#before, node);
  }

  #new(node: unknown): Json {
    return resolve(this.#after, node);
  }
}

function isByCommas({ style, explode, schema }: Json): boolean {
  return style === "form" && explode === false && isObject(schema) && schema.type === "array";
}

function resolve(document: Json, node: unknown): Json {
  if (!isObject(node)) return {};
  const { $ref, ...beside } = node;
  if (typeof $ref !== "string") return node;
  const found = $ref
    .slice("#/".length)
    .split("/")
    .reduce((at, name) => child(at, name.replaceAll("~1", "/").replaceAll("~0", "~")), document);
  return { ...resolve(document, found), ...beside };
}

function lastOf(reference: unknown): string {
  return String(reference).split("/").at(-1) ?? "";
}

const allTypes = ["array", "boolean", "integer", "null", "number", "object", "string"];

function typesOf({ type }: Json): readonly string[] {
  if (type === undefined) return allTypes;
  return Array.isArray(type) ? type : [String(type)];
}

function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

function valuesOf(schema: Json): readonly unknown[] | undefined {
  return "const" in schema ? [schema.const] : (schema.enum as readonly unknown[] | undefined);
}

function isUnion(schema: Json): boolean {
  return "anyOf" in schema || "oneOf" in schema;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function child(node: Json, name: string): Json {
  const value = node[name];
  return isObject(value) ? value : {};
}

function entries(node: Json): readonly [string, Json][] {
  return Object.entries(node) as [string, Json][];
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
