import { componentSchemas, type OpenApiDocument } from "../../../infra/openapi/document-parts.ts";
import {
  alternativesOf,
  isSchema,
  propertiesOf,
  referredName,
  type Schema,
} from "../../../infra/openapi/schema-tree.ts";
import { contentsOf, operationsIn } from "./document-parts.ts";

/**
 * Content types that `test/clients/options/openapi-python-client.yaml` maps to bytes: the generator knows no pictures.
 */
const overriddenTypes: ReadonlySet<string> = new Set(["image/png"]);

const reserved: ReadonlySet<string> = new Set(["client", "url"]);

/**
 * Returns the warnings of `openapi-python-client`, each of which leaves a part out of the client; in its own order.
 * The generator itself is a Python program, and no package of npm has its rules.
 *
 * Source: https://github.com/openapi-generators/openapi-python-client/tree/main/openapi_python_client/parser
 */
export function pythonClientWarnings(document: OpenApiDocument): readonly string[] {
  return new Reading(document).warnings;
}

const requestTypes: ReadonlySet<string> = new Set(["application/json", "multipart/form-data"]);

class Reading {
  readonly warnings: string[] = [];
  readonly #components: Readonly<Record<string, Schema>>;
  readonly #classes = new Map<string, string>();
  readonly #modules = new Map<string, string>();

  constructor(document: OpenApiDocument) {
    this.#components = componentSchemas(document);
    for (const [name, schema] of Object.entries(this.#components)) this.#property(name, schema, "");
    this.#parameters(document);
    for (const { place, type, media } of contentsOf(document, "request")) {
      if (!requestTypes.has(type)) this.#warn(place, `unsupported content type ${type}`);
      if (isSchema(media.schema)) this.#property("body", media.schema, nameOf(document, place));
    }
    this.#responses(document);
  }

  #parameters(document: OpenApiDocument): void {
    const shared = (document.components?.parameters ?? {}) as Readonly<Record<string, object>>;
    for (const { route, operation } of operationsIn(document)) {
      const identifiers = new Set<string>();
      for (const one of operation.parameters ?? []) {
        const found = "$ref" in one ? shared[String(one.$ref).split("/").at(-1) ?? ""] : one;
        const {
          name,
          in: place,
          schema,
          required,
        } = found as {
          name: string;
          in: string;
          schema: Schema;
          required?: boolean;
        };
        const identifier = snakeCase(name);
        if (identifiers.has(identifier) || reserved.has(identifier)) {
          this.#warn(route, `parameters with the identifier ${identifier}`);
        }
        identifiers.add(identifier);
        if (place === "path" && required !== true) this.#warn(route, `${name} is in the path, and optional`);
        if (
          place !== "query" &&
          !["string", "integer", "number", "boolean"].includes(String(this.#resolved(schema).type))
        ) {
          this.#warn(route, `${name} is not allowed in ${place}`);
        }
        this.#property(name, schema, String(operation.operationId));
      }
    }
  }

  #responses(document: OpenApiDocument): void {
    const byPlace = Map.groupBy(contentsOf(document, "response"), ({ place }) => place);
    for (const [place, contents] of byPlace) {
      const isKnown = (type: string) =>
        /^(text\/.*|application\/(.*\+)?json|application\/octet-stream)$/.test(type) ||
        overriddenTypes.has(type);
      const first = contents.find(({ type }) => isKnown(type));
      if (first === undefined)
        this.#warn(place, `unsupported content type ${contents.map(({ type }) => type)}`);
      else if (isSchema(first.media.schema)) {
        this.#property(`response_${place.split(" ").at(-1)}`, first.media.schema, nameOf(document, place));
      }
    }
  }

  #property(name: string, schema: Schema, parent: string): void {
    const place = parent === "" ? name : `${parent}.${name}`;
    const [only, ...others] = [...((schema.allOf ?? []) as readonly Schema[]), ...alternativesOf(schema)];
    const reference = referredName(schema) ?? (others.length === 0 && only ? referredName(only) : undefined);
    if (reference !== undefined) {
      if (this.#components[reference] === undefined) this.#warn(place, `no reference ${reference}`);
      else if (schema.default !== undefined) this.#default(place, schema.default, this.#resolved(schema));
      return;
    }
    if (schema.default !== undefined) this.#default(place, schema.default, schema);
    if (schema.type === "boolean") return;
    if (Array.isArray(schema.enum)) this.#enum(place, className(name, parent), schema.enum);
    else if (only !== undefined || Array.isArray(schema.type)) this.#union(name, schema, parent);
    else if (schema.type === "array") {
      if (!isSchema(schema.items)) this.#warn(place, "an array without items");
      else this.#property(`${name}_item`, schema.items, parent);
    } else if (schema.type === "object" || "properties" in schema) this.#model(place, name, schema, parent);
  }

  #model(place: string, name: string, schema: Schema, parent: string): void {
    const own = className(name, parent);
    if (this.#classes.has(own)) this.#warn(place, `duplicate models with the name ${own}`);
    this.#class(place, own, "a model");
    const identifiers = new Map<string, string>();
    for (const [property, inner] of propertiesOf(schema)) {
      const identifier = snakeCase(property);
      const other = identifiers.get(identifier);
      if (other !== undefined) this.#warn(place, `conflicting properties ${other} and ${property}`);
      identifiers.set(identifier, property);
      this.#property(property, inner, own);
    }
    const { additionalProperties: more } = schema;
    if (isSchema(more) && Object.keys(more).length > 0) this.#property("AdditionalProperty", more, own);
  }

  #enum(place: string, own: string, values: readonly unknown[]): void {
    const types = new Set(values.map((value) => typeof value));
    if (types.size !== 1 || !["string", "number"].includes([...types][0] ?? "")) {
      this.#warn(place, `an enum of ${[...types].join(" and ")}`);
    }
    const keys = values.map((value, at) =>
      /^\p{L}/u.test(String(value)) ? snakeCase(String(value).toUpperCase()) : `value_${at}`,
    );
    if (new Set(keys).size < keys.length) this.#warn(place, `values with one name in ${values.join(", ")}`);
    const shown = values.join(", ");
    if ((this.#classes.get(own) ?? shown) !== shown) this.#warn(place, `conflicting enums named ${own}`);
    this.#class(place, own, shown);
  }

  #union(name: string, schema: Schema, parent: string): void {
    const place = parent === "" ? name : `${parent}.${name}`;
    for (const [at, one] of alternativesOf(schema).entries()) {
      // The generator checks for a union before a type, so properties beside a union are lost.
      if (Object.keys(one).length === 1 && "required" in one) this.#warn(place, "a union of conditions");
      this.#property(`${name}_type_${at}`, one, parent);
    }
    if (isSchema(schema.discriminator)) {
      const references = alternativesOf(schema).map(({ $ref }) => $ref);
      if (references.includes(undefined)) this.#warn(place, "an inline schema beside a discriminator");
      for (const reference of Object.values(schema.discriminator.mapping ?? {})) {
        if (!references.includes(reference)) this.#warn(place, `${reference} is none of the alternatives`);
      }
    }
  }

  #default(place: string, value: unknown, schema: Schema): void {
    const fits = [schema, ...alternativesOf(schema).map((one) => this.#resolved(one))].some((one) => {
      if (Array.isArray(one.enum)) return one.enum.includes(value);
      return one.type === "integer"
        ? Number.isInteger(value)
        : one.type === typeof value && one.type !== "object";
    });
    // A default of a model or a list is ignored in place, and invalid behind a reference.
    const isPassedOver = typeof value === "object" && !("$ref" in schema);
    if (!fits && !isPassedOver) this.#warn(place, `default ${JSON.stringify(value)}`);
  }

  #class(place: string, own: string, is: string): void {
    this.#classes.set(own, is);
    const module = snakeCase(own);
    const other = this.#modules.get(module) ?? own;
    if (other !== own) this.#warn(place, `${own} and ${other} are written to one file`);
    this.#modules.set(module, own);
  }

  #resolved(schema: Schema): Schema {
    return this.#components[referredName(schema) ?? ""] ?? schema;
  }

  #warn(place: string, what: string): void {
    this.warnings.push(`${place}: ${what}`);
  }
}

function nameOf(document: OpenApiDocument, place: string): string {
  const found = operationsIn(document).find(({ route }) => place.startsWith(`${route} `));
  return String(found?.operation.operationId ?? place);
}

function className(name: string, parent: string): string {
  return `${pascalCase(parent)}${pascalCase(name)}`;
}

function wordsOf(value: string): readonly string[] {
  const clean = value.replaceAll(/[^\w. -]+/g, "");
  const parted = /[A-Z]/.test(clean) ? clean.split(/([A-Z]?[a-z]+)/).join(" ") : clean;
  return parted.match(/[^. _-]+/g) ?? [];
}

function snakeCase(value: string): string {
  return wordsOf(value).join("_").toLowerCase();
}

function pascalCase(value: string): string {
  return wordsOf(value)
    .map((word) =>
      word === word.toUpperCase() ? word : `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`,
    )
    .join("");
}
