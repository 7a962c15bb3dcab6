import type { OpenedTable } from "../../operator/open-table.ts";
import type { ExecutionHistory, LogLine } from "../facts.ts";

export interface LinesWanted {
  readonly runId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A deployment's facts about a run: from this machine's stack, or from an account and Region. */
export interface Source {
  readonly opened: OpenedTable;
  /** @returns undefined where no execution has that name, or its history is removed. */
  history(name: string): Promise<ExecutionHistory | undefined>;
  /** The last ones, oldest first. */
  lines(wanted: LinesWanted): Promise<readonly LogLine[]>;
  /** The variables of the function that explains waiting runs. */
  variables(): Promise<Readonly<Record<string, string>>>;
  close(): void;
}

export const linesShown = 30;
export const eventsShown = 60;

/** Whoever follows a run reads it each second, which would leave no other line. */
export function isRead({ message, method }: LogLine["fields"]): boolean {
  return message === "request" && method === "GET";
}

/** `executor`, of the name of its function or of its log group. */
export function functionIn(name: string): string {
  return /-service-(.+?)(Function|Logs)/.exec(name)?.[1] ?? name;
}
