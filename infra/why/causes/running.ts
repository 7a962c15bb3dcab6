import type { StepWait } from "../../../shared/vocabulary/run-steps.ts";
import { type Cause, forSeconds, type LogLine, type RunFacts } from "../facts.ts";

/** Shorter calls are usual: a desktop draws, and a model thinks. */
const usualMs = 3_000;

/** The order is from what excludes the others to what is usual. */
export function causeWhileRunning(facts: RunFacts): Cause {
  return (
    beforeItsExecution(facts) ??
    ofItsExecution(facts) ??
    ofItsDesktop(facts) ??
    ofItsModel(facts) ??
    ofItsLastLine(facts) ??
    atWork(facts)
  );
}

function beforeItsExecution(facts: RunFacts): Cause | undefined {
  const { run, execution, machine } = facts;
  if (run.held !== null) {
    const sentence = `The run is held since ${run.held.since}: resume it (POST /v1/runs/${run.id}/resume), or let the hold end at ${run.held.until}.`;
    return { code: "held", sentence };
  }
  if (run.executor === "worker") {
    const sentence = `The run is with a worker of its organization, on the machine ${machine?.id ?? run.machineId}: the worker has to report its end (PATCH with its assignment_id), or cancel it.`;
    return { code: "with_worker", sentence };
  }
  if (execution === undefined) {
    // Both go in one transaction.
    const sentence =
      "The run has ended or changed while it was read, since it has no execution: ask once more.";
    return { code: "no_execution", sentence };
  }
  if (execution.arn !== null) return undefined;
  const sentence = `The execution has not begun, ${forSeconds(facts, execution.startedAt)} after its assignment: Lambda throttles executor or refuses its start ("Function throttles"), and the sweeper starts it again each minute.`;
  return { code: "not_begun", sentence };
}

function ofItsExecution({ history }: RunFacts): Cause | undefined {
  if (history === undefined) return undefined;
  if (history.status !== "RUNNING") {
    const sentence = `The execution has ended as ${history.status} and the run has not: executions-watch or the sweeper ends it within five minutes as executor_failed, so see "Executions failed" and retry the run.`;
    return { code: "execution_closed", sentence };
  }
  const last = history.events.at(-1);
  if (last?.type !== "InvocationCompleted" || !last.isFailed) return undefined;
  const at = openStep(history.events)?.name ?? "a step";
  const sentence = `The executor was ended in the middle of ${at} at ${last.at} (killed, timed out or out of memory): Lambda begins it again by itself within two minutes, so read its log ("Executions failed") if this repeats.`;
  return { code: "executor_killed", sentence };
}

function ofItsDesktop(facts: RunFacts): Cause | undefined {
  const { machine, openCall, run } = facts;
  if (machine === undefined) {
    const sentence = `The machine ${run.machineId} is deleted: the sweeper ends the run, which can be retried on another.`;
    return { code: "machine_gone", sentence };
  }
  const { connection } = machine;
  if (connection === null) {
    const sentence = `The machine ${machine.id} is disconnected since ${machine.disconnectedAt ?? "its creation"}: start its driver, since the run ends as machine_unavailable otherwise.`;
    return { code: "machine_disconnected", sentence };
  }
  const remedy =
    "the driver is connected and mute, so restart it or its desktop, since the run ends as machine_unavailable otherwise";
  if ((connection.unanswered ?? 0) > 0) {
    const sentence = `The driver of the machine ${machine.id} left its last ${connection.unanswered} calls without a response, the latest at ${connection.unansweredAt}: ${remedy}.`;
    return { code: "driver_mute", sentence };
  }
  if (openCall === undefined || facts.nowMs - openCall.sinceMs < usualMs) return undefined;
  const sentence = `The driver of the machine ${machine.id} has not responded to ${openCall.method} ${openCall.path} for ${forSeconds(facts, openCall.sinceMs)}: ${remedy}.`;
  return { code: "driver_mute", sentence };
}

function ofItsModel(facts: RunFacts): Cause | undefined {
  const open = openStep(facts.history?.events ?? []);
  // Its first action belongs to the step that asks the model.
  if (open === undefined || !/^ask /.test(open.name ?? "") || facts.openCall !== undefined) return undefined;
  if (facts.nowMs - Date.parse(open.at) < usualMs) return undefined;
  const { timeoutSeconds } = facts.model ?? {};
  const bound = timeoutSeconds === undefined ? "its time-out" : `${timeoutSeconds} s`;
  const sentence = `The provider ${modelOf(facts)} has not replied to ${open.name} for ${forSeconds(facts, open.at)}: the call is given up after ${bound} and repeated for ten minutes, so look at the provider's status page, or name a fallback model.`;
  return { code: "provider_hangs", sentence };
}

type OfLine = (facts: RunFacts, line: LogLine) => Cause | undefined;

const causesOfWaits: Readonly<Record<StepWait, OfLine>> = {
  provider: (facts, { fields }) => ({
    code: "provider_unavailable",
    sentence: `The provider ${modelOf(facts)} refuses calls for now (429, 529, 5xx or a time-out), latest at step ${fields.step}: it is asked again after ${fields.wait_seconds} s and for ten minutes in all, so look at its status page and quota ("Providers failing"), or name a fallback model.`,
  }),
  desktop: ({ machine }, { fields }) => ({
    code: "machine_unreachable",
    sentence: `The machine ${machine?.id} could not be reached at step ${fields.step}, or its organization has as many calls under way as it may: see to its driver, since the run ends as machine_unavailable after five minutes.`,
  }),
  person: () => undefined,
  files: (_, { fields }) => ({
    code: "moving_files",
    sentence: `A file is on its way between bucket and desktop at step ${fields.step}: wait, since a large one takes minutes.`,
  }),
  time: (_, { fields }) => ({
    code: "waiting_as_told",
    sentence: `The run waits ${fields.wait_seconds} s as its step ${fields.step} says: nothing is to be done.`,
  }),
  invocation: () => undefined,
};

function ofItsLastLine(facts: RunFacts): Cause | undefined {
  const last = facts.lines.findLast(({ fields }) => isOfStep(fields.message));
  if (last === undefined) return undefined;
  const { fields } = last;
  if (fields.message === stepFailed) {
    const sentence = `The executor has failed ${fields.failures} times at ${fields.step}, which it repeats for ten minutes: read the cause in the lines below, which is the service's or AWS's and not the workflow's.`;
    return { code: "step_failing", sentence };
  }
  const wait = fields.waits_for;
  return isWait(wait) ? causesOfWaits[wait](facts, last) : undefined;
}

const stepFailed = "a step of a run failed";

function isOfStep(message: unknown): boolean {
  return message === "step taken" || message === stepFailed;
}

function isWait(value: unknown): value is StepWait {
  return typeof value === "string" && Object.hasOwn(causesOfWaits, value);
}

function atWork(facts: RunFacts): Cause {
  const open = openStep(facts.history?.events ?? []);
  const sentence =
    open === undefined
      ? "The run is between two steps: nothing is to be done unless that lasts longer than a minute."
      : `The run is at ${open.name} for ${forSeconds(facts, open.at)}, with its machine connected and no call left open: it looks for its screen, or works; nothing is to be done unless that lasts longer than two minutes.`;
  return { code: "at_work", sentence };
}

function openStep(events: NonNullable<RunFacts["history"]>["events"]) {
  const ended = new Set(
    events.filter(({ type }) => /^Step(Succeeded|Failed)$/.test(type)).map((each) => each.operationId),
  );
  return events.findLast((each) => each.type === "StepStarted" && !ended.has(each.operationId));
}

/** A fallback may be at work instead of the main model, which the last line says. */
function modelOf({ lines, model }: RunFacts): string {
  const last = lines.findLast(({ fields }) => fields.provider !== undefined)?.fields ?? model;
  return last === undefined ? "of the run's model" : `${last.provider} (${last.model})`;
}
