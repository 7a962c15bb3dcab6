import type { MachineStatus } from "../../vocabulary/machines.ts";
import type { Run } from "../run/run.ts";
import type { Progress } from "../run-progress/explain-progress.ts";

/** Null in place of a resource means that it is deleted. */
export type Hint =
  | {
      readonly kind: "run";
      readonly id: string;
      readonly run: HintedRun | null;
      readonly progress: Progress | undefined;
    }
  | { readonly kind: "step"; readonly runId: string; readonly index: number }
  | { readonly kind: "machine"; readonly id: string; readonly machine: HintedMachine | null }
  | { readonly kind: "missed" };

/** The fields of a run that hints need, without inputs, outputs, errors and secrets. */
export type HintedRun = Pick<
  Run,
  | "id"
  | "organizationId"
  | "workflowId"
  | "machineId"
  | "status"
  | "held"
  | "executor"
  | "assignmentId"
  | "deletedAt"
  | "revision"
>;

export interface HintedMachine {
  readonly id: string;
  readonly status: MachineStatus;
  readonly currentRunId: string | null;
  readonly revision: number;
}
