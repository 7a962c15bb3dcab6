import { ApiError } from "../../../shared/client/api-error.ts";
import type { CommandOption, Given } from "../program/command.ts";
import { UsageError } from "../program/failures.ts";
import type { DescribedOperation } from "./described-operation.ts";

const limitPreset = 100;
const pageItemsMax = 1_000;

export const pagingOptions: readonly CommandOption[] = [
  {
    flags: "--limit <count>",
    text: "The largest number of items, on however many pages.",
    preset: `${limitPreset}`,
  },
  { flags: "--all", text: "All items." },
  { flags: "--skip <count>", text: "The number of items to leave out first." },
];

export interface Paging {
  readonly limit: number;
  readonly skip: number;
}

interface Page {
  readonly items: readonly unknown[];
  readonly total?: number;
}

export function limitOf({ options }: Given): Paging {
  const { all, limit, skip } = options;
  if (all === true && limit !== undefined) throw new UsageError("--all and --limit do not go together");
  const items = limit === undefined ? limitPreset : countOf("--limit", limit, 1);
  return {
    limit: all === true ? Number.POSITIVE_INFINITY : items,
    skip: skip === undefined ? 0 : countOf("--skip", skip, 0),
  };
}

function countOf(flag: string, text: unknown, least: number): number {
  const count = Number(text);
  if (/^\d+$/.test(String(text)) && count >= least) return count;
  throw new UsageError(`${flag} takes a whole number from ${least} on, not ${text}`);
}

/** Pages after the first begin behind its last item where the operation can, so that what changes meanwhile moves nothing. */
export async function allPages(
  { query }: Pick<DescribedOperation, "query">,
  call: (paging: Readonly<Record<string, unknown>>) => Promise<unknown>,
  { limit, skip }: Paging,
): Promise<unknown> {
  const canGoOn = query.some(({ name }) => name === "after");
  let whole: Page | undefined;
  const items: unknown[] = [];
  let pageMax = pageItemsMax;
  for (let paging: Readonly<Record<string, unknown>> = skip === 0 ? {} : { skip }; ; ) {
    const asked = Math.min(pageMax, limit - items.length);
    const page = await call({ ...paging, limit: asked }).catch((failure: unknown) => {
      // The page would be larger than a response may be.
      if (failure instanceof ApiError && failure.status === 413 && asked > 1) return undefined;
      throw failure;
    });
    if (page === undefined) {
      pageMax = Math.ceil(asked / 4);
      continue;
    }
    const found = Array.isArray(page) ? page : (page as Page).items;
    whole ??= Array.isArray(page) ? undefined : (page as Page);
    items.push(...found);
    const isLast = found.length < asked || items.length >= limit;
    if (isLast) return whole === undefined ? items : { ...whole, items };
    const last = (found.at(-1) as { readonly id?: unknown } | undefined)?.id;
    paging = canGoOn && last !== undefined ? { after: last } : { skip: skip + items.length };
  }
}
