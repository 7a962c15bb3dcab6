import { Readable } from "node:stream";
import type { Caller } from "../../../shared/domain/access/caller.ts";
import { serviceCaller } from "../../../shared/domain/access/caller.ts";
import type { Hold } from "../../../shared/domain/hold/hold.ts";
import type { JsonObject } from "../../../shared/domain/json.ts";
import { sizeOfPng } from "../../../shared/domain/picture/png.ts";
import { type HoldRunInput, holdRun } from "../../../shared/domain/run/hold/hold-run.ts";
import { resumeRun } from "../../../shared/domain/run/hold/resume-run.ts";
import { recordPersonalSteps } from "../../../shared/domain/run-progress/record-personal-steps.ts";
import { pngCodec } from "../../../shared/pictures/png-codec.ts";
import { type ExecutionWorld, type ExecutionWorldOptions, executionWorld } from "./execution-world.ts";
import { type CallPoint, KillSwitch } from "./kill-switch.ts";

export interface HeldWorldOptions extends Omit<ExecutionWorldOptions, "kills" | "onCallback"> {
  /** The run is held at the first point for which this is true. @default nowhere: its model asks for a person */
  readonly at?: (point: CallPoint) => boolean;
  readonly hold?: Omit<HoldRunInput, "runId">;
  readonly shouldKill?: (point: CallPoint) => boolean;
  /** Called while the run stands still, as a person who drives and then resumes it or not. */
  readonly meanwhile?: (world: HeldWorld) => Promise<void>;
}

interface HeldWorld extends ExecutionWorld {
  readonly resume: (note?: string) => Promise<void>;
  readonly extend: (seconds: number) => Promise<void>;
  /** The holder acts on the desktop, which is recorded as the service's own operations record it. */
  readonly drive: (path: string, body: object) => Promise<void>;
  /** The desktop changes by itself. */
  readonly change: (path: string, body: object) => Promise<void>;
}

function actionOf(path: string, body: object): JsonObject {
  return { type: path.split("/").at(-1) ?? "", ...body };
}

function person({ organizationId, run }: Pick<ExecutionWorld, "organizationId" | "run">): Caller {
  return { ...serviceCaller(organizationId, run.id), kind: "session", userId: "a-person", scopes: ["write"] };
}

/** A run that a person holds at one point of its execution. */
export async function heldWorld({ at, hold = {}, shouldKill, meanwhile, ...options }: HeldWorldOptions) {
  let isHeld = false;
  let wrong: unknown;
  const seen: { held: Hold | null; done: number }[] = [];
  const kills = new KillSwitch(shouldKill, async (point) => {
    if (isHeld || !at?.(point)) return;
    isHeld = true;
    await keptWrong(async () => {
      await holdRun(deps(), person(world), { runId: world.run.id, ...hold });
    });
  });
  const keptWrong = async (work: () => Promise<void>): Promise<void> =>
    await work().catch((cause: unknown) => {
      wrong = cause;
    });
  const world: HeldWorld = Object.assign(
    await executionWorld({
      ...options,
      kills,
      onCallback: async () => {
        const run = await world.find();
        seen.push({ held: run?.held ?? null, done: world.driver.done.length });
        await keptWrong(async () => await (meanwhile ?? (async ({ resume }) => await resume()))(world));
      },
    }),
    {
      resume: async (note?: string) => {
        const callbacks = { complete: async (id: string) => await world.durable.complete(id) };
        await resumeRun({ ...deps(), callbacks }, person(world), { runId: world.run.id, note });
      },
      change: async (path: string, body: object) => void (await call("POST", path, body)),
      drive: async (path: string, body: object) => {
        const { organizationId, machine, run, clock } = world;
        const { held = null } = (await world.find()) ?? {};
        if (held === null) throw new Error("nobody holds the run");
        const startedAtMs = clock.now();
        const before = await look();
        await call("POST", path, body);
        await recordPersonalSteps(
          { ...deps(), pictures: pngCodec },
          {
            organizationId,
            machine,
            callId: undefined,
            held: { ...held, runId: run.id, recordingId: null },
            actions: [{ action: actionOf(path, body), status: "done" }],
            before,
            after: await look(),
            startedAtMs,
            endedAtMs: clock.now(),
          },
        );
      },
      extend: async (seconds: number) =>
        void (await holdRun(deps(), person(world), { runId: world.run.id, seconds })),
    },
  );
  const call = async (method: "GET" | "POST", path: string, body: object = {}): Promise<Uint8Array> => {
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    const answer = await world.driver.desktop.handle({
      method,
      path: `/computer/${path}`,
      query: "",
      headers: { "content-type": "application/json" },
      signal: AbortSignal.timeout(60_000),
      body: { bytes: async () => bytes, stream: async () => Readable.from([bytes]), size: bytes.length },
    });
    if (!(answer.body instanceof Uint8Array)) throw new Error("the desktop answers in parts");
    return answer.body;
  };
  const look = async () => {
    const png = await call("GET", "display/screenshot");
    const size = sizeOfPng(png);
    return size && { ...size, png };
  };
  const deps = () => ({ ...world.stores, logger: world.logger });
  const executed = await world.execute();
  if (wrong !== undefined) throw wrong;
  if (at !== undefined && !isHeld) throw new Error("the run was never held");
  return { world, executed, seen };
}
