import type { Clock } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { FileStore } from "../file-store.ts";
import type { SecretDeps } from "../secrets/own-secret.ts";
import type { RequireInputsDeps } from "./inputs/require-inputs.ts";
import type { RunStore } from "./run-store.ts";

export interface RunDeps extends RequireInputsDeps, SecretDeps {
  readonly runs: RunStore;
  readonly files: FileStore;
  readonly clock: Pick<Clock, "now">;
}

/** The same for a missing run and for another organization's, so that ids cannot be probed. */
export function runNotFound(runId: string): DomainError {
  return new DomainError("not_found", `there is no run ${runId}`);
}
