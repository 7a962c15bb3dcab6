export type Schema = Record<string, unknown>;

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function propertiesOf({ properties }: Schema): readonly (readonly [string, Schema])[] {
  return isSchema(properties) ? (Object.entries(properties) as [string, Schema][]) : [];
}

export function alternativesOf({ anyOf, oneOf }: Schema): readonly Schema[] {
  return (anyOf ?? oneOf ?? []) as readonly Schema[];
}

export function innerSchemas(schema: Schema): readonly Schema[] {
  const { items, additionalProperties, allOf = [] } = schema;
  return [
    ...propertiesOf(schema).map(([, property]) => property),
    ...alternativesOf(schema),
    ...(allOf as readonly Schema[]),
    ...[items, additionalProperties].filter(isSchema),
  ];
}

export const schemaPrefix = "#/components/schemas/";

export function referredName({ $ref }: Schema): string | undefined {
  return nameOfReference($ref);
}

export function nameOfReference(ref: unknown): string | undefined {
  return typeof ref === "string" && ref.startsWith(schemaPrefix) ? ref.slice(schemaPrefix.length) : undefined;
}
