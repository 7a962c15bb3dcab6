import { v7 } from "uuid";
import { type Clock, isoTimestamp } from "../../../shared/domain/clock.ts";
import type { ConnectionStore } from "../../../shared/domain/connection/connection-store.ts";
import type { Recording } from "../../../shared/domain/demonstration/recording.ts";
import { holdOf } from "../../../shared/domain/demonstration/recording-deps.ts";
import type { RecordingStore } from "../../../shared/domain/demonstration/recording-store.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { MachineStore } from "../../../shared/domain/machine/machine-store.ts";
import type { MatchStore } from "../../../shared/domain/matching/match-store.ts";
import { entryOfRun, entryOfSession } from "../../../shared/domain/matching/queue-places.ts";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import type { MembershipStore } from "../../../shared/domain/pool/membership-store.ts";
import type { Pool } from "../../../shared/domain/pool/pool.ts";
import type { PoolStore } from "../../../shared/domain/pool/pool-store.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { isTerminal } from "../../../shared/domain/run/run-status.ts";
import type { RunStore } from "../../../shared/domain/run/run-store.ts";
import type { SecretValues } from "../../../shared/domain/secret-store.ts";
import type { Session, SessionStore } from "../../../shared/domain/session/session.ts";
import type { Trajectory } from "../../../shared/domain/trajectory/trajectory.ts";
import type { TrajectoryStore } from "../../../shared/domain/trajectory/trajectory-store.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import type { WorkflowStore } from "../../../shared/domain/workflow/workflow-store.ts";
import { aConnection, aMachine, aPool, aRecording, aRun, aSession, secretOf } from "./entities.ts";
import { aTrajectory } from "./trajectories.ts";
import { aWorkflow } from "./workflows.ts";

interface Stores {
  readonly clock: Clock;
  readonly connections: ConnectionStore;
  readonly machines: MachineStore;
  readonly matches: MatchStore;
  readonly memberships: MembershipStore;
  readonly pools: PoolStore;
  readonly recordings: RecordingStore;
  readonly runs: RunStore;
  readonly sessions: SessionStore;
  readonly trajectories: TrajectoryStore;
  readonly workflows: WorkflowStore;
}

/** Nothing is required, because entities that a run or session names may be gone. */
const nothingRequired = { workflowIds: [], machineIds: [], poolIds: [], sessionIds: [] };

/**
 * Creates entities by the adapter calls that the service uses, so that a test starts from a state that the table can
 * have. Each function returns the entity as stored.
 */
export function putInto(stores: Stores) {
  const now = () => isoTimestamp(stores.clock.now());

  async function workflow(fields: Partial<Workflow> = {}): Promise<Workflow> {
    const made = aWorkflow(fields);
    await stores.workflows.create({ ...made, deletedAt: null });
    if (made.deletedAt === null) return made;
    await stores.workflows.markDeleted(made.organizationId, made.id, made.deletedAt);
    return found(await stores.workflows.findDeleted(made.organizationId, made.id));
  }

  /** Its machine is connected, and held for it. */
  async function recording(fields: Partial<Recording> = {}): Promise<Recording> {
    const { organizationId } = fields;
    const connection = { id: v7(), websocketId: "socket", host: "host" };
    const held = await machine({ ...(organizationId && { organizationId }), connection });
    const createdAt = now();
    const made = aRecording({
      organizationId: held.organizationId,
      machineId: held.id,
      createdAt,
      until: isoTimestamp(stores.clock.now() + 1_800_000),
      ...fields,
    });
    if (!(await stores.recordings.start(made, held, holdOf(made)))) throw new Error("nothing was begun");
    return made;
  }

  async function pool(fields: Partial<Pool> = {}): Promise<Pool> {
    const made = aPool(fields);
    expectKind(await stores.pools.create({ ...made, deletedAt: null }), "created");
    if (made.deletedAt === null) return made;
    await stores.pools.markDeleted(made.organizationId, made.id, made.deletedAt);
    return found(await stores.pools.findDeleted(made.organizationId, made.id));
  }

  async function machine(fields: Partial<Machine> = {}): Promise<Machine> {
    const made = aMachine(fields);
    const { organizationId, id, poolIds, reservedSessionId, clearingSince, connection, currentRunId } = made;
    const { isAvailable, outOfService, deletedAt } = made;
    const others = { poolIds: [], reservedSessionId: null, clearingSince: null, connection: null };
    const free = currentRunId === null ? {} : { isAvailable: true, outOfService: false, currentRunId: null };
    const created = await stores.machines.create({ ...made, ...others, ...free, deletedAt: null });
    expectKind(created, "created");
    for (const poolId of poolIds) {
      if (!(await stores.pools.find(organizationId, poolId))) await pool({ organizationId, id: poolId });
    }
    if (poolIds.length > 0) await stores.memberships.setPools(organizationId, id, poolIds, undefined);
    if (connection !== null) await connect(made);
    if (reservedSessionId !== null) await reserve(organizationId, id, reservedSessionId);
    if (currentRunId !== null) {
      const its = { organizationId, id: currentRunId, sessionId: reservedSessionId, machineId: id };
      await run({ ...its, status: "running" });
      if (connection === null) await disconnect(organizationId, id);
      await stores.machines.update(organizationId, id, { isAvailable, outOfService });
    }
    if (clearingSince !== null) await stores.machines.beginClearing(organizationId, id, clearingSince);
    if (deletedAt === null) return found(await stores.machines.find(organizationId, id));
    await stores.machines.markDeleted(organizationId, id, deletedAt);
    return found(await stores.machines.findDeleted(organizationId, id));
  }

  async function connect(of: Machine): Promise<void> {
    const connection = aConnection(of, of.connection ?? {});
    await stores.connections.open(connection);
    const outcome = await stores.connections.activate(connection, {}, stores.clock.now(), { bindKey: true });
    expectKind(outcome, "active");
  }

  async function disconnect(organizationId: OrganizationId, machineId: string): Promise<void> {
    const all = await stores.connections.list(organizationId, { machineId }, { skip: 0, limit: 1 });
    await stores.connections.close(found(all.items[0]), stores.clock.now());
  }

  async function reserve(organizationId: OrganizationId, machineId: string, sessionId: string, fields = {}) {
    const known = await stores.sessions.find(organizationId, sessionId);
    const active = { status: "active", machineId } as const;
    const session = known ?? aSession({ organizationId, id: sessionId, ...fields, ...active });
    const reservation = { session, isNew: known === undefined };
    const change = { reservedSessionId: sessionId };
    expectKind(await stores.machines.update(organizationId, machineId, change, { reservation }), "updated");
  }

  async function session(fields: Partial<Session> & Pick<Session, "organizationId">): Promise<Session> {
    const made = aSession(fields);
    const { organizationId, id, status, machineId } = made;
    if (status === "active") {
      const itsId = machineId ?? v7();
      await living(organizationId, itsId);
      await reserve(organizationId, itsId, id, made);
    } else {
      const pending: Session = { ...made, status: "pending" };
      const news = { organizationId, runs: [], attachments: [], required: nothingRequired };
      expectKind(await stores.runs.create({ ...news, session: pending }), "created");
    }
    if (status === "ended") await stores.sessions.end(organizationId, id, now());
    return found(await stores.sessions.find(organizationId, id));
  }

  async function living(organizationId: OrganizationId, machineId: string): Promise<Machine> {
    const known = await stores.machines.find(organizationId, machineId);
    return known ?? (await machine({ organizationId, id: machineId }));
  }

  async function run(fields: Partial<Run> = {}, values?: SecretValues): Promise<Run> {
    const made = aRun(fields);
    const { organizationId, id, status, deletedAt } = made;
    const isAssigned =
      status === "running" || status === "success" || status === "task_failed" || made.assignmentId !== null;
    const waiting = isAssigned ? { machineId: made.namedMachineId, assignmentId: null, startedAt: null } : {};
    const before: Run = { ...made, ...waiting, status: "scheduling", endedAt: null, deletedAt: null };
    const secret = secretOf([before], values);
    const news = { organizationId, runs: [before], attachments: [], secret, required: nothingRequired };
    expectKind(await stores.runs.create(news), "created");
    const { assignmentId } = isAssigned ? await assign(before, made) : before;
    if (isTerminal(status)) {
      const { error, outputData, runMessageHistory, endedAt } = made;
      const change = { status, error, outputData, runMessageHistory, endedAt: endedAt ?? now() };
      expectKind(
        await stores.runs.update(organizationId, id, change, { assignmentId: assignmentId ?? undefined }),
        "updated",
      );
    }
    if (deletedAt === null) return found(await stores.runs.find(organizationId, id));
    await stores.runs.markDeleted(organizationId, id, deletedAt);
    return found(await stores.runs.findDeleted(organizationId, id));
  }

  async function assign(
    run: Run,
    fields: Partial<
      Pick<Run, "machineId" | "assignmentId" | "startedAt" | "inheritedSecrets" | "inheritedNames">
    > = {},
  ): Promise<Run> {
    const { organizationId, id, sessionId, namedMachineId, inputValues } = run;
    const given = sessionId === null ? undefined : await stores.sessions.find(organizationId, sessionId);
    const place = given?.status === "pending" ? { ...entryOfSession(given), writeId: null } : undefined;
    const machineId = fields.machineId ?? given?.machineId ?? namedMachineId ?? v7();
    const known = await living(organizationId, machineId);
    if (known.connection === null) await connect(known);
    const outcome = await stores.matches.assign({
      machine: found(await stores.machines.find(organizationId, machineId)),
      run,
      inputValues,
      entry: { ...entryOfRun(run), writeId: null },
      session: given && { session: given, place },
      assignmentId: fields.assignmentId ?? v7(),
      inheritedSecrets: fields.inheritedSecrets ?? {},
      inheritedNames: fields.inheritedNames ?? [],
      startedAt: fields.startedAt ?? now(),
    });
    expectKind(outcome, "assigned");
    return found(await stores.runs.find(organizationId, id));
  }

  async function trajectory(fields: Partial<Trajectory> = {}): Promise<Trajectory> {
    const made = aTrajectory(fields);
    const { organizationId, id, workflowId, deletedAt } = made;
    if (!(await stores.workflows.find(organizationId, workflowId))) {
      await workflow({ organizationId, id: workflowId });
    }
    expectKind(await stores.trajectories.create({ ...made, deletedAt: null }), "created");
    if (deletedAt === null) return made;
    await stores.trajectories.markDeleted(organizationId, id, deletedAt);
    return found(await stores.trajectories.findDeleted(organizationId, id));
  }

  return { workflow, pool, machine, recording, session, run, trajectory, assign };
}

function found<T>(entity: T | undefined): T {
  if (entity === undefined) throw new Error("what was put is not there");
  return entity;
}

function expectKind(outcome: { readonly kind: string }, kind: string): void {
  if (outcome.kind !== kind) throw new Error(`it could not be put: ${outcome.kind}`);
}
