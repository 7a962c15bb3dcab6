import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { FakePeer } from "../../support/fake-peer/fake-peer.ts";
import { aPng } from "../../support/pictures/a-png.ts";
import { made } from "../../support/stack/own-resources.ts";
import {
  durableExecutions,
  hasEnded,
  readRun,
  serviceWorkflow,
  skipSeconds,
  stepsOf,
} from "../../support/stack/service-runs.ts";
import { spawnDriver } from "../../support/stack/spawn-driver.ts";
import {
  type ApiRequest,
  ask,
  control,
  createOrganization,
  keyOf,
} from "../../support/stack/stack-client.ts";
import { until } from "../../support/stack/until.ts";

const scroll = { type: "scroll", direction: "down", amount: 1 };
const wait = { type: "wait", seconds: 60 };
const screen = aPng({ width: 8, height: 8, bytes: Array.from({ length: 192 }, () => 200) });

let key: string;
let driverKey: string;
const ends: (() => Promise<void>)[] = [];

beforeEach(async () => {
  const organization = await createOrganization();
  key = keyOf(organization, "full");
  driverKey = keyOf(organization, "driver");
});

afterEach(async () => {
  await control("/durable/release", {});
  await Promise.all(ends.splice(0).map((end) => end()));
});

type Desk = Awaited<ReturnType<typeof connectDesk>>;

/**
 * A desktop that takes batches, and has its driver's fingerprint in its clipboard; a driver of the same fingerprint
 * takes its machine over.
 */
async function connectDesk(fingerprint?: string) {
  const authorization = `Bearer ${driverKey}`;
  const dialled = await FakePeer.dial({ url: inject("stack").websocketUrl, authorization, fingerprint });
  if (dialled.kind === "refused") throw new Error(`the handshake was answered ${dialled.status}`);
  const { peer } = dialled;
  ends.push(() => peer.close());
  const result = { status: "done", answer: { text: peer.fingerprint } };
  const batch = Buffer.from(JSON.stringify({ results: [result], screenshot: null }));
  const unknown = Buffer.from(JSON.stringify({ error: "not known here", code: "unknown_action" }));
  peer.onRequest((request) => {
    if (request.path === "/computer/display/screenshot") peer.answer(request, screen);
    else if (request.path !== "/computer/batch") peer.answer(request);
    else if (request.repeat) peer.answer(request, unknown, 409);
    else peer.answer(request, batch);
  });
  const machineId = await peer.sayHello({ capabilities: ["computer/batch"] });
  const actions = () =>
    peer.requests
      .filter(({ path, repeat }) => path === "/computer/batch" && !repeat)
      .map(({ action_id: id }) => id);
  /** From now on the desktop shows its screen, and further actions are not answered, or answered as done. */
  const take = (answers: "nothing" | "done") =>
    peer.onRequest((request) => {
      if (request.path === "/computer/display/screenshot") peer.answer(request, screen);
      else if (answers === "done") peer.answer(request, batch);
    });
  return { peer, machineId, actions, take };
}

async function ask200(path: string, request: ApiRequest): Promise<void> {
  const { status, body } = await ask(path, { key, ...request });
  expect([200, 201, 202, 204], `${path}: ${status} ${JSON.stringify(body)}`).toContain(status);
}

function contentOf(body = ""): string {
  const { content } = JSON.parse(atob(body)) as { readonly content: string };
  return atob(content);
}

interface Begun {
  readonly runId: string;
  readonly assignmentId: string | null;
  readonly machineId: string;
  readonly workflowId: string;
  readonly trajectoryId: string;
}

const patch = (body: object): ApiRequest => ({ method: "PATCH", body });
const cancel = ({ runId, assignmentId: assignment_id }: Begun) =>
  ask200(`/v1/runs/${runId}`, patch({ status: "cancelled", assignment_id }));

const interruptions: readonly {
  readonly what: string;
  readonly happens: (begun: Begun) => Promise<void>;
  readonly status: string | undefined;
  readonly actions: number;
  readonly hasNext?: false;
}[] = [
  {
    what: "deleted",
    happens: ({ runId }) => ask200(`/v1/runs/${runId}`, { method: "DELETE" }),
    status: undefined,
    actions: 2,
  },
  {
    what: "cancelled and retried",
    happens: async (begun) => {
      await cancel(begun);
      await ask200(`/v1/runs/${begun.runId}/retry`, { method: "POST", body: {} });
    },
    status: "success",
    actions: 4,
  },
  {
    what: "its reservation cleared",
    happens: ({ machineId }) => ask200(`/v1/machines/${machineId}`, patch({ reserved_session_id: null })),
    status: "cancelled",
    actions: 2,
  },
  {
    what: "its machine deleted",
    happens: ({ machineId }) => ask200(`/v1/machines/${machineId}`, { method: "DELETE" }),
    status: "error",
    actions: 1,
    hasNext: false,
  },
  {
    what: "its workflow changed",
    happens: ({ workflowId }) =>
      ask200(`/v1/workflows/${workflowId}`, patch({ max_steps: 1, replay: "never" })),
    status: "success",
    actions: 3,
  },
  {
    what: "its trajectory changed",
    happens: ({ trajectoryId }) =>
      ask200(
        `/v1/trajectories/${trajectoryId}`,
        patch({ trajectory_data: [{ action: scroll, by: "replay" }] }),
      ),
    status: "success",
    actions: 3,
  },
];

describe("a run that the service carries out", () => {
  it("does nothing after its end, and goes by what it began with, whatever happens between two steps", async () => {
    const next = await serviceWorkflow(key, [scroll]);
    const interrupted: {
      expected: object;
      actions: number;
      desk: Desk;
      runId: string;
      name: unknown;
      nextId?: string;
    }[] = [];
    // In sequence fewer instances of the functions have to start.
    for (const { happens, hasNext, actions, ...expected } of interruptions) {
      const desk = await connectDesk();
      const { machineId } = desk;
      const own = await serviceWorkflow(key, [scroll, wait, scroll]);
      const runId = await made(key, "/v1/runs", { workflow_id: own.workflowId, machine_id: machineId });
      await until(async () => (await stepsOf(key, runId)) === 2);
      const { assignment_id: name } = await readRun(key, runId);
      await happens({ runId, assignmentId: name, machineId, ...own });
      const queued = { workflow_id: next.workflowId, machine_id: machineId };
      const nextId = hasNext === false ? {} : { nextId: await made(key, "/v1/runs", queued) };
      interrupted.push({ expected, actions, desk, runId, name, ...nextId });
    }
    await until(async () => {
      await skipSeconds(60);
      const isDone = await Promise.all(
        interrupted.map(async ({ name, nextId }) => {
          const own = (await durableExecutions()).find((each) => each.name === name);
          return own?.status !== "RUNNING" && (nextId === undefined || (await hasEnded(key, nextId)));
        }),
      );
      return isDone.every(Boolean);
    });
    const executions = await durableExecutions();
    for (const { expected, actions, desk, runId, name, nextId } of interrupted) {
      const run = await ask(`/v1/runs/${runId}`, { key });
      const execution = executions.find((each) => each.name === name)?.status;
      const nextStatus = nextId && (await readRun(key, nextId)).status;
      expect({ ...expected, status: run.body.status, execution, nextStatus }).toEqual({
        ...expected,
        execution: "SUCCEEDED",
        nextStatus: nextId && "success",
      });
      expect(new Set(desk.actions()).size).toBe(actions);
      expect(desk.actions()).toHaveLength(actions);
    }
  });
});

it("a run goes on where its worker is ended inside a call, over the control address: each action once", async () => {
  const { peer, machineId, actions, take } = await connectDesk();
  const { workflowId } = await serviceWorkflow(key, [scroll, scroll]);
  take("nothing");
  const id = await made(key, "/v1/runs", { workflow_id: workflowId, machine_id: machineId });
  await until(() => actions().length === 1);
  const crashed = await control<{ readonly name: string }>("/functions/executor/crash", {});
  expect(crashed).toMatchObject({ name: "executor" });
  take("done");
  await until(async () => {
    await skipSeconds(10);
    return await hasEnded(key, id);
  });
  expect(await readRun(key, id)).toMatchObject({ status: "success", error: [] });
  expect(actions()).toHaveLength(2);
  expect(peer.requests.filter(({ repeat }) => repeat).map(({ action_id: of }) => of)).toContain(actions()[0]);
});

describe("ten runs at once on ten desktops", () => {
  it("all succeed with their own output, and no desktop gets another's actions", async () => {
    const actions = [
      { type: "copy_to_clipboard", save_as: "copied" },
      { type: "write_file", path: "~/Transfers/order", content: "{item} {copied}" },
      { type: "finish", output: { item: "{item}", copied: "{copied}" } },
    ];
    const { workflowId: workflow_id } = await serviceWorkflow(key, actions);
    await control("/durable/hold", {});
    const begun: { desk: Desk; id: string; item: string }[] = [];
    for (let number = 1; number <= 10; number += 1) {
      const desk = await connectDesk();
      const item = `Chair ${number}`;
      const run = { workflow_id, machine_id: desk.machineId, input_values: { item } };
      begun.push({ desk, item, id: await made(key, "/v1/runs", run) });
    }
    await control("/durable/release", {});
    await until(
      async () => (await Promise.all(begun.map(({ id }) => hasEnded(key, id)))).every(Boolean),
      60_000,
    );
    for (const { desk, id, item } of begun) {
      const { fingerprint, requests } = desk.peer;
      const { status, error, output_data: output } = await readRun(key, id);
      const expected = { item, copied: fingerprint };
      expect({ status, error, output }).toEqual({ status: "success", error: [], output: expected });
      expect(desk.actions()).toHaveLength(1);
      const written = requests.filter(({ path }) => path === "/computer/fs/write");
      expect(written.map(({ body }) => contentOf(body))).toEqual([`${item} ${fingerprint}`]);
    }
  });
});

describe("another connection of its machine", () => {
  it("gets the rest of a run when it takes over between two steps, each action once", async () => {
    const shell = (what: string) => ({ type: "shell", command: `echo ${what} >> "${file}"`, save_as: what });
    const driver = { websocketUrl: inject("stack").websocketUrl, key: driverKey };
    const first = await spawnDriver(driver);
    ends.push(() => first.stop());
    const file = join(first.root, "done");
    const actions = [shell("one"), shell("two"), wait, shell("three"), shell("four")];
    const { workflowId } = await serviceWorkflow(key, actions, { allow_shell: true });
    const id = await made(key, "/v1/runs", { workflow_id: workflowId, machine_id: first.machineId });
    await until(async () => (await stepsOf(key, id)) === 3);
    const args = ["--fingerprint-file", join(first.root, ".fingerprint")];
    const second = await spawnDriver({ ...driver, args });
    ends.push(() => second.stop());
    expect([second.machineId, await first.ended]).toEqual([first.machineId, 4]);
    await until(async () => {
      await skipSeconds(60);
      return await hasEnded(key, id);
    });
    expect(await readRun(key, id)).toMatchObject({ status: "success", error: [] });
    expect(await readFile(file, "utf8")).toBe("one\ntwo\nthree\nfour\n");
  });

  it("is asked what became of the action under way, which is done anew where nothing has happened", async () => {
    const first = await connectDesk();
    const { workflowId } = await serviceWorkflow(key, [scroll, scroll]);
    first.take("nothing");
    const id = await made(key, "/v1/runs", { workflow_id: workflowId, machine_id: first.machineId });
    await until(() => first.actions().length === 1);
    const second = await connectDesk(first.peer.fingerprint);
    await until(async () => {
      await skipSeconds(5);
      return await hasEnded(key, id);
    });
    expect(await readRun(key, id)).toMatchObject({ status: "success", error: [] });
    const asked = second.peer.requests.filter(({ repeat }) => repeat).map(({ action_id: of }) => of);
    expect(first.actions()).toHaveLength(1);
    expect(asked).toEqual(first.actions());
    expect(second.actions()).toHaveLength(2);
  });
});
