import { ownName } from "./complete-schemas.ts";
import { alternativesOf, propertiesOf, referredName, type Schema } from "./schema-tree.ts";
import { formatExamples, propertyExamples } from "./words/property-examples.ts";

/** Makes the example of a schema out of what is known of its properties, whatever refers to it. */
export function createExampleMaker(
  components: Readonly<Record<string, Schema>>,
): (schema: Schema) => unknown {
  return (schema) => exampleOf(schema, "");

  function exampleOf(schema: Schema, component: string): unknown {
    const name = referredName(schema);
    if (name !== undefined) return exampleOf(components[name] ?? {}, ownName(name));
    if (schema.example !== undefined) return schema.example;
    if (schema.default !== undefined) return schema.default;
    if (Array.isArray(schema.enum)) return schema.enum[0];
    const [alternative] = alternativesOf(schema);
    if (alternative !== undefined) return exampleOf(alternative, component);
    if (schema.type === "object") return objectOf(schema, component);
    if (schema.type === "array") return [exampleOf((schema.items ?? {}) as Schema, component)];
    return scalarOf(schema);
  }

  function objectOf(schema: Schema, component: string): unknown {
    const entries = propertiesOf(schema).map(([name, property]) => {
      const known = [`${component}.${name}`, name].find(
        (key) => key in propertyExamples && fits(property, key),
      );
      return [name, known === undefined ? exampleOf(property, component) : propertyExamples[known]];
    });
    return Object.fromEntries(entries);
  }
}

/** A name alone stands for one type of value; where a schema has another, its own example is made. */
function fits(schema: Schema, key: string): boolean {
  if (key.includes(".")) return true;
  const value = propertyExamples[key];
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return [schema, ...alternativesOf(schema)].some((kind) => {
    if (Array.isArray(kind.enum)) return kind.enum.includes(value);
    const isAny = Object.keys(kind).every((word) => word === "description");
    return isAny || kind.type === type || (kind.type === "integer" && Number.isInteger(value));
  });
}

function scalarOf({ type, format, minimum }: Schema): unknown {
  if (type === "string") return formatExamples[String(format)] ?? "text";
  if (type === "integer" || type === "number") return minimum ?? 1;
  if (type === "boolean") return true;
  return null;
}
