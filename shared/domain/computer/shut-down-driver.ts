import { type Caller, requireScope } from "../access/caller.ts";
import { required } from "../entity/not-found.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { MachineDeps } from "../machine/machine-deps.ts";
import { type CallDriverDeps, callDriver } from "../tunnel/call-driver.ts";
import { jsonBody } from "./forward-action.ts";
import { jsonAnswer } from "./json-answer.ts";

export interface ShutDownDriverInput {
  readonly machineId: string;
  readonly source: string;
  readonly reason: string;
}

export interface DriverShutdown {
  /** The status is `shutting_down` the first time, `already_shutting_down` afterwards. */
  readonly status: string;
  readonly pid: number;
  readonly reason: string;
  readonly source: string;
}

/** Asks a machine's driver to end its process. @throws {DomainError} `not_found`, and as `callDriver` */
export async function shutDownDriver(
  deps: CallDriverDeps & Pick<MachineDeps, "machines">,
  caller: Caller,
  input: ShutDownDriverInput,
  idempotency?: Idempotency,
): Promise<DriverShutdown> {
  requireScope(caller, "write");
  const { machineId, source, reason } = input;
  const machine = required(await deps.machines.find(caller.organizationId, machineId), "machine", machineId);
  const reply = await callDriver(deps, {
    machine,
    method: "POST",
    path: "/internal/shutdown",
    isUrgent: true,
    ...jsonBody({ source, reason }),
    idempotency,
  });
  const answer = jsonAnswer(reply);
  return readShutdown(answer.kind === "inline" ? answer.json : undefined);
}

function readShutdown(answer: unknown): DriverShutdown {
  const { status, pid, reason, source } = Object(answer) as Readonly<Record<string, unknown>>;
  if (
    typeof status === "string" &&
    typeof reason === "string" &&
    typeof source === "string" &&
    Number.isInteger(pid)
  ) {
    return { status, pid: Number(pid), reason, source };
  }
  throw new DomainError(
    "driver_failed",
    "the machine's driver responded to the shutdown with an unknown status",
  );
}
