import { printable } from "../cli/terminal/printable.ts";
import { causeOf } from "./causes/cause-of.ts";
import { forSeconds, type LogLine, type RunFacts } from "./facts.ts";

const eventsListed = 12;

/** The page's first line is the sentence. Each line is escaped: names, errors and lines are of others. */
export function pageOf(facts: RunFacts): readonly string[] {
  const { sentence } = causeOf(facts);
  const sections = [ofRun, ofWaiting, ofAssignment, ofMachine, ofExecution, ofLines];
  return [sentence, ...sections.flatMap((section) => ["", ...section(facts)])].map((line) => printable(line));
}

function ofRun({ run }: RunFacts): readonly string[] {
  return [
    `run            ${run.id}`,
    `organization   ${run.organizationId}`,
    `workflow       ${run.workflowId}, carried out by the ${run.executor}`,
    `status         ${run.status}${run.errorCode === null ? "" : `, ${run.errorCode}`}, attempt ${run.attempt}`,
    `queued         ${run.queuedAt}`,
    `started, ended ${run.startedAt ?? "-"}, ${run.endedAt ?? "-"}`,
    ...run.error.map((error) => `error          ${error}`),
  ];
}

function ofWaiting({ run, waiting, deletedPoolIds, organizationExecutions }: RunFacts): readonly string[] {
  const { running, max } = organizationExecutions;
  return [
    `waits for      ${wishOf(run)}`,
    `reason         ${waiting === undefined ? "-" : `${waiting.reason ?? "none: a machine is free"}, ${waiting.position} ahead`}`,
    ...deletedPoolIds.map((id) => `deleted pool   ${id}`),
    `under way      ${running} of ${max} that its organization may have`,
  ];
}

function wishOf({ sessionId, namedMachineId, poolIds }: RunFacts["run"]): string {
  if (sessionId !== null) return `session ${sessionId}`;
  if (namedMachineId !== null) return `machine ${namedMachineId}`;
  return poolIds.length === 0 ? "any machine" : `pools ${poolIds.join(", ")}`;
}

function ofAssignment({ run, execution }: RunFacts): readonly string[] {
  const { held } = run;
  return [
    `assignment     ${run.assignmentId ?? "-"}`,
    ...(held === null ? [] : [`held           since ${held.since}, until ${held.until}`]),
    ...(execution === undefined
      ? []
      : [
          `execution row  part ${execution.part}, begun ${execution.arn === null ? "not yet" : "by its ARN below"}`,
        ]),
  ];
}

function ofMachine(facts: RunFacts): readonly string[] {
  const { machine, openCall } = facts;
  if (machine === undefined) return ["machine        -"];
  const { connection } = machine;
  return [
    `machine        ${machine.id} (${machine.name})`,
    `connection     ${connection === null ? `none since ${machine.disconnectedAt ?? "its creation"}` : connection.id}`,
    ...(connection === null
      ? []
      : [
          `last ping      ${connection.lastPing ?? "-"}`,
          `unanswered     ${connection.unanswered ?? 0}${connection.unansweredAt === undefined ? "" : `, the latest at ${connection.unansweredAt}`}`,
        ]),
    ...(openCall === undefined
      ? []
      : [`open call      ${openCall.method} ${openCall.path}, for ${forSeconds(facts, openCall.sinceMs)}`]),
    `its run        ${machine.currentRunId ?? "-"}`,
  ];
}

function ofExecution({ history }: RunFacts): readonly string[] {
  if (history === undefined) return ["execution      -"];
  return [
    `execution      ${history.status}, ${history.arn}`,
    ...history.events
      .slice(-eventsListed)
      .map(({ at, type, name, isFailed }) =>
        `  ${at}  ${type} ${name ?? ""}${isFailed ? " failed" : ""}`.trimEnd(),
      ),
  ];
}

function ofLines({ lines }: RunFacts): readonly string[] {
  return [`last lines     ${lines.length}`, ...lines.map((line) => `  ${wordsOf(line)}`)];
}

/** These are the same in each line, or CloudWatch's own. */
const leftOut: ReadonlySet<string> = new Set([
  ...["_aws", "timestamp", "level", "message", "function", "deployment", "run_id", "organization_id"],
  "assignment_id",
]);

function wordsOf({ at, fields }: LogLine): string {
  const rest = Object.entries(fields).filter(([name]) => !leftOut.has(name));
  const said = rest.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [at, fields.function, fields.message, ...said].filter((part) => part !== undefined).join("  ");
}
