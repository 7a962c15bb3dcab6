import type { ApiClient } from "../../../../shared/client/api-client.ts";
import { ApiError } from "../../../../shared/client/api-error.ts";
import type { CallResponse } from "../../../../shared/client/call-types.ts";
import { Changes } from "../../follow/changes.ts";
import { openLive } from "../../follow/live.ts";
import type { Command } from "../../program/command.ts";
import type { Context } from "../../program/context.ts";
import { exitCodes } from "../../program/failures.ts";
import { stopSignal } from "../../program/stop-signal.ts";
import { printable } from "../../terminal/printable.ts";

type Machine = CallResponse<"listMachines">["items"][number];

const pageMachines = 100;

export const watchMachinesCommand: Command = {
  noun: "machines",
  verb: "watch",
  summary: "Shows changes of machines as they happen",
  description: "Each machine is shown as it is at first, then each change on a line, until ctrl-C",
  arguments: [{ name: "machine_id", text: "One machine; without it, all.", isOptional: true }],
  examples: ["das machines watch", "das machines watch MACHINE_ID --jsonl"],
  operations: ["listMachines", "getMachine", "createLiveTicket"],
  run: async (context, { words: [machineId] }) => {
    const { client } = await context.connect();
    const live = openLive({ client });
    const { signal, release } = stopSignal(context);
    try {
      await watchMachines({ ...context, signal, client, live }, machineId);
    } finally {
      release();
      live.stop();
    }
    return exitCodes.done;
  },
};

export interface WatchMachinesDeps extends Pick<Context, "terminal" | "form" | "signal"> {
  readonly client: Pick<ApiClient, "call">;
  readonly live: Pick<ReturnType<typeof openLive>, "watch">;
}

/** Ends with the signal; for one machine also once it is deleted. */
export async function watchMachines(deps: WatchMachinesDeps, machineId?: string): Promise<void> {
  const { live, signal } = deps;
  const changes = new Changes();
  const touched = new Set<string>();
  let isAllTouched = true;
  const topic = machineId === undefined ? "machines" : `machine:${machineId}`;
  const unwatch = live.watch([topic], (hint) => {
    if (hint?.type === "machine.changed") touched.add(hint.machine_id);
    else isAllTouched = true;
    changes.note();
  });
  const shown = new Map<string, string>();
  try {
    for (;;) {
      const seen = changes.count;
      const ids = [...touched];
      touched.clear();
      const readsAll = isAllTouched;
      isAllTouched = false;
      if (machineId !== undefined) await readOne(deps, shown, machineId);
      else if (readsAll) await readAll(deps, shown);
      else for (const id of ids) await readOne(deps, shown, id);
      if (machineId !== undefined && !shown.has(machineId)) return;
      await changes.after(seen, signal);
      if (signal.aborted) return;
    }
  } catch (failure) {
    if (!signal.aborted) throw failure;
  } finally {
    unwatch();
  }
}

async function readAll(deps: WatchMachinesDeps, shown: Map<string, string>): Promise<void> {
  const present = new Set<string>();
  for (let skip = 0; ; skip += pageMachines) {
    const query = { skip, limit: pageMachines };
    const { items } = await deps.client.call("listMachines", { query, signal: deps.signal });
    for (const machine of items) {
      present.add(machine.id);
      showChange(deps, shown, machine);
    }
    if (items.length < pageMachines) break;
  }
  for (const id of [...shown.keys()].filter((each) => !present.has(each))) showDeleted(deps, shown, id);
}

async function readOne(
  deps: WatchMachinesDeps,
  shown: Map<string, string>,
  machine_id: string,
): Promise<void> {
  try {
    showChange(
      deps,
      shown,
      await deps.client.call("getMachine", { path: { machine_id }, signal: deps.signal }),
    );
  } catch (failure) {
    const isDeleted = failure instanceof ApiError && failure.errorCode === "not_found";
    if (!isDeleted || !shown.has(machine_id)) throw failure;
    showDeleted(deps, shown, machine_id);
  }
}

function showChange(deps: WatchMachinesDeps, shown: Map<string, string>, machine: Machine): void {
  const words = wordsOf(machine);
  if (shown.get(machine.id) === words) return;
  shown.set(machine.id, words);
  write(deps, { event: "machine", machine }, `${machine.id}  ${words}`);
}

function showDeleted(deps: WatchMachinesDeps, shown: Map<string, string>, id: string): void {
  shown.delete(id);
  write(deps, { event: "deleted", machine_id: id }, `${id}  deleted`);
}

function write({ terminal, form }: WatchMachinesDeps, event: unknown, line: string): void {
  const time = new Date(terminal.now()).toISOString().replace(/\.\d+Z$/, "Z");
  terminal.out(form === "table" ? `${time}  ${line}\n` : `${JSON.stringify(event)}\n`);
}

function wordsOf({ name, status, is_available, held }: Machine): string {
  return [
    printable(name ?? ""),
    status ?? "",
    ...(is_available === false ? ["not available"] : []),
    ...(held === null || held === undefined ? [] : [`held by the ${held.by.kind} ${held.by.id ?? ""}`]),
  ]
    .filter((word) => word !== "")
    .join("  ");
}
