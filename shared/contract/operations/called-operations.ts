import type { HttpMethod } from "../../vocabulary/methods.ts";
import { allOperations } from "./all-operations.ts";
import type { Operation } from "./operation.ts";

/** What a caller must know of an operation to call it. */
export interface CalledOperation {
  readonly method: HttpMethod;
  readonly path: string;
  /** How the body of a response is read, by its status; without an entry it has none. */
  readonly reads: Readonly<Record<number, "json" | "bytes">>;
  /** Any one of them is enough; absent where credentials of any kind are. */
  readonly scopes?: readonly string[];
  /** Its response is a page; the next one begins behind the last item, or where nothing else is taken, after a number of them. */
  readonly pages?: "after" | "skip";
}

/** By the operation's id. `infra/bundle/console-files.ts` puts its value, which is plain data, into the console's page. */
export const calledOperations: Readonly<Record<string, CalledOperation>> = Object.fromEntries(
  allOperations.map(({ id, method, path, responses, scopes, query }: Operation) => [
    id,
    { method, path, reads: readsOf(responses), ...(scopes && { scopes }), ...pagesOf(query) },
  ]),
);

function readsOf(responses: Operation["responses"]): CalledOperation["reads"] {
  const reads: Record<string, "json" | "bytes"> = {};
  for (const [status, { schema, contentType }] of Object.entries(responses)) {
    if (schema !== undefined) reads[status] = "json";
    else if (contentType !== undefined) reads[status] = "bytes";
  }
  return reads;
}

function pagesOf(query: Operation["query"]): Pick<CalledOperation, "pages"> {
  if (query === undefined || !("limit" in query.shape && "skip" in query.shape)) return {};
  return { pages: "after" in query.shape ? "after" : "skip" };
}
