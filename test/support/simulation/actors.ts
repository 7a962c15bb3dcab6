import type { Caller } from "../../../shared/domain/access/caller.ts";
import {
  deleteMachine,
  deletePool,
  deleteRun,
  deleteWorkflow,
} from "../../../shared/domain/entity/delete-entity.ts";
import { endFailedExecution } from "../../../shared/domain/execution/engine/end-failed-execution.ts";
import { tryElsewhere } from "../../../shared/domain/execution/engine/try-elsewhere.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import { servePlaces } from "../../../shared/domain/maintenance/matching/serve-places.ts";
import { addMachines, removeMachines, setMachinePools } from "../../../shared/domain/pool/change-members.ts";
import { updateMachine } from "../../../shared/domain/reservation/update-machine.ts";
import { cancelRun } from "../../../shared/domain/run/cancel-run.ts";
import { createChain } from "../../../shared/domain/run/create/create-chain.ts";
import { createRun } from "../../../shared/domain/run/create/create-run.ts";
import { createRuns } from "../../../shared/domain/run/create/create-runs.ts";
import { retryRun } from "../../../shared/domain/run/retry/retry-run.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { isTerminal } from "../../../shared/domain/run/run-status.ts";
import { updateRun } from "../../../shared/domain/run/update-run.ts";
import { targetOfRun } from "../../../shared/domain/run/waiting/target.ts";
import type { Session } from "../../../shared/domain/session/session.ts";
import { aConnection } from "../builders/entities.ts";
import type { Random } from "../shared/random.ts";
import { short } from "./scheduler.ts";
import type { SimStores } from "./sim-stores.ts";
import type { View } from "./view.ts";

export interface Action {
  readonly name: string;
  readonly act: (stores: SimStores) => Promise<unknown>;
}

export interface Stage {
  readonly view: View;
  readonly random: Random;
  readonly caller: Caller;
  readonly assignments: readonly { readonly runId: string; readonly assignmentId: string }[];
  readonly workflowIds: readonly string[];
}

type Choice = (stage: Stage) => Action | undefined;

const ends = ["success", "error", "task_failed"] as const;

const choices: readonly (readonly [number, Choice])[] = [
  [8, makeRun],
  [2, makeRuns],
  [3, makeChain],
  [12, endRun],
  [6, goElsewhere],
  [4, killExecutor],
  [3, sweepPlaces],
  [4, cancelSome],
  [1, removeRun],
  [2, retry],
  [6, connect],
  [2, disconnect],
  [2, ping],
  [2, clearReservation],
  [2, reserve],
  [3, switchAvailability],
  [2, setService],
  [3, changeMembership],
  [0.4, removeMachine],
  [0.4, removePool],
  [0.3, removeWorkflow],
];

/** Chooses the actions of one schedule and their weights; some are left out, so that others coincide more often. */
export function chooseMixture(random: Random): Mixture {
  const share = random.pick([0.2, 0.6, 0.6]);
  const weights = choices.map(([weight, choice]) => {
    const isNeeded = choice === makeRun || choice === endRun;
    const factor = isNeeded ? 1 : random.chance(share) ? random.pick([1, 1, 3]) : 0;
    return [weight * factor, choice] as const;
  });
  return { weights, total: weights.reduce((sum, [weight]) => sum + weight, 0) };
}

export interface Mixture {
  readonly weights: readonly (readonly [number, Choice])[];
  readonly total: number;
}

export function chooseAction(stage: Stage, { weights, total }: Mixture): Action | undefined {
  let at = stage.random.next() * total;
  for (const [weight, choice] of weights) {
    at -= weight;
    if (at < 0) return choice(stage);
  }
  return undefined;
}

function targetOf({ view, random }: Stage) {
  const machine = pickFrom(random, view.livingMachines());
  const pools = [...view.pools];
  const kind = random.int(0, 2);
  if (kind === 0 && machine) return { machineId: machine.id };
  if (kind === 1 && pools.length > 0) {
    const some = pools.filter(() => random.chance(0.6));
    return { poolIds: some.length > 0 ? some : [random.pick(pools)] };
  }
  return {};
}

function someSession({ view, random }: Stage): Session | undefined {
  const sessions = [...view.sessions.values()];
  const open = sessions.filter(({ status }) => status !== "ended");
  if (open.length === 0 || random.chance(0.2)) return pickFrom(random, sessions);
  return random.chance(0.5) ? open.at(-1) : random.pick(open);
}

function someRun({ view, random }: Stage): Run | undefined {
  const runs = view.livingRuns();
  const open = runs.filter(({ status }) => !isTerminal(status));
  return pickFrom(random, open.length === 0 || random.chance(0.2) ? runs : open);
}

function sessionOf(stage: Stage) {
  const { random } = stage;
  const session = someSession(stage);
  if (session && random.chance(0.5)) return { sessionId: session.id };
  const target = targetOf(stage);
  return random.chance(0.35) ? { ...target, startSession: true } : target;
}

function makeRun(stage: Stage): Action {
  const { random, caller } = stage;
  const input = {
    workflowId: random.pick(stage.workflowIds),
    ...sessionOf(stage),
    isPriority: random.chance(0.2),
    ...(random.chance(0.3) && { releaseSessionAfter: true }),
  };
  return { name: `create run ${told(input)}`, act: (stores) => createRun(stores, caller, input) };
}

function makeRuns(stage: Stage): Action {
  const { random, caller } = stage;
  const input = { workflowId: random.pick(stage.workflowIds), ...sessionOf(stage), count: random.int(2, 3) };
  return { name: `create runs ${told(input)}`, act: (stores) => createRuns(stores, caller, input) };
}

function makeChain(stage: Stage): Action {
  const { random, caller } = stage;
  const session = someSession(stage);
  const steps = Array.from({ length: random.int(1, 3) }, (_, place) => ({
    workflowId: random.pick(stage.workflowIds),
    continueOnFailure: random.chance(0.3),
    sessionAlias: `s${place}`,
    ...(place > 0 && random.chance(0.5) && { inputValues: { is: { $ref: `s${place - 1}.outputs.is` } } }),
  }));
  const input = {
    steps,
    keepsSession: random.chance(0.5),
    ...(session && random.chance(0.3) ? { sessionId: session.id } : targetOf(stage)),
  };
  return { name: `create chain ${told(input)}`, act: (stores) => createChain(stores, caller, input) };
}

function endRun({ random, caller, assignments }: Stage): Action | undefined {
  const given = pickFrom(random, random.chance(0.8) ? assignments.slice(-4) : assignments);
  if (given === undefined) return undefined;
  const status = random.pick(ends);
  const { runId, assignmentId } = given;
  const release = random.chance(0.15) ? { releaseSessionAfter: true } : {};
  const output = status === "success" ? { outputData: { is: "done" } } : {};
  return {
    name: `end run ${short(runId)} with ${status}`,
    act: (stores) => updateRun(stores, caller, { runId, assignmentId, status, ...output, ...release }),
  };
}

/** The service cannot start a run of pools on its machine. */
function goElsewhere({ random, view }: Stage): Action | undefined {
  const isOfPools = (run: Run) => run.executor === "service" && targetOfRun(run).kind === "pools";
  const run = pickFrom(
    random,
    view.livingRuns().filter((each) => each.status === "running" && isOfPools(each)),
  );
  if (run === undefined) return undefined;
  const { organizationId, id: runId, assignmentId } = run;
  const job = { organizationId, runId, assignmentId: assignmentId ?? "", part: 1 };
  return { name: `start of run ${short(runId)} not reached`, act: (stores) => tryElsewhere(stores, job) };
}

/** The service reports an execution that failed, or the sweeper finds it. */
function killExecutor({ random, view }: Stage): Action | undefined {
  const run = pickFrom(random, view.executedRuns());
  if (run === undefined) return undefined;
  const { organizationId, id: runId, assignmentId } = run;
  const job = { organizationId, runId, assignmentId: assignmentId ?? "", part: 1 };
  return {
    name: `executor of run ${short(runId)} was killed`,
    act: (stores) => endFailedExecution(stores, job),
  };
}

/** The sweeper's, where the executions of all organizations have a limit. */
function sweepPlaces(): Action {
  return { name: "sweep places", act: (stores) => servePlaces(stores) };
}

function cancelSome(stage: Stage): Action | undefined {
  const { caller } = stage;
  const run = someRun(stage);
  if (run === undefined) return undefined;
  return {
    name: `cancel run ${short(run.id)}`,
    act: (stores) => cancelRun(stores, caller, { runId: run.id }),
  };
}

function removeRun(stage: Stage): Action | undefined {
  const { caller } = stage;
  const run = someRun(stage);
  return (
    run && {
      name: `delete run ${short(run.id)}`,
      act: (stores) => deleteRun(stores, caller, { id: run.id }),
    }
  );
}

function retry(stage: Stage): Action | undefined {
  const { random, caller, view } = stage;
  const ended = (run: Run) => isTerminal(run.status);
  const run = pickFrom(random, view.livingRuns().filter(ended));
  if (run === undefined) return undefined;
  const input = {
    runId: run.id,
    reuseSession: random.chance(0.5),
    isPriority: random.chance(0.2),
    ...(random.chance(0.2) && { startSession: true }),
    ...(random.chance(0.3) ? targetOf(stage) : {}),
  };
  return { name: `retry ${told(input)}`, act: (stores) => retryRun(stores, caller, input) };
}

function connect({ random, view, caller }: Stage): Action | undefined {
  const machine = pickFrom(random, view.livingMachines());
  if (machine === undefined) return undefined;
  return {
    name: `connect ${short(machine.id)}`,
    act: (stores) => connectMachine(stores, machine, caller),
  };
}

export async function connectMachine(
  { connections, clock, ids }: SimStores,
  machine: Machine,
  { keyId }: Caller,
): Promise<void> {
  const id = ids.uuid7();
  const connection = aConnection(machine, { id, websocketId: id, keyId: keyId ?? "" });
  await connections.open(connection);
  await connections.activate(connection, {}, clock.now());
}

function disconnect({ random, view }: Stage): Action | undefined {
  const machine = pickFrom(random, view.livingMachines());
  const websocketId = machine?.connection?.websocketId;
  if (machine === undefined || websocketId === undefined) return undefined;
  return {
    name: `disconnect ${short(machine.id)}`,
    act: async ({ connections, clock }) => {
      const connection = await connections.findByWebsocketId(websocketId);
      if (connection) await connections.close(connection, clock.now());
    },
  };
}

function ping({ random, view }: Stage): Action | undefined {
  const machine = pickFrom(random, view.livingMachines());
  const websocketId = machine?.connection?.websocketId;
  if (machine === undefined || websocketId === undefined) return undefined;
  return {
    name: `ping ${short(machine.id)}`,
    act: async ({ connections, clock }) => {
      await connections.ping(websocketId, clock.now());
    },
  };
}

function clearReservation({ random, caller, view }: Stage): Action | undefined {
  const machine = pickFrom(random, view.livingMachines());
  if (machine === undefined) return undefined;
  return {
    name: `clear the reservation of ${short(machine.id)}`,
    act: (stores) => updateMachine(stores, caller, { machineId: machine.id, reservedSessionId: null }),
  };
}

const strangers = ["5e551017-0000-7000-8000-000000000001", "5e551017-0000-7000-8000-000000000002"] as const;

function reserve({ random, caller, view }: Stage): Action | undefined {
  const machine = pickFrom(random, view.livingMachines());
  const known = pickFrom(random, [...view.sessions.keys()]);
  if (machine === undefined) return undefined;
  const reservedSessionId = known !== undefined && random.chance(0.6) ? known : random.pick(strangers);
  return {
    name: `reserve ${short(machine.id)} for ${short(reservedSessionId)}`,
    act: (stores) => updateMachine(stores, caller, { machineId: machine.id, reservedSessionId }),
  };
}

function switchAvailability({ random, caller, view }: Stage): Action | undefined {
  const machine = pickFrom(random, view.livingMachines());
  if (machine === undefined) return undefined;
  const isAvailable = random.chance(0.6);
  return {
    name: `make ${short(machine.id)} ${isAvailable ? "available" : "unavailable"}`,
    act: (stores) => updateMachine(stores, caller, { machineId: machine.id, isAvailable }),
  };
}

function setService({ random, caller, view }: Stage): Action | undefined {
  const machine = pickFrom(random, view.livingMachines());
  if (machine === undefined) return undefined;
  const status = random.chance(0.35) ? "error" : "connected";
  return {
    name: `status ${status} of ${short(machine.id)}`,
    act: (stores) => updateMachine(stores, caller, { machineId: machine.id, status }),
  };
}

function changeMembership({ random, caller, view }: Stage): Action | undefined {
  const machine = pickFrom(random, view.livingMachines());
  const poolId = pickFrom(random, [...view.pools]);
  if (machine === undefined || poolId === undefined) return undefined;
  const [name, machineIds] = [`${short(machine.id)} of pool ${short(poolId)}`, [machine.id]];
  switch (random.int(0, 3)) {
    case 0:
      return {
        name: `take ${name}`,
        act: (stores) => removeMachines(stores, caller, { poolId, machineIds }),
      };
    case 1: {
      const poolIds = [...view.pools].filter(() => random.chance(0.6));
      return {
        name: `set pools of ${short(machine.id)} to ${poolIds.map(short).join(" ")}`,
        act: (stores) => setMachinePools(stores, caller, { machineId: machine.id, poolIds }),
      };
    }
    default:
      return { name: `make ${name}`, act: (stores) => addMachines(stores, caller, { poolId, machineIds }) };
  }
}

function removeMachine({ random, caller, view }: Stage): Action | undefined {
  const machine = pickFrom(random, view.livingMachines());
  if (machine === undefined) return undefined;
  return {
    name: `delete machine ${short(machine.id)}`,
    act: (stores) => deleteMachine(stores, caller, { id: machine.id }),
  };
}

function removePool({ random, caller, view }: Stage): Action | undefined {
  const poolId = pickFrom(random, [...view.pools]);
  return poolId === undefined
    ? undefined
    : { name: `delete pool ${short(poolId)}`, act: (stores) => deletePool(stores, caller, { id: poolId }) };
}

function removeWorkflow({ random, caller, workflowIds }: Stage): Action | undefined {
  // One workflow stays, so that there is always something to do.
  const workflowId = pickFrom(random, workflowIds.slice(1));
  return workflowId === undefined
    ? undefined
    : {
        name: `delete workflow ${short(workflowId)}`,
        act: (stores) => deleteWorkflow(stores, caller, { id: workflowId }),
      };
}

function pickFrom<T>(random: Random, from: readonly T[]): T | undefined {
  return from.length === 0 ? undefined : random.pick(from);
}

function told(input: object): string {
  return short(JSON.stringify(input));
}
