import { v7 } from "uuid";
import { describe, expect, it, vi } from "vitest";
import { createComputerApp } from "../../../functions/computer/app.ts";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import { createTrajectoriesApp } from "../../../functions/trajectories/app.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import { endRecordings } from "../../../shared/domain/maintenance/end-recordings.ts";
import type { SecretValues } from "../../../shared/domain/secret-store.ts";
import { otpauthCodes } from "../../../shared/secrets/otpauth-codes.ts";
import { aPng } from "../../support/pictures/a-png.ts";
import { answered } from "../../support/shared/scripted-channel.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

const connection = { id: v7(), websocketId: "socket", host: "host" };

function shot(grey: number) {
  const body = aPng({ width: 3, height: 2, bytes: Array.from({ length: 18 }, () => grey) });
  return { kind: "answered", status: 200, headers: { "content-type": "image/png" }, body } as const;
}

const done = answered(200, {});

async function setUp({
  secrets = {},
  ...fields
}: Partial<Machine> & { readonly secrets?: SecretValues } = {}) {
  const service = await createTestService();
  const { stores, organizationId, deps } = service;
  const secretName = `das/main/${organizationId}/machine/1/2`;
  await stores.secrets.create(secretName, secrets);
  const machine = await service.putMachine({
    connection,
    ...(Object.keys(secrets).length > 0 && { secretName, sensitiveAliases: Object.keys(secrets) }),
    ...fields,
  });
  const workflow = await stores.put.workflow({ organizationId });
  const [computer, machines, trajectories] = [
    createComputerApp(deps),
    createMachinesApp(deps),
    createTrajectoriesApp(deps),
  ];
  const appOf = (path: string) =>
    path.startsWith("/v1/computer") ? computer : path.startsWith("/v1/machines") ? machines : trajectories;
  const as = (authorization: string) => asking(appOf, authorization);
  const me = as(service.authorize({ id: v7(), scopes: ["read", "write"] }));
  const start = async (body: object = {}) =>
    await me("POST", "/v1/recordings", { machine_id: machine.id, workflow_id: workflow.id, ...body });
  const act = async (path: string, body: object, headers: Record<string, string> = {}) =>
    await me("POST", `/v1/computer/${machine.id}/input/${path}`, body, headers);
  const steps = async (id: string) => (await me("GET", `/v1/recordings/${id}/steps`)).json.items;
  const sweep = async () => await endRecordings(stores);
  const held = async () => (await me("GET", `/v1/machines/${machine.id}`)).json.held;
  const colleague = as(service.authorize({ scopes: ["read", "write"] }));
  return { ...service, machine, workflow, me, colleague, start, act, steps, sweep, held };
}

describe("POST /v1/recordings", () => {
  it("holds the machine for its caller, so that no run gets it", async () => {
    const { start, held, stores, machine } = await setUp();
    const { status, json } = await start({ seconds: 60 });
    expect([status, json]).toMatchObject([
      201,
      { status: "recording", element_count: 0, until: "2026-01-15T12:01:00.000Z", trajectory_id: null },
    ]);
    expect(await held()).toMatchObject({
      by: json.by,
      until: json.until,
      recording_id: json.id,
      run_id: null,
    });
    expect(await stores.matches.markIdle(machine)).toBe(false);
  });

  it.each([
    ["has a run", { currentRunId: v7() }, "conflict"],
    ["is not connected", { connection: null }, "machine_not_connected"],
    ["is reserved for a session", { reservedSessionId: v7() }, "machine_reserved"],
  ] as const)("is 409 where the machine %s", async (_what, fields, code) => {
    const { start, held } = await setUp(fields);
    const { status, json } = await start();
    expect([status, json.error_code, await held()]).toEqual([409, code, null]);
  });

  it("is 409 where the machine is held, until that has expired", async () => {
    const { start, stores } = await setUp();
    await start({ seconds: 60 });
    expect((await start()).json.error_code).toBe("machine_held");
    stores.clock.advance(60_000);
    expect((await start()).status).toBe(201);
  });
});

describe("what the holder of a recording does", () => {
  it("is a step with pictures before and after, and a screen that has not changed is shown once", async () => {
    const { start, act, steps, channel, me, stores } = await setUp();
    const { id } = (await start()).json;
    channel.willAnswer(shot(1), done, shot(2), shot(2), done, shot(3), shot(4), done, shot(5));
    for (const x of [1, 2, 3]) expect((await act("mouse/click", { x, y: 1 })).status).toBe(200);
    const types = (await steps(id)).map(({ index, action }: { index: number; action: { type: string } }) => [
      index,
      action.type,
    ]);
    expect(types).toEqual([
      ...[
        [1, "screenshot"],
        [2, "click"],
        [3, "click"],
      ],
      ...[
        [4, "screenshot"],
        [5, "click"],
      ],
    ]);
    expect(stores.files.keys().filter((key) => key.startsWith("steps/"))).toHaveLength(5);
    expect((await me("GET", `/v1/recordings/${id}`)).json.element_count).toBe(3);
  });

  it("names inputs, whose values are the trajectory's, and is refused to do so without a recording", async () => {
    const { start, act, steps, channel, me } = await setUp();
    const refused = await act("keyboard/type", { text: "Miller", as_input: "customer" });
    expect([refused.status, refused.json.detail[0].loc]).toEqual([422, ["body", "as_input"]]);
    const { id } = (await start()).json;
    channel.willAnswer(shot(1), done, shot(2));
    await act("keyboard/type", { text: "Miller", as_input: "customer" });
    expect(new TextDecoder().decode(channel.requests[1]?.body)).toBe('{"text":"Miller"}');
    expect((await steps(id))[1].action).toEqual({ type: "type", text: "{customer}" });
    const { status, json } = await me("POST", `/v1/recordings/${id}/finish`, {});
    expect([status, json.original_input_values]).toEqual([201, { customer: "Miller" }]);
  });

  it("types a secret by its name, which is nowhere on record", async () => {
    const { start, act, steps, channel, stores, log } = await setUp({ secrets: { pin: "24681357" } });
    const { id } = (await start()).json;
    channel.willAnswer(shot(1), done, shot(2), shot(2), done, shot(3));
    await act("keyboard/type", { text: "{$pin}" });
    expect(new TextDecoder().decode(channel.requests[1]?.body)).toBe('{"text":"24681357"}');
    await act("keyboard/type", { text: "24681357" });
    const texts = (await steps(id)).flatMap(({ action }: { action: { text?: string } }) => action.text ?? []);
    expect(texts).toEqual(["{$pin}", "{$pin}"]);
    expect(JSON.stringify(stores.model.takeRecords()) + log.text()).not.toContain("24681357");
    channel.willAnswer(shot(3));
    const unknown = await act("keyboard/type", { text: "{$door}" });
    expect([unknown.status, unknown.json.detail[0].loc]).toEqual([422, ["body", "text"]]);
  });

  it("types secrets of the machine's pools, its own before theirs", async () => {
    const world = await setUp({ secrets: { pin: "the machine's" } });
    const { start, act, steps, channel, stores, organizationId } = world;
    const poolIds = [v7(), v7()];
    for (const [at, id] of poolIds.entries()) {
      const secretName = `das/main/${organizationId}/pool/${id}/1`;
      const secrets = { pin: "no", door: `door ${at}`, [`of_${at}`]: `pool ${at}` };
      await stores.secrets.create(secretName, secrets);
      await stores.put.pool({ organizationId, id, secretName, sensitiveAliases: Object.keys(secrets) });
    }
    await stores.memberships.setPools(organizationId, world.machine.id, poolIds, undefined);
    const { id } = (await start()).json;
    channel.willAnswer(shot(1), done, shot(2), shot(2), done, shot(3));
    await act("keyboard/type", { text: "{$pin}, {$door}, {$of_1}" });
    const body = JSON.parse(new TextDecoder().decode(channel.requests[1]?.body));
    expect(body.text).toBe("the machine's, door 0, pool 1");
    await act("keyboard/type", { text: "pool 1" });
    const texts = (await steps(id)).flatMap(({ action }: { action: { text?: string } }) => action.text ?? []);
    expect(texts).toEqual(["{$pin}, {$door}, {$of_1}", "{$of_1}"]);
  });

  it("types the current one-time code of a seed, or the next one where it is about to expire", async () => {
    const bank = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    const { start, act, steps, channel, stores } = await setUp({ secrets: { bank, word: "no seed!" } });
    const { id } = (await start()).json;
    const typed: string[] = [];
    for (const waitMs of [0, 27_000]) {
      stores.clock.advance(waitMs);
      channel.willAnswer(shot(1), done, shot(1));
      expect((await act("keyboard/type", { text: "{$bank.totp}" })).status).toBe(200);
      typed.push(JSON.parse(new TextDecoder().decode(channel.requests.at(-2)?.body)).text);
    }
    const [before = 0, now = 0] = [stores.clock.now() - 30_000, stores.clock.now()];
    expect(typed).toEqual([before, now].map((ms) => otpauthCodes.codeAt(bank, ms)?.code));
    const texts = (await steps(id)).flatMap(({ action }: { action: { text?: string } }) => action.text ?? []);
    expect(texts).toEqual(["{$bank.totp}", "{$bank.totp}"]);
    channel.willAnswer(shot(1));
    const { status, json } = await act("keyboard/type", { text: "{$word.totp}" });
    expect([status, json.detail[0].msg]).toEqual([
      422,
      "Value error, {$word} is no seed of one-time codes: base32 or an otpauth:// address",
    ]);
  });

  it("reads the machine's row once, however many texts name a secret", async () => {
    const { start, machine, me, channel, stores } = await setUp({ secrets: { pin: "24681357" } });
    const found = vi.spyOn(stores.machines, "findWithCalls");
    const text = { type: "type", text: "{$pin}" };
    const type = async () => await me("POST", `/v1/computer/${machine.id}/batch`, { actions: [text, text] });
    channel.willAnswer(
      answered(200, {
        results: [
          { type: "type", status: "done" },
          { type: "type", status: "done" },
        ],
      }),
    );
    await type();
    expect(found).toHaveBeenCalledTimes(1);
    await start();
    found.mockClear();
    channel.willAnswer(
      shot(1),
      answered(200, {
        results: [
          { type: "type", status: "done" },
          { type: "type", status: "done" },
        ],
      }),
      shot(2),
    );
    await type();
    expect(found).toHaveBeenCalledTimes(1);
  });

  it("is recorded once under an Idempotency-Key, also where its function ended before it was", async () => {
    const { start, act, steps, channel, stores } = await setUp();
    const { id } = (await start()).json;
    const headers = { "idempotency-key": v7() };
    const append = stores.recordings.append.bind(stores.recordings);
    stores.recordings.append = async () => {
      throw new Error("the function ended");
    };
    channel.willAnswer(shot(1), done, shot(2), shot(2), shot(2));
    const click = async () => await act("mouse/click", { x: 1, y: 1 }, headers);
    await click();
    expect(await steps(id)).toEqual([]);
    stores.recordings.append = append;
    for (const _ of [1, 2]) expect((await click()).status).toBe(200);
    expect((await steps(id)).map(({ action }: { action: { type: string } }) => action.type)).toEqual([
      "click",
    ]);
  });
});

describe("the end of a recording", () => {
  it("is a trajectory that is not approved, the same however often it is asked for, and the hold is over", async () => {
    const { start, act, channel, me, held, workflow } = await setUp();
    const { id } = (await start()).json;
    expect((await me("POST", `/v1/recordings/${id}/finish`, {})).json.error_code).toBe("conflict");
    channel.willAnswer(shot(1), done, shot(2));
    await act("mouse/click", { x: 1, y: 1 });
    const finish = async () => await me("POST", `/v1/recordings/${id}/finish`, { name: "Clicks" });
    const { status, json } = await finish();
    expect([status, json]).toMatchObject([
      201,
      { name: "Clicks", is_approved: false, run_id: null, workflow_id: workflow.id },
    ]);
    expect((await finish()).json.id).toBe(json.id);
    expect((await me("GET", `/v1/recordings/${id}`)).json).toMatchObject({
      status: "finished",
      trajectory_id: json.id,
    });
    expect([await held(), (await me("DELETE", `/v1/recordings/${id}`)).json.error_code]).toEqual([
      ...[null, "illegal_transition"],
    ]);
  });

  it("needs a workflow", async () => {
    const { start, me, machine } = await setUp();
    const { json } = await me("POST", "/v1/recordings", { machine_id: machine.id });
    const { status, json: refused } = await me("POST", `/v1/recordings/${json.id}/finish`, {});
    expect([status, refused.detail[0].loc]).toEqual([422, ["body", "workflow_id"]]);
    expect((await start()).json.error_code).toBe("machine_held");
  });

  it("is its maker's while it is under way, and anybody's once it has expired, for a day", async () => {
    const { start, act, channel, me, colleague, stores, sweep, held } = await setUp();
    const { id } = (await start({ seconds: 60 })).json;
    channel.willAnswer(shot(1), done, shot(2));
    await act("mouse/click", { x: 1, y: 1 });
    const finish = async () => await colleague("POST", `/v1/recordings/${id}/finish`, {});
    expect((await finish()).json.error_code).toBe("machine_held");
    const longer = await me("POST", `/v1/recordings/${id}/extend`, { seconds: 120 });
    expect(longer.json.until).toBe("2026-01-15T12:02:00.000Z");
    stores.clock.advance(120_000);
    expect((await me("GET", `/v1/recordings?status=expired`)).json.total).toBe(1);
    expect((await me("POST", `/v1/recordings/${id}/extend`, {})).json.error_code).toBe("illegal_transition");
    await sweep();
    expect(await held()).toBeNull();
    expect((await finish()).status).toBe(201);
  });

  it.each(["discarded", "expired"] as const)("removes steps and pictures of one that is %s", async (how) => {
    const { start, act, channel, me, stores, sweep, steps, held } = await setUp();
    const { id } = (await start({ seconds: 60 })).json;
    channel.willAnswer(shot(1), done, shot(2));
    await act("mouse/click", { x: 1, y: 1 });
    expect(stores.files.keys().filter((key) => key.startsWith("steps/"))).toHaveLength(2);
    if (how === "discarded") expect((await me("DELETE", `/v1/recordings/${id}`)).status).toBe(204);
    else {
      stores.clock.advance(60_000);
      await sweep();
      stores.clock.advance(24 * 3_600_000);
    }
    await sweep();
    expect(await held()).toBeNull();
    expect(stores.files.keys().filter((key) => key.startsWith("steps/"))).toEqual([]);
    expect([await steps(id), (await me("GET", `/v1/recordings/${id}`)).json.status]).toEqual([[], how]);
    expect((await me("POST", `/v1/recordings/${id}/finish`, {})).json.error_code).toBe("illegal_transition");
    expect(await sweep()).toBe(0);
  });
});
