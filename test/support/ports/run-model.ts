import type { RunStatus } from "../../../shared/vocabulary/runs.ts";

/** An operation on runs and secrets, which are named by number. */
export type RunStep =
  | {
      readonly does: "create";
      readonly runs: readonly number[];
      readonly secret: number | null;
      readonly isRunning: boolean;
    }
  | { readonly does: "patch"; readonly run: number }
  | { readonly does: "end"; readonly run: number; readonly as: RunStatus }
  | { readonly does: "retry"; readonly run: number; readonly secret: number | null }
  | { readonly does: "delete"; readonly run: number }
  | { readonly does: "remove"; readonly run: number };

interface ModelRun {
  status: RunStatus;
  secret: number | null;
  isDeleted: boolean;
}

const ends: Readonly<Partial<Record<RunStatus, readonly RunStatus[]>>> = {
  scheduling: ["cancelled", "error"],
  running: ["success", "error", "task_failed", "cancelled"],
};

/** The rules of runs, and the result of each operation. A number may be used again once its run is removed. */
export class RunModel {
  readonly #runs = new Map<number, ModelRun>();

  isFree(run: number): boolean {
    return !this.#runs.has(run);
  }

  statusOf(run: number): RunStatus | undefined {
    return this.#living(run)?.status;
  }

  perform(step: RunStep): string | boolean {
    if (step.does === "create") {
      const status = step.isRunning ? "running" : "scheduling";
      for (const run of step.runs) this.#runs.set(run, { status, secret: step.secret, isDeleted: false });
      return "created";
    }
    if (step.does === "remove") return this.#remove(step.run);
    const run = this.#living(step.run);
    switch (step.does) {
      case "patch":
        return run ? "updated" : "not_found";
      case "end":
        if (!run) return "not_found";
        if (!ends[run.status]?.includes(step.as)) return "illegal_transition";
        run.status = step.as;
        return "updated";
      case "retry":
        if (!run || ends[run.status]) return "changed";
        Object.assign(run, { status: "scheduling", secret: step.secret });
        return "restarted";
      case "delete":
        if (!run) return false;
        run.isDeleted = true;
        return true;
    }
  }

  #remove(number: number): string {
    if (this.#runs.get(number)?.isDeleted) this.#runs.delete(number);
    return "removed";
  }

  usesOf(secret: number): number {
    return [...this.#runs.values()].filter((run) => run.secret === secret).length;
  }

  living(status?: RunStatus): readonly number[] {
    return [...this.#runs]
      .filter(([, run]) => !run.isDeleted && (status === undefined || run.status === status))
      .map(([number]) => number);
  }

  #living(number: number): ModelRun | undefined {
    const run = this.#runs.get(number);
    return run?.isDeleted === false ? run : undefined;
  }
}
