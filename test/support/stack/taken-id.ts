import type { allOperations } from "../../../shared/contract/operations/all-operations.ts";

type ParametersOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;

/** An id of something, by the name of a path's parameter where there is one. */
export type IdName =
  | Exclude<ParametersOf<(typeof allOperations)[number]["path"]>, "slot" | "index">
  | "session_id"
  | "upload_id"
  | "assignment_id"
  | "fingerprint"
  | "organization_id";

export interface TakenId {
  /** The id's place: `query.machine_id`, `body.pool_ids[]`, `body.steps[].workflow_id`. */
  readonly at: `query.${string}` | `body.${string}`;
  /** The kind of id; null for a caller's own value, or a place in time, which names no organization's resource. */
  readonly of: IdName | null;
  /**
   * Status of the response to an id that the organization does not have.
   *
   * @default 404
   */
  readonly status?: 200 | 201 | 204 | 404 | 409 | 422;
  readonly without?: readonly string[];
  readonly beside?: Readonly<Record<string, unknown>>;
}

export interface IdRequest {
  readonly query?: string | undefined;
  readonly body?: unknown;
}

export function requestWithId({ query, body }: IdRequest, taken: TakenId, id: string): IdRequest {
  const [part, ...rest] = taken.at.split(".");
  const [name = "", ...inside] = rest;
  if (part === "query") {
    const changed = new URLSearchParams(query);
    changed.set(name.replace("[]", ""), id);
    return { query: changed.toString(), ...(body !== undefined && { body }) };
  }
  const kept = Object.entries({ ...recordOf(body), ...taken.beside }).filter(
    ([field]) => !taken.without?.includes(field),
  );
  return { query, body: placed(Object.fromEntries(kept), [name, ...inside], id) };
}

function placed(value: unknown, path: readonly string[], id: string): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return id;
  const name = first.replace("[]", "");
  const record = recordOf(value);
  const held = record[name];
  const element = placed(first.endsWith("[]") && Array.isArray(held) ? held[0] : held, rest, id);
  return { ...record, [name]: first.endsWith("[]") ? [element] : element };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
