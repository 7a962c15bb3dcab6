import { v7 } from "uuid";
import type { DeletableKind } from "../../../shared/domain/maintenance/deletions.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { Session } from "../../../shared/domain/session/session.ts";
import { spill } from "../../../shared/domain/spill.ts";
import { stepItem } from "../../../shared/storage/execution/execution-item.ts";
import { machineItem } from "../../../shared/storage/machine/machine-item.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import {
  aConnection,
  aMachine,
  anAttachment,
  anOrganization,
  aPool,
  aRun,
  aSession,
  secretOf,
} from "../builders/entities.ts";
import { aSchedule } from "../builders/schedules.ts";
import { aStep } from "../builders/steps.ts";
import { aTrajectory } from "../builders/trajectories.ts";
import { aTag, aTagGroup, aVersion, aWorkflow } from "../builders/workflows.ts";
import type { DeletionWorld } from "./deletion-world.ts";

export interface DeletedKind {
  readonly id: string;
  readonly make: (world: DeletionWorld) => Promise<void>;
  readonly markDeleted: (world: DeletionWorld) => Promise<boolean>;
  readonly stillNamedBy: readonly string[];
  readonly changed: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const organizationId = anOrganization();
const required = { workflowIds: [], machineIds: [], poolIds: [], sessionIds: [] };
const heavy = ["x".repeat(9_000)];

async function queue(
  { runs }: DeletionWorld,
  queued: Run,
  session?: Session,
  attachments = [anAttachment()],
) {
  const its = attachments.filter(({ runId }) => runId === queued.id);
  const secret = secretOf([queued]);
  await runs.create({ organizationId, runs: [queued], attachments: its, secret, session, required });
}

async function withSecret({ secrets }: DeletionWorld, kind: "machine" | "pool", id: string) {
  const name = secrets.secretName(organizationId, { kind, id }, "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f");
  await secrets.create(name, { password: "x" });
  return { secretName: name, sensitiveAliases: ["password"] };
}

async function tagged({ workflows, tags }: DeletionWorld, given: ReturnType<typeof scene>) {
  await tags.createGroup(given.group);
  for (const tag of [given.tag, given.otherTag]) {
    const into = tag.groupId === null ? undefined : given.group;
    await tags.createTag(tag, { into });
  }
  const tagIds = [given.tag.id, given.otherTag.id];
  for (const workflow of [given.workflow, given.otherWorkflow]) {
    await workflows.create(workflow);
    const added = await tags.findTags(organizationId, tagIds);
    const groups = await tags.findGroups(organizationId, [given.group.id]);
    await tags.assign({ workflow, tagIds, added, removed: [], groups });
  }
}

/** The entities, the same in each world, so that the remains of two worlds can be compared. */
function scene() {
  const group = aTagGroup({ organizationId });
  const workflow = aWorkflow({ organizationId });
  return {
    group,
    workflow,
    version: aVersion(workflow),
    tag: aTag({ organizationId, groupId: group.id }),
    otherTag: aTag({ organizationId }),
    otherWorkflow: aWorkflow({ organizationId }),
  };
}

function deletedMachine(): DeletedKind {
  const id = v7();
  const [sessionId, runningId] = [v7(), v7()];
  const session = aSession({ organizationId, id: sessionId, status: "active", machineId: id });
  const machine = aMachine({ organizationId, id });
  const connection = aConnection(machine);
  const pool = aPool({ organizationId });
  const other = aMachine({ organizationId });
  const assigned = { machineId: id, sessionId, status: "running", assignmentId: v7() } as const;
  const running = aRun({ organizationId, id: runningId, ...assigned });
  const waiting = [
    aRun({ organizationId, machineId: id }),
    aRun({ organizationId, machineId: id, sessionId }),
  ];
  return {
    id,
    make: async (world) => {
      const { machines, pools, memberships, connections, table, sockets } = world;
      const secret = await withSecret(world, "machine", id);
      for (const one of [{ ...machine, ...secret }, other]) await machines.create(one);
      await pools.create(pool);
      await memberships.addMachines(organizationId, pool.id, [id, other.id]);
      sockets.open(connection.websocketId);
      await connections.open(connection);
      await connections.activate(connection, {}, world.clock.now());
      const connected = await machines.find(organizationId, id);
      if (connected === undefined) throw new Error("the machine has just been made");
      const [toMachine, inSession] = waiting;
      if (toMachine && inSession) {
        await queue(world, toMachine);
        await queue(world, inSession, session);
      }
      await table.put(runItem(running));
      await table.put(machineItem({ ...connected, currentRunId: runningId, reservedSessionId: sessionId }));
    },
    markDeleted: ({ machines, deletedAt }) => machines.markDeleted(organizationId, id, deletedAt),
    stillNamedBy: ["connection", "run", "session", "socket"],
    changed: {
      ...Object.fromEntries(
        [running, ...waiting].map((run) => [run.id, { status: "error", error: ["its machine was deleted"] }]),
      ),
      [sessionId]: { status: "ended" },
      [connection.id]: { status: "disconnected" },
      [pool.id]: { machine_count: 1 },
      [other.id]: { pool_ids: [pool.id] },
    },
  };
}

function deletedPool(): DeletedKind {
  const [pool, other] = [aPool({ organizationId }), aPool({ organizationId })];
  const machines = [aMachine({ organizationId }), aMachine({ organizationId })];
  const ended = aRun({ organizationId, poolIds: [pool.id] });
  const waiting = aRun({ organizationId, poolIds: [other.id] });
  const assigned = { machineId: machines[0]?.id ?? null, status: "running", assignmentId: v7() } as const;
  const running = aRun({ organizationId, poolIds: [pool.id], ...assigned });
  return {
    id: pool.id,
    make: async (world) => {
      const secret = await withSecret(world, "pool", pool.id);
      for (const one of [{ ...pool, ...secret }, other]) await world.pools.create(one);
      for (const machine of machines) await world.machines.create(machine);
      const ids = machines.map(({ id }) => id);
      for (const { id } of [pool, other]) await world.memberships.addMachines(organizationId, id, ids);
      for (const run of [ended, waiting]) await queue(world, run);
      await world.table.put(runItem(running));
    },
    markDeleted: ({ pools, deletedAt }) => pools.markDeleted(organizationId, pool.id, deletedAt),
    // The matcher removes sets that nothing waits for.
    stillNamedBy: ["pool_set", "run"],
    changed: {
      [ended.id]: { status: "error", error: ["a pool that it waited for was deleted"] },
      [waiting.id]: { status: "scheduling" },
      [running.id]: { status: "running" },
      [other.id]: { machine_count: 2 },
      ...Object.fromEntries(machines.map(({ id }) => [id, { pool_ids: [other.id] }])),
    },
  };
}

function deletedWorkflow(): DeletedKind {
  const given = scene();
  const { workflow, otherWorkflow, version, tag, otherTag } = given;
  const runs = [workflow, otherWorkflow].map(({ id }) => aRun({ organizationId, workflowId: id }));
  const change = { mainPrompt: "Go.", promptSetAt: version.replacedAt, updatedAt: version.replacedAt };
  return {
    id: workflow.id,
    make: async (world) => {
      await tagged(world, given);
      const before = await world.workflows.find(organizationId, workflow.id);
      if (before === undefined) throw new Error("the workflow has just been made");
      await world.workflows.update(organizationId, workflow.id, change, { before, version });
      for (const run of runs) await queue(world, run);
    },
    markDeleted: ({ workflows, deletedAt }) => workflows.markDeleted(organizationId, workflow.id, deletedAt),
    stillNamedBy: ["run"],
    changed: {
      [runs[0]?.id ?? ""]: { status: "cancelled" },
      [runs[1]?.id ?? ""]: { status: "scheduling" },
      [tag.id]: { workflow_count: 1 },
      [otherTag.id]: { workflow_count: 1 },
    },
  };
}

function deletedTag(): DeletedKind {
  const given = scene();
  const { tag, otherTag, workflow, otherWorkflow } = given;
  return {
    id: tag.id,
    make: async (world) => await tagged(world, given),
    markDeleted: async ({ tags, deletedAt }) => {
      const [found = tag] = await tags.findTags(organizationId, [tag.id]);
      return await tags.markDeleted("workflow tag", found, deletedAt);
    },
    stillNamedBy: [],
    changed: {
      [workflow.id]: { tag_ids: [otherTag.id] },
      [otherWorkflow.id]: { tag_ids: [otherTag.id] },
      [otherTag.id]: { workflow_count: 2 },
    },
  };
}

function deletedTagGroup(): DeletedKind {
  const given = scene();
  const { tag, group, workflow } = given;
  return {
    id: group.id,
    make: async (world) => await tagged(world, given),
    markDeleted: async ({ tags, deletedAt }) => {
      const [found = group] = await tags.findGroups(organizationId, [group.id]);
      return await tags.markDeleted("workflow tag group", found, deletedAt);
    },
    stillNamedBy: [],
    changed: {
      [tag.id]: { group_id: undefined, workflow_count: 2 },
      [workflow.id]: { tag_ids: [tag.id, given.otherTag.id] },
    },
  };
}

function deletedRun(): DeletedKind {
  const [run, other] = [aRun({ organizationId }), aRun({ organizationId })];
  const attachments = [run, other].map(({ id }) =>
    anAttachment({ organizationId, runId: id, type: "input" }),
  );
  return {
    id: run.id,
    make: async (world) => {
      const { files, runs, table } = world;
      const field = { organizationId, kind: "run", id: run.id, field: "output_data", objectId: "1" };
      for (const each of attachments) {
        const key = files.attachmentKey(organizationId, each.runId, each.id);
        await files.put(key, new Uint8Array(1), "text/csv");
      }
      const sensitive = { secretId: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f", sensitiveAliases: ["password"] };
      await queue(world, { ...run, ...sensitive }, undefined, attachments);
      await queue(world, other, undefined, attachments);
      for (const [index, each] of [run, run, other].entries()) {
        const pictureKey = files.stepKey(organizationId, each.id, `picture-${index}`);
        await files.put(pictureKey, new Uint8Array(1), "image/png");
        await table.put(stepItem(aStep(each, { index: index + 1, pictureKey })));
      }
      await files.put(files.stepKey(organizationId, run.id, "plan"), new Uint8Array(1), "application/json");
      await runs.update(organizationId, run.id, {
        outputData: await spill(world, field, heavy),
        runMessageHistory: { kind: "inline", value: [] },
      });
    },
    markDeleted: ({ runs, deletedAt }) => runs.markDeleted(organizationId, run.id, deletedAt),
    stillNamedBy: [],
    changed: { [other.id]: { status: "scheduling" }, [attachments[1]?.id ?? ""]: { deleted_at: undefined } },
  };
}

function deletedAttachment(): DeletedKind {
  const run = aRun({ organizationId });
  const attachments = [1, 2].map(() => anAttachment({ organizationId, runId: run.id }));
  const [{ id } = { id: "" }, other] = attachments;
  return {
    id,
    make: async (world) => {
      await queue(world, run, undefined, attachments);
      for (const each of attachments) {
        const key = world.files.attachmentKey(organizationId, run.id, each.id);
        await world.files.put(key, new Uint8Array(1), "text/csv");
      }
    },
    markDeleted: ({ attachments: store, deletedAt }) => store.markDeleted(organizationId, id, deletedAt),
    stillNamedBy: [],
    changed: { [run.id]: { status: "scheduling" }, [other?.id ?? ""]: { deleted_at: undefined } },
  };
}

function deletedTrajectory(): DeletedKind {
  const workflow = aWorkflow({ organizationId });
  const [trajectory, other] = [1, 2].map(() => aTrajectory({ organizationId, workflowId: workflow.id }));
  if (trajectory === undefined || other === undefined) throw new Error("there are two");
  return {
    id: trajectory.id,
    make: async (world) => {
      await world.workflows.create(workflow);
      for (const each of [trajectory, other]) {
        const place = { organizationId, kind: "trajectory", id: each.id, objectId: "1" };
        const data = await spill(world, { ...place, field: "trajectory_data" }, heavy);
        const screens = await spill(world, { ...place, field: "screens" }, heavy);
        await world.trajectories.create({ ...each, data, screens });
        await world.trajectories.updateAsRead(each, {
          isMain: each === trajectory,
          updatedAt: each.updatedAt,
        });
      }
    },
    markDeleted: ({ trajectories, deletedAt }) =>
      trajectories.markDeleted(organizationId, trajectory.id, deletedAt),
    stillNamedBy: [],
    changed: { [other.id]: { deleted_at: undefined } },
  };
}

function deletedSchedule(): DeletedKind {
  const workflow = aWorkflow({ organizationId });
  const [schedule, other] = [1, 2].map(() => aSchedule({ organizationId, workflowId: workflow.id }));
  if (schedule === undefined || other === undefined) throw new Error("there are two");
  return {
    id: schedule.id,
    make: async (world) => {
      await world.workflows.create(workflow);
      for (const each of [schedule, other]) {
        const place = { organizationId, kind: "schedule", id: each.id, field: "contents", objectId: "1" };
        await world.schedules.create({ ...each, contents: await spill(world, place, heavy) });
      }
    },
    markDeleted: ({ schedules, deletedAt }) => schedules.markDeleted(organizationId, schedule.id, deletedAt),
    stillNamedBy: [],
    changed: { [other.id]: { deleted_at: undefined } },
  };
}

export const deletedKinds: Readonly<Record<DeletableKind, DeletedKind>> = {
  machine: deletedMachine(),
  pool: deletedPool(),
  workflow: deletedWorkflow(),
  workflow_tag: deletedTag(),
  workflow_tag_group: deletedTagGroup(),
  run: deletedRun(),
  attachment: deletedAttachment(),
  trajectory: deletedTrajectory(),
  schedule: deletedSchedule(),
};
