import type { RunSortMode } from "../../vocabulary/runs.ts";
import { mapBounded } from "../bounded-parallel.ts";
import { DomainError } from "../errors.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Page, PageRequest } from "../page.ts";
import { bytesInBucket, type SpillDeps, unspillText } from "../spill.ts";
import type { Run } from "./run.ts";
import { type HeavyField, heavyFields, type RunFilter, type RunStore } from "./run-store.ts";

export interface RunsWanted {
  readonly filter: RunFilter;
  readonly page: PageRequest;
  readonly heavy: readonly HeavyField[];
  readonly sortMode?: RunSortMode;
}

const runsMax = 500;

const bytesMax = 100 * 1_048_576;

/** @throws {DomainError} `search_too_broad` when the filter leaves more than 500 runs, or 100 MB in the bucket. */
export async function deepSearch(
  deps: SpillDeps & { readonly runs: Pick<RunStore, "list"> },
  organizationId: OrganizationId,
  { filter, sortMode, page, heavy }: RunsWanted,
): Promise<Page<Run>> {
  const { search = "", ...others } = filter;
  const all = { skip: 0, limit: runsMax + 1 };
  const options = { heavy: heavyFields, sortMode };
  const { items, total } = await deps.runs.list(organizationId, others, all, options);
  const bytes = bytesInBucket(items.flatMap((run) => [run.outputData, run.runMessageHistory]));
  if (total > runsMax || bytes > bytesMax) throw tooBroad();
  const sought = search.toLowerCase();
  const isFound = await mapBounded(items, async (run) =>
    (await searchedTexts(deps, run)).some((text) => text.toLowerCase().includes(sought)),
  );
  const found = items.filter((_, at) => isFound[at]);
  const behind = page.after === undefined ? found : await onlyBehind(page.after, found);
  const wanted = behind.slice(page.skip, page.skip + page.limit);
  return { items: wanted.map((run) => ({ ...run, ...without(heavy) })), total: found.length };

  async function onlyBehind(after: string, runs: readonly Run[]): Promise<readonly Run[]> {
    const listed = await deps.runs.list(organizationId, others, { ...all, after }, { sortMode });
    const ids = new Set(listed.items.map(({ id }) => id));
    return runs.filter(({ id }) => ids.has(id));
  }
}

async function searchedTexts(deps: SpillDeps, run: Run): Promise<readonly string[]> {
  const heavy = [run.outputData, run.runMessageHistory].map((field) => unspillText(deps, field));
  const texts = [
    JSON.stringify(run.inputValues),
    ...run.error,
    run.sessionAlias,
    ...(await Promise.all(heavy)),
  ];
  return texts.filter((text) => typeof text === "string");
}

function without(heavy: RunsWanted["heavy"]): Partial<Run> {
  return {
    ...(!heavy.includes("outputData") && { outputData: null }),
    ...(!heavy.includes("runMessageHistory") && { runMessageHistory: null }),
  };
}

function tooBroad(): DomainError {
  const text = `a deep search reads at most ${runsMax} runs, and 100 MB of them; narrow it with created_at_from and created_at_to`;
  return new DomainError("search_too_broad", text, { details: { runs_max: runsMax } });
}
