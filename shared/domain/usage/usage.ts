import type { StepKind } from "../../vocabulary/run-steps.ts";
import type { TerminalRunStatus } from "../../vocabulary/runs.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import type { ModelTokens } from "../model/model-tokens.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Run } from "../run/run.ts";

export interface Usage {
  readonly runs: Readonly<Record<TerminalRunStatus, number>>;
  readonly steps: Readonly<Record<StepKind, number>>;
  /** The models are sorted by use, the most used first. */
  readonly tokens: readonly ModelTokens[];
}

/** The days are of UTC, such as `2026-01-31`, and both included. */
export interface UsageRange {
  readonly fromDate: string;
  readonly toDate: string;
}

export type CountedRun = Pick<
  Run,
  "organizationId" | "id" | "attempt" | "status" | "endedAt" | "executor" | "usageMetadata" | "modelTokens"
>;

export interface UsageStore {
  /** Counts the end of a run's attempt on its day, only once however often it is called. */
  count(run: CountedRun): Promise<void>;
  read(organizationId: OrganizationId, range: UsageRange): Promise<Usage>;
}

export async function aggregateUsage(
  { usage }: { readonly usage: Pick<UsageStore, "read"> },
  caller: Caller,
  range: UsageRange,
): Promise<Usage> {
  requireScope(caller, "read");
  return await usage.read(caller.organizationId, range);
}
