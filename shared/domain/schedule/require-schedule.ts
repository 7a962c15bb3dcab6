import { placeholdersIn } from "../../vocabulary/placeholders.ts";
import { InvalidInput, type InvalidItem, valueError } from "../invalid-input.ts";
import { creationError } from "../run/create/creation-outcome.ts";
import { type RequireInputsDeps, requireInputsOf } from "../run/inputs/require-inputs.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { nextOccurrence, problemOf, type Recurrence } from "./occurrences.ts";
import type { Schedule } from "./schedule.ts";

const wireNames = { cron: "cron", timeZone: "time_zone" } as const;

/**
 * Checks what a change leaves, since a change alone may fit.
 * @throws {InvalidInput} for times that exclude each other, or that there are not.
 */
export function requireTimes(recurrence: Recurrence, nowMs: number): void {
  const { cron, everyMinutes, timeZone, startsAt, endsAt } = recurrence;
  if (cron !== null && everyMinutes !== null) {
    throw refused("every_minutes", "cron and every_minutes exclude each other; send null for one of the two");
  }
  if (cron === null && everyMinutes === null) {
    throw refused("cron", "a schedule has times: send cron or every_minutes");
  }
  if (startsAt !== null && endsAt !== null && startsAt >= endsAt) {
    throw refused("ends_at", "ends_at is later than starts_at");
  }
  const problem = problemOf(recurrence);
  if (problem !== undefined) {
    const given = problem.field === "cron" ? (cron ?? "") : timeZone;
    throw refused(wireNames[problem.field], problem.message, given);
  }
  const isNever = nextOccurrence({ ...recurrence, startsAt: null, endsAt: null }, nowMs) === undefined;
  if (isNever) throw refused("cron", "the cron pattern has no time: no date fits it", cron ?? "");
}

/** @throws {InvalidInput} */
export function requireTarget({ machineId, poolIds }: Pick<Schedule, "machineId" | "poolIds">): void {
  if (machineId === null || poolIds.length === 0) return;
  throw refused("pool_ids", "machine_id and pool_ids exclude each other; send null or [] for one of the two");
}

/**
 * Checks the run that the schedule is to start, with one batch read. What is deleted later stops the schedule.
 * @throws {InvalidInput} as a run's creation, or for a secret among the inputs.
 * @throws {DomainError} `not_found` that names what is missing.
 */
export async function requireRunnable(deps: RequireInputsDeps, schedule: Schedule): Promise<void> {
  const { organizationId, workflowId, machineId, poolIds } = schedule;
  const sources = await deps.inputSources.read(organizationId, { workflowId, machineId, poolIds });
  const { workflow, machine, pools } = sources;
  if (workflow === undefined) throw missing("workflow", workflowId);
  if (machineId !== null && machine === undefined) throw missing("machine", machineId);
  const poolId = poolIds.find((id) => !pools.some((pool) => pool.id === id));
  if (poolId !== undefined) throw missing("pool", poolId);
  requireNoSecrets(schedule, workflow);
  await requireInputsOf(deps, organizationId, schedule, sources);
}

function missing(what: "workflow" | "machine" | "pool", id: string): Error | undefined {
  return creationError({ kind: "missing", what, id });
}

/** A schedule keeps its inputs readable for as long as it is there, and each of its runs would show them. */
function requireNoSecrets({ inputValues }: Schedule, { mainPrompt }: Workflow): void {
  const named = placeholdersIn(mainPrompt).filter(({ isSecret }) => isSecret);
  const secrets = new Set(named.map(({ name }) => name));
  const items = Object.keys(inputValues)
    .filter((name) => secrets.has(name))
    .map((name) =>
      valueError(
        ["body", "input_values", name],
        `${name} is a secret of the workflow, {$${name}}, and a schedule keeps none: give it to the machine or a pool`,
      ),
    );
  if (items.length > 0) throw new InvalidInput(items);
}

function refused(field: string, error: string, input?: string): InvalidInput {
  const item: InvalidItem = valueError(["body", field], error, input);
  return new InvalidInput([item]);
}
