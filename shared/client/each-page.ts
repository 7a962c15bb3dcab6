import { ApiError } from "./api-error.ts";

export interface PageOptions {
  readonly pages: "after" | "skip";
  /** The number of items at which it ends. @default it goes on to the list's end */
  readonly limit?: number;
  readonly skip?: number;
  /** Items per page at most; fewer where the response would be larger than the service sends. */
  readonly pageItems: number;
}

export interface Page {
  readonly response: unknown;
  readonly items: readonly unknown[];
}

/** Pages after the first begin behind its last item where the operation can, so that what changes meanwhile moves nothing. */
export async function* eachPage(
  call: (paging: Readonly<Record<string, unknown>>) => Promise<unknown>,
  { pages, limit = Number.POSITIVE_INFINITY, skip = 0, pageItems }: PageOptions,
): AsyncGenerator<Page> {
  let count = 0;
  let passed = 0;
  let pageMax = pageItems;
  for (let paging: Readonly<Record<string, unknown>> = skip === 0 ? {} : { skip }; ; ) {
    const asked = Math.min(pageMax, limit - count);
    const response = await call({ ...paging, limit: asked }).catch((failure: unknown) => {
      if (failure instanceof ApiError && failure.status === 413 && asked > 1) return undefined;
      throw failure;
    });
    if (response === undefined) {
      pageMax = Math.ceil(asked / 4);
      continue;
    }
    const items = itemsOf(response);
    count += items.length;
    passed += asked;
    yield { response, items };
    const last = items.at(-1) as { readonly id?: unknown } | undefined;
    if (last === undefined || count >= limit) return;
    if (items.length < asked && !hasMoreThan(response, skip + count)) return;
    paging = pages === "after" && last.id !== undefined ? { after: last.id } : { skip: skip + passed };
  }
}

/** A page is also short where items of it were just deleted: the index still lists them, and the total does not. */
function hasMoreThan(response: unknown, count: number): boolean {
  const { total } = response as { readonly total?: unknown };
  return typeof total === "number" && total > count;
}

function itemsOf(response: unknown): readonly unknown[] {
  return Array.isArray(response) ? response : (response as { readonly items: readonly unknown[] }).items;
}
