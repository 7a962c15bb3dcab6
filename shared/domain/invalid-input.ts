/** One problem in a request, in the terms of pydantic, which the specification's 422 body follows. */
export interface InvalidItem {
  /** A location such as `["body", "name"]`, `["path", "machine_id"]` or `["header", "Idempotency-Key"]`. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

export function valueError(loc: InvalidItem["loc"], error: string, input?: string): InvalidItem {
  return {
    loc,
    msg: `Value error, ${error}`,
    type: "value_error",
    ...(input !== undefined && { input }),
    ctx: { error },
  };
}

/** Input that a schema alone cannot refuse, such as two fields that exclude each other. It becomes a 422. */
export class InvalidInput extends Error {
  readonly items: readonly InvalidItem[];

  constructor(items: readonly InvalidItem[]) {
    super(items.map((item) => `${item.loc.join(".")}: ${item.msg}`).join("; "));
    this.name = "InvalidInput";
    this.items = items;
  }
}
