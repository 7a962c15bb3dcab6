/** A call of an operation with the examples of its document: what is required, and a body. */
export interface ExampleCall {
  /** The `operationId`. */
  readonly id: string;
  /** The values are in the order of the path. */
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Absent where the operation takes none, or a form. */
  readonly body?: unknown;
  /** The name of the form's one field, which takes a file. */
  readonly fileField?: string;
  readonly returns: "json" | "bytes" | "nothing";
}
