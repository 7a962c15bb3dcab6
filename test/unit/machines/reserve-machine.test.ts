import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createMachinesApp } from "../../../functions/machines/app.ts";
import type { Session } from "../../../shared/domain/session/session.ts";
import { createTestService, sending } from "../../support/shared/test-service.ts";

async function setUp() {
  const service = await createTestService();
  const app = createMachinesApp(service.deps);
  const { organizationId, stores } = service;
  const send = sending(app, service.authorize(), "/v1/machines/");
  const patch = (machineId: string, body: object, headers: Record<string, string> = {}) =>
    send("PATCH", machineId, body, headers);
  const reserve = (machineId: string, sessionId: string | null) =>
    patch(machineId, { reserved_session_id: sessionId });
  const putSession = (fields: Partial<Session> = {}) => stores.put.session({ organizationId, ...fields });
  const find = (sessionId: string) => stores.sessions.find(organizationId, sessionId);
  return { ...service, patch, reserve, putSession, find };
}

describe("PATCH reserved_session_id", () => {
  it("with a new id makes a session that has the machine, and once is enough", async () => {
    const { reserve, find, putMachine } = await setUp();
    const { id } = await putMachine();
    const sessionId = v7();
    for (let time = 0; time < 2; time += 1) {
      const answer = await reserve(id, sessionId);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ reserved_session_id: sessionId });
    }
    expect(await find(sessionId)).toMatchObject({ status: "active", machineId: id });
  });

  it("gives a session that waits for a machine this one", async () => {
    const { reserve, find, putMachine, putSession } = await setUp();
    const { id } = await putMachine({ poolIds: ["a", "b"] });
    for (const fields of [{}, { machineId: id }, { poolIds: ["b"] }]) {
      const session = await putSession(fields);
      expect((await reserve(id, session.id)).status).toBe(200);
      expect(await find(session.id)).toMatchObject({ status: "active", machineId: id });
      await reserve(id, null);
    }
  });

  it("is refused for a session that has, or must have, another machine, and for one that has ended", async () => {
    const { reserve, find, putMachine, putSession, stores, organizationId } = await setUp();
    const { id } = await putMachine();
    const refused = [
      [await putSession({ status: "active", machineId: v7() }), "conflict"],
      [await putSession({ machineId: v7() }), "conflict"],
      [await putSession({ poolIds: [v7()] }), "conflict"],
      [await putSession({ status: "ended", machineId: id }), "session_ended"],
    ] as const;
    for (const [session, code] of refused) {
      const answer = await reserve(id, session.id);
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({ error_code: code });
      expect(await find(session.id)).toEqual(session);
    }
    expect(await stores.machines.find(organizationId, id)).toMatchObject({ revision: 1 });
  });

  it("is refused while the machine is another session's, or is being cleared", async () => {
    const { reserve, putMachine } = await setUp();
    const other = await reserve((await putMachine({ reservedSessionId: v7() })).id, v7());
    expect(await other.json()).toMatchObject({ error_code: "machine_reserved" });
    expect(other.status).toBe(409);
    const clearing = await reserve(
      (await putMachine({ clearingSince: "2026-01-15T12:00:00.000Z" })).id,
      v7(),
    );
    expect(await clearing.json()).toMatchObject({ error_code: "service_unavailable" });
    expect(clearing.status).toBe(503);
    expect(clearing.headers.get("retry-after")).toBe("1");
  });

  it("goes with other fields and secrets, under a key as well", async () => {
    const { patch, find, putMachine, stores, organizationId } = await setUp();
    for (const headers of [{}, { "idempotency-key": v7() }]) {
      const { id } = await putMachine();
      const sessionId = v7();
      const body = {
        reserved_session_id: sessionId,
        name: "new",
        machine_sensitive_parameters: { pin: "1" },
      };
      expect((await patch(id, body, headers)).status).toBe(200);
      expect(await stores.machines.find(organizationId, id)).toMatchObject({
        name: "new",
        reservedSessionId: sessionId,
        sensitiveAliases: ["pin"],
      });
      expect(await find(sessionId)).toMatchObject({ status: "active", machineId: id });
    }
  });

  it("null ends the session and cancels what waits in it", async () => {
    const { reserve, find, putMachine, stores, organizationId } = await setUp();
    const { id } = await putMachine({ isAvailable: false });
    const sessionId = v7();
    await reserve(id, sessionId);
    const answer = await reserve(id, null);
    expect(await answer.json()).toMatchObject({ reserved_session_id: null, is_available: true });
    expect(await find(sessionId)).toMatchObject({ status: "ended" });
    expect(await stores.machines.find(organizationId, id)).toMatchObject({ clearingSince: null });
    expect((await reserve(id, sessionId)).status).toBe(409);
  });

  it("null is 404 for a machine that is not there", async () => {
    const { reserve } = await setUp();
    expect((await reserve(v7(), null)).status).toBe(404);
  });
});
