import { eachPage, type PageOptions } from "../../../shared/client/each-page.ts";
import type { CommandOption, Given } from "../program/command.ts";
import { UsageError } from "../program/failures.ts";

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

/** The first page, with the items of all. */
export async function allPages(
  paging: Paging & Pick<PageOptions, "pages">,
  call: (paging: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<unknown> {
  let first: unknown;
  const items: unknown[] = [];
  for await (const page of eachPage(call, { ...paging, pageItems: pageItemsMax })) {
    first ??= page.response;
    items.push(...page.items);
  }
  return Array.isArray(first) ? items : { ...(first as object), items };
}
