/** That some fields are as they are, in JSON Schema. */
interface Fields {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

/** That a field is there and not null. */
export function given(name: string): Fields {
  return { required: [name], properties: { [name]: { not: { type: "null" } } } };
}

/** That a field says yes. */
export function isTrue(name: string): Fields {
  return { required: [name], properties: { [name]: { enum: [true] } } };
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

/**
 * States in the documents which fields exclude each other; a refinement refuses such a body.
 *
 * Written as `not`, which is what generators of clients pass over: they take `oneOf` beside properties for other types.
 */
export function refusing(...conditions: readonly object[]): { readonly not: object } {
  const [only, ...others] = conditions;
  return { not: only !== undefined && others.length === 0 ? only : { anyOf: conditions } };
}
