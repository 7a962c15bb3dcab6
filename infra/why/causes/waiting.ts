import type { WaitingReason } from "../../../shared/vocabulary/runs.ts";
import type { Cause, RunFacts } from "../facts.ts";

export function causeOfWaiting(facts: RunFacts): Cause {
  const [pool] = facts.deletedPoolIds;
  if (pool !== undefined) return deletedPool(pool);
  const reason = facts.waiting?.reason ?? null;
  if (reason === null) {
    const sentence =
      'The run waits although a machine is free: the matcher is about to give it one, so look at the runbook\'s "Matching behind" if it still waits in a minute.';
    return { code: "matching", sentence };
  }
  return { code: reason, sentence: `The run waits, since ${words[reason](facts)}.` };
}

export function deletedPool(pool: string): Cause {
  const sentence = `The pool ${pool} that the run waited for is deleted, so no machine can take it: start it anew with a pool that is there.`;
  return { code: "pool_deleted", sentence };
}

const words: Readonly<Record<WaitingReason, (facts: RunFacts) => string>> = {
  no_machine_matches: (facts) =>
    `no machine matches (it waits for ${targetOf(facts)}): connect a driver that does, or start the run anew for others`,
  all_disconnected: (facts) =>
    `each machine that could take it (${targetOf(facts)}) is disconnected: start the driver of one`,
  all_busy: (facts) =>
    `each machine that could take it (${targetOf(facts)}) is busy with another run, with ${aheadOf(facts)} ahead of it: add machines, or wait`,
  reserved: (facts) =>
    `each machine that could take it (${targetOf(facts)}) is reserved for a session: end that session, or wait for its end`,
  out_of_service: (facts) =>
    `each machine that could take it (${targetOf(facts)}) is out of service or not available: PATCH one's status or is_available`,
  session_busy: ({ run, machine }) =>
    `its session ${run.sessionId} is busy with the run ${machine?.currentRunId ?? "before it"} on the machine ${machine?.id ?? "of the session"}: wait for that run's end, or cancel it`,
  organization_limit: ({ run, organizationExecutions: { running, max } }) =>
    `its organization ${run.organizationId} has ${running} runs under way of ${max} that it may have: wait for an end, raise organizationExecutionsMax, or, if fewer are running, npm run repair`,
  service_limit: () =>
    'the deployment carries out as many runs as it may: wait for an end, or see "Service limit reached" in the runbook',
};

function targetOf({ run }: RunFacts): string {
  if (run.sessionId !== null) return `the session ${run.sessionId}`;
  if (run.namedMachineId !== null) return `the machine ${run.namedMachineId}`;
  if (run.poolIds.length > 0) return `a machine in all of the pools ${run.poolIds.join(", ")}`;
  return "any machine";
}

function aheadOf({ waiting }: RunFacts): string {
  const position = waiting?.position ?? 0;
  return position === "more" ? "more than a thousand" : String(position);
}
