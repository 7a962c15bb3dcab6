import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { Machine, MachineList } from "../../shared/contract/machine.ts";
import { FakePeer } from "../support/fake-peer/fake-peer.ts";
import {
  type ApiAnswer,
  ask,
  createOrganization,
  keyOf,
  type Organization,
} from "../support/stack/stack-client.ts";
import { secretsOf } from "../support/stack/storage.ts";
import { until } from "../support/stack/until.ts";

let organization: Organization;
let key: string;

beforeEach(async () => {
  organization = await createOrganization();
  key = keyOf(organization, "full");
});

type Fields = Readonly<Record<string, unknown>>;

async function create(fields: Fields = {}): Promise<Machine & { readonly fingerprint: string }> {
  const answer = await ask("/v1/machines", { key, body: { fingerprint: randomUUID(), ...fields } });
  expect(answer.status).toBe(201);
  const { fingerprint, ...machine } = Machine.parse(answer.body);
  if (fingerprint === null) throw new Error("a key that writes is shown the fingerprint");
  return { ...machine, fingerprint };
}

function change(id: string, body: Fields): Promise<ApiAnswer<Record<string, unknown>>> {
  return ask(`/v1/machines/${id}`, { method: "PATCH", key, body });
}

async function changed(id: string, body: Fields): Promise<Machine> {
  const answer = await change(id, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const machine = Machine.parse(answer.body);
  expect(await get(id)).toEqual(machine);
  return machine;
}

async function get(id: string): Promise<Machine> {
  return Machine.parse((await ask(`/v1/machines/${id}`, { key })).body);
}

async function list(query = ""): Promise<MachineList> {
  const answer = await ask(`/v1/machines${query}`, { key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return MachineList.parse(answer.body);
}

/** Reads a list until it has these ids, because indexes are eventually consistent. */
async function listed(query: string, ids: readonly string[]): Promise<MachineList> {
  const idsOf = ({ items }: MachineList) => items.map(({ id }) => id).join();
  let found = await list(query);
  await until(async () => {
    found = await list(query);
    return idsOf(found) === ids.join();
  });
  expect(idsOf(found)).toBe(ids.join());
  return found;
}

async function connect(fingerprint: string, keyName = "driver"): Promise<FakePeer> {
  const peer = await FakePeer.connect({
    url: inject("stack").websocketUrl,
    authorization: `Bearer ${keyOf(organization, keyName)}`,
    fingerprint,
  });
  await peer.next("welcome");
  return peer;
}

describe("a new machine", () => {
  it("has every field of the specification, and none of its texts is null", async () => {
    const fingerprint = randomUUID();
    const machine = await create({ fingerprint });
    expect(machine).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      fingerprint,
      key_service_key_id: "",
      status: "disconnected",
      is_available: true,
      alerts_enabled: expect.any(Boolean),
      created_at: expect.any(String),
      last_seen: machine.created_at,
      name: "",
      version: "",
      hostname: "",
      os_info: "",
      programs: [],
      machine_parameters: {},
      machine_sensitive_parameters: {},
      user_id: organization.user_id,
      organization_id: organization.organization_id,
      reserved_session_id: null,
      linked_keepalive_machine_id: null,
      physical_server_id: null,
      pools: [],
    });
    expect(Math.abs(Date.parse(machine.created_at) - Date.now())).toBeLessThan(10_000);
    expect(await get(machine.id)).toEqual(machine);
  });

  it("with a fingerprint that the organization has already is 409; another organization may have it", async () => {
    const fingerprint = randomUUID();
    const { id } = await create({ fingerprint });
    const second = await ask("/v1/machines", { key, body: { fingerprint: fingerprint.toUpperCase() } });
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ error_code: "fingerprint_taken", details: { machine_id: id } });
    key = keyOf(await createOrganization(), "full");
    await create({ fingerprint });
  });

  it("is made by a dashboard's user as well", async () => {
    const answer = await ask("/v1/machines", { key: organization.jwt, body: { fingerprint: randomUUID() } });
    expect(answer.status).toBe(201);
    expect(answer.body.user_id).toBe(organization.user_id);
  });

  it("can be made anew once the one with its fingerprint is deleted", async () => {
    const fingerprint = randomUUID();
    const first = await create({ fingerprint });
    expect((await ask(`/v1/machines/${first.id}`, { method: "DELETE", key })).status).toBe(204);
    expect((await create({ fingerprint })).id).not.toBe(first.id);
  });
});

describe("the list", () => {
  it("is newest first, in pages, with an exact total", async () => {
    const ids: string[] = [];
    for (let made = 0; made < 5; made += 1) ids.unshift((await create()).id);
    await listed("", ids);
    const page = await list("?skip=1&limit=2");
    expect([page.items.map(({ id }) => id), page.total, page.skip, page.limit]).toEqual([
      ids.slice(1, 3),
      ...[5, 1, 2],
    ]);
    const beyond = await list("?skip=5");
    expect([beyond.items, beyond.total, beyond.limit]).toEqual([[], 5, 100]);
  });

  it("counts a machine at once, and no deleted one", async () => {
    for (let made = 1; made <= 3; made += 1) {
      await create();
      expect((await list("?limit=1")).total).toBe(made);
    }
    const [machine] = (await list()).items;
    await ask(`/v1/machines/${machine?.id}`, { method: "DELETE", key });
    expect((await list("?limit=1")).total).toBe(2);
  });

  it("shows nothing of another organization's", async () => {
    await create({ name: "mine" });
    key = keyOf(await createOrganization(), "full");
    expect(await list("?search=mine")).toMatchObject({ items: [], total: 0 });
    expect(await list()).toMatchObject({ items: [], total: 0 });
  });

  it("is filtered by name, status, creation and what is searched for", async () => {
    const early = await create({ name: "Alpha", hostname: "host-a" });
    await pause(5);
    const late = await create({ name: "beta", hostname: "HOST-B" });
    await changed(late.id, { status: "error" });
    await listed("?name=Alpha", [early.id]);
    await listed("?name=alpha", []);
    await listed("?status=error", [late.id]);
    await listed("?status=disconnected", [early.id]);
    await listed("?status=connected", []);
    await listed("?name=beta&status=error", [late.id]);
    await listed("?name=beta&status=disconnected", []);
    await listed("?search=host", [late.id, early.id]);
    await listed("?search=ALPH", [early.id]);
    await listed(`?search=${late.id.slice(9, 30)}`, [late.id]);
    await listed("?search=host&status=error", [late.id]);
    await listed(`?created_at_from=${late.created_at}`, [late.id]);
    await listed(`?created_at_to=${early.created_at}`, [early.id]);
    const both = `?created_at_from=${early.created_at}&created_at_to=${late.created_at}`;
    expect((await listed(both, [late.id, early.id])).total).toBe(2);
    expect((await listed("?search=host&limit=1", [late.id])).total).toBe(2);
  });

  it("carries `included` when it is asked for, and pools either way", async () => {
    const { id } = await create();
    const plain = await listed("", [id]);
    expect(plain).not.toHaveProperty("included");
    expect(plain.items[0]?.pools).toEqual([]);
    expect((await list("?include=pools")).included).toEqual([]);
    const one = await ask(`/v1/machines/${id}?include=pools`, { key });
    expect(Machine.parse(one.body)).toMatchObject({ pools: [], included: [] });
  });
});

describe("a change", () => {
  const session = randomUUID();

  it.each<[string, Fields]>([
    ["name", { name: "Front desk" }],
    ["version", { version: "2.0.1" }],
    ["hostname", { hostname: "desk-1" }],
    ["os_info", { os_info: "Debian 13" }],
    ["is_available", { is_available: false }],
    ["alerts_enabled", { alerts_enabled: false }],
    ["last_seen", { last_seen: "2026-02-03T04:05:06.007Z" }],
    ["reserved_session_id", { reserved_session_id: session }],
    ["machine_parameters", { machine_parameters: { city: "Bern", floors: [1, 2], deep: { a: null } } }],
    ["status", { status: "error" }],
  ])("of %s changes that field and no other", async (_field, fields) => {
    const before = await create({ name: "before", machine_parameters: { kept: true } });
    expect(await changed(before.id, fields)).toEqual({ ...before, ...fields });
  });

  it("of nothing is answered with the machine as it is", async () => {
    const before = await create({ name: "same" });
    expect(await changed(before.id, {})).toEqual(before);
  });

  it("turns a moment with an offset into UTC", async () => {
    const { id } = await create();
    const machine = await changed(id, { last_seen: "2026-02-03T04:05:06+02:00" });
    expect(machine.last_seen).toBe("2026-02-03T02:05:06.000Z");
  });

  it("replaces parameters as a whole, and {} clears them", async () => {
    const { id } = await create({ machine_parameters: { a: 1, b: 2 } });
    expect((await changed(id, { machine_parameters: { b: 3 } })).machine_parameters).toEqual({ b: 3 });
    expect((await changed(id, { machine_parameters: {} })).machine_parameters).toEqual({});
  });

  it("of a reservation: one session only, null clears it and makes available", async () => {
    const { id } = await create();
    await changed(id, { reserved_session_id: session, is_available: false });
    expect((await changed(id, { reserved_session_id: session })).reserved_session_id).toBe(session);
    const refused = await change(id, { reserved_session_id: randomUUID() });
    expect([refused.status, refused.body.error_code]).toEqual([409, "machine_reserved"]);
    expect(await changed(id, { reserved_session_id: null })).toMatchObject({
      reserved_session_id: null,
      is_available: true,
    });
    const both = await change(id, { reserved_session_id: null, is_available: false });
    expect(both.status).toBe(422);
    expect(both.body).toMatchObject({ detail: [{ loc: ["body", "is_available"] }] });
  });

  it("of the status takes out of service and gives back, and the answer shows the true one", async () => {
    const { id, fingerprint } = await create();
    expect((await changed(id, { status: "error" })).status).toBe("error");
    expect((await changed(id, { status: "connected" })).status).toBe("disconnected");
    const peer = await connect(fingerprint);
    expect((await get(id)).status).toBe("connected");
    expect((await changed(id, { status: "error" })).status).toBe("error");
    const position = await ask(`/v1/computer/${id}/display/dimensions`, { key });
    expect([position.status, position.body.error_code]).toEqual([502, "driver_failed"]);
    expect((await changed(id, { status: "disconnected" })).status).toBe("connected");
    await peer.close();
  });
});

describe("sensitive parameters", () => {
  const values = { pin: "value-one", "two words": "value-two" };
  const aliases = { pin: "pin", "two words": "two words" };

  it("go in with their values, and only their names come out", async () => {
    const answers = [
      await ask("/v1/machines", {
        key,
        body: { fingerprint: randomUUID(), machine_sensitive_parameters: values },
      }),
    ];
    const { id } = Machine.parse(answers[0]?.body);
    answers.push(await change(id, { machine_sensitive_parameters: values, name: "named" }));
    answers.push(await ask(`/v1/machines/${id}`, { key }));
    for (const answer of answers) expect(answer.body.machine_sensitive_parameters).toEqual(aliases);
    answers.push(await ask("/v1/machines?search=named", { key }));
    for (const { bytes } of answers) {
      const text = new TextDecoder().decode(bytes);
      expect(text).not.toContain("value-");
      expect(text).not.toContain("das/");
    }
  });

  it("are replaced as a whole, {} clears them, and no secret stays that nothing names", async () => {
    const secrets = () => secretsOf(organization.organization_id);
    const { id } = await create({ machine_sensitive_parameters: values });
    const [first, ...rest] = await secrets();
    expect(rest).toEqual([]);
    const replaced = await changed(id, { machine_sensitive_parameters: { door: "value-three" } });
    expect(replaced.machine_sensitive_parameters).toEqual({ door: "door" });
    const [second, ...others] = await secrets();
    expect([others, second === first]).toEqual([[], false]);
    await changed(id, { name: "unrelated" });
    expect(await secrets()).toEqual([second]);
    expect((await changed(id, { machine_sensitive_parameters: {} })).machine_sensitive_parameters).toEqual(
      {},
    );
    expect(await secrets()).toEqual([]);
  });

  it("may be named like parts of an object", async () => {
    const machine = await create({ machine_sensitive_parameters: { constructor: "x", toString: "y" } });
    expect(machine.machine_sensitive_parameters).toEqual({
      constructor: "constructor",
      toString: "toString",
    });
  });
});

describe("a deletion", () => {
  it("hides the machine at once, and is finished in the background", async () => {
    const { id, fingerprint } = await create({ machine_sensitive_parameters: { pin: "value" } });
    const peer = await connect(fingerprint);
    const deleted = await ask(`/v1/machines/${id}`, { method: "DELETE", key });
    expect([deleted.status, deleted.bytes.length]).toEqual([204, 0]);
    expect((await ask(`/v1/machines/${id}`, { key })).status).toBe(404);
    expect((await change(id, { name: "late" })).status).toBe(404);
    expect((await ask(`/v1/computer/${id}/display/dimensions`, { key })).status).toBe(404);
    expect((await ask(`/v1/machines/${id}`, { method: "DELETE", key })).status).toBe(404);
    expect((await list()).total).toBe(0);
    expect(await peer.next("goodbye")).toEqual({
      type: "goodbye",
      code: "deleted",
      retry_after_seconds: null,
    });
    await peer.closed();
    await until(async () => (await secretsOf(organization.organization_id)).length === 0);
    expect(await secretsOf(organization.organization_id)).toEqual([]);
  });
});

describe("a connected machine", () => {
  it("shows where its connection is held, and nothing of it afterwards", async () => {
    const { id, fingerprint } = await create();
    const peer = await connect(fingerprint);
    const connected = await get(id);
    expect(connected).toMatchObject({ status: "connected", hostname: "fake" });
    expect(connected.physical_server_id).toMatch(/\S+/);
    expect(connected.key_service_key_id).toMatch(/^[0-9a-f]{32}$/);
    expect(Date.parse(connected.last_seen)).toBeGreaterThanOrEqual(Date.parse(connected.created_at));
    await peer.close();
    await until(async () => (await get(id)).status === "disconnected");
    expect(await get(id)).toMatchObject({ status: "disconnected", physical_server_id: null });
  });

  it("that its driver made is one machine for ever, whoever connects it again", async () => {
    const fingerprint = randomUUID();
    const first = await connect(fingerprint);
    const { machine_id: id } = await first.next("welcome");
    await first.close();
    const second = await connect(fingerprint);
    expect((await second.next("welcome")).machine_id).toBe(id);
    expect((await list("?limit=1")).total).toBe(1);
    await second.close();
  });

  it("that is none any more answers remote input with 409", async () => {
    const { id } = await create();
    const answer = await ask(`/v1/computer/${id}/input/mouse/position`, { key });
    expect([answer.status, answer.body.error_code]).toEqual([409, "machine_not_connected"]);
  });
});
