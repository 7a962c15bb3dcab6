import type { Session } from "../domain/run/run.ts";
import type { CreateRunsOutcome, NewRuns, RequiredKind } from "../domain/run/run-store.ts";
import { claimExpiry } from "./claim-write.ts";
import { attachmentWrites } from "./attachment-item.ts";
import { countWrites } from "./counters.ts";
import type { FailedConditions } from "./dynamo-failure.ts";
import type { Write } from "./expression.ts";
import { machineKey, poolKey, requestPartKey, runSecretKey, sessionKey, workflowKey } from "./keys.ts";
import { isLiving } from "./machine-update.ts";
import { runItem } from "./run-item.ts";

const isNew = { expression: "attribute_not_exists(pk)" };

const isOpen = {
  expression: "attribute_exists(pk) AND status <> :ended",
  values: { ended: "ended" },
};

/** The transaction that makes runs: what must be there first, so that the place of a failed condition tells which. */
export function creationWrites(news: NewRuns, nowMs: number): readonly Write[] {
  const { organizationId, runs, attachments, session, part } = news;
  return [
    ...requirements(news).map(({ write }) => write),
    ...(part === undefined ? [] : [partWrite(organizationId, part, nowMs)]),
    ...(session === undefined ? [] : [sessionWrite(session)]),
    ...runs.map((run): Write => ({ kind: "put", item: runItem(run), condition: isNew })),
    ...attachments.flatMap(attachmentWrites),
    ...countWrites("RUN", runs),
    ...countWrites("ATTACHMENT", attachments),
    ...secretUses(news),
  ];
}

/** What kept the runs from being made. */
export function creationRefusal(news: NewRuns, failed: FailedConditions): CreateRunsOutcome {
  const required = requirements(news);
  // What is done already cannot be kept from being done by what is missing since.
  if (news.part !== undefined && failed.has(required.length)) return { kind: "repeated" };
  const refused = requirementRefusal(required, failed);
  if (refused) return refused;
  throw new Error("a run, an attachment or a session with this id is there already");
}

/** Which of the requirements failed, when they are what a transaction begins with. */
export function requirementRefusal(
  required: readonly Requirement[],
  failed: FailedConditions,
): Extract<CreateRunsOutcome, { kind: "missing" | "session_ended" }> | undefined {
  for (const [place, { what, id }] of required.entries()) {
    if (!failed.has(place)) continue;
    return what === "session" && failed.get(place) !== undefined
      ? { kind: "session_ended", id }
      : { kind: "missing", what, id };
  }
  return undefined;
}

export interface Requirement {
  readonly what: RequiredKind;
  readonly id: string;
  readonly write: Write;
}

/** Checks that what runs name is there, each with what it is. */
export function requirements({
  organizationId,
  required,
}: Pick<NewRuns, "organizationId" | "required">): readonly Requirement[] {
  const living = { expression: isLiving };
  const checks = (what: RequiredKind, ids: readonly string[], key: typeof workflowKey, condition = living) =>
    ids.map(
      (id): Requirement => ({ what, id, write: { kind: "check", key: key(organizationId, id), condition } }),
    );
  return [
    ...checks("workflow", required.workflowIds, workflowKey),
    ...checks("machine", required.machineIds, machineKey),
    ...checks("pool", required.poolIds, poolKey),
    ...checks("session", required.sessionIds, sessionKey, isOpen),
  ];
}

function partWrite(organizationId: string, part: NonNullable<NewRuns["part"]>, nowMs: number): Write {
  const key = requestPartKey(organizationId, part.claimId, part.number);
  return {
    kind: "put",
    item: { ...key, kind: "request_part", ttl: claimExpiry(nowMs).ttl },
    condition: isNew,
  };
}

function sessionWrite(session: Session): Write {
  const item = {
    ...sessionKey(session.organizationId, session.id),
    kind: "session",
    id: session.id,
    organization_id: session.organizationId,
    status: session.status,
    machine_id: session.machineId ?? undefined,
    pool_ids: session.poolIds,
    created_at: session.createdAt,
    used_at: session.usedAt,
  };
  return { kind: "put", item, condition: isNew };
}

function secretUses({ organizationId, runs }: NewRuns): readonly Write[] {
  const uses = new Map<string, number>();
  for (const { secretName } of runs) {
    if (secretName !== null) uses.set(secretName, (uses.get(secretName) ?? 0) + 1);
  }
  return [...uses].map(([secretName, count]) => secretUseWrite(organizationId, secretName, count));
}

/** So many runs more use a secret, or fewer. */
export function secretUseWrite(organizationId: string, secretName: string, by: number): Write {
  return {
    kind: "update",
    key: secretUseKey(organizationId, secretName),
    change: { set: { kind: "run_secret" }, add: { uses: by } },
  };
}

export function secretUseKey(organizationId: string, secretName: string) {
  return runSecretKey(organizationId, secretName.slice(secretName.lastIndexOf("/") + 1));
}
