interface Fields {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

export function has(name: string): Fields {
  return { required: [name], properties: { [name]: { not: { type: "null" } } } };
}

export function isTrue(name: string): Fields {
  return { required: [name], properties: { [name]: { const: true } } };
}

export function both(one: Fields, other: Fields): Fields {
  return {
    required: [...one.required, ...other.required],
    properties: { ...one.properties, ...other.properties },
  };
}

export function neither(one: Fields, other: Fields): object {
  return { not: { anyOf: [one, other] } };
}

export function onlyFirst(one: Fields, other: Fields): object {
  return { ...one, not: other };
}

/** Client generators ignore `not`, and mistake `oneOf` beside properties for other types. */
export function refusing(...conditions: readonly object[]): { readonly not: object } {
  const [only, ...others] = conditions;
  return { not: only !== undefined && others.length === 0 ? only : { anyOf: conditions } };
}
