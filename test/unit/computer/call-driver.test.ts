import { describe, expect, it } from "vitest";
import { DomainError } from "../../../shared/domain/errors.ts";
import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import { callDriver } from "../../../shared/domain/tunnel/call-driver.ts";
import type { DriverAnswer, DriverRequest } from "../../../shared/domain/tunnel/driver-channel.ts";
import { errorBody } from "../../../shared/http/errors/error-response.ts";
import { aMachine, anIdempotency } from "../../support/builders/entities.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";

const machine = aMachine({ connection: { id: "connection-1", websocketId: "abc=", host: "h" } });
const idempotency = anIdempotency(machine.organizationId, { id: "c1a1m", leased: true });

function answering(answer: DriverAnswer) {
  const requests: DriverRequest[] = [];
  const deps = {
    ids: { uuid7: () => "fresh-id" },
    clock: new FakeClock(),
    channel: {
      request: async (request: DriverRequest) => {
        requests.push(request);
        return answer;
      },
    },
  };
  return { deps, requests };
}

function answered(status: number, body: string, headers: Record<string, string> = {}): DriverAnswer {
  return { kind: "answered", status, headers, body: new TextEncoder().encode(body) };
}

const call = { machine, method: "POST", path: "/computer/input/mouse/move" } as const;

async function refusalOf(
  answer: DriverAnswer,
  withIdempotency?: Idempotency,
  path: string = call.path,
): Promise<DomainError> {
  const asked = { ...call, path, idempotency: withIdempotency };
  const error = await callDriver(answering(answer).deps, asked).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DomainError)) throw new Error(`expected a DomainError, got ${String(error)}`);
  return error;
}

describe("callDriver", () => {
  it("hands on the driver's 2xx", async () => {
    const { deps, requests } = answering(answered(200, "{}"));
    expect(await callDriver(deps, call)).toMatchObject({ kind: "answered", status: 200 });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ actionId: "fresh-id", repeat: false, timeoutMs: 25_000, query: "" });
  });

  it("names the action after the idempotency record, so that the driver does it once", async () => {
    const { deps, requests } = answering(answered(200, "{}"));
    await callDriver(deps, { ...call, idempotency: { ...idempotency, repeat: true } });
    expect(requests[0]).toMatchObject({ actionId: "c1a1m", repeat: true });
  });

  it("asks nothing of a machine that is not connected", async () => {
    const { deps, requests } = answering(answered(200, "{}"));
    const asked = callDriver(deps, { ...call, machine: { ...machine, connection: null } });
    await expect(asked).rejects.toMatchObject({ code: "machine_not_connected" });
    expect(requests).toHaveLength(0);
  });

  it("asks nothing of a driver that does not name what the call needs, unless it is what became of it", async () => {
    const { deps, requests } = answering(answered(200, "{}"));
    for (const capabilities of [[], ["other"]]) {
      const asked = callDriver(deps, { ...call, machine: { ...machine, capabilities }, needs: "keys_down" });
      await expect(asked).rejects.toMatchObject({ code: "not_supported_by_driver" });
    }
    expect(requests).toHaveLength(0);
    await callDriver(deps, {
      ...call,
      machine: { ...machine, capabilities: ["keys_down"] },
      needs: "keys_down",
    });
    await callDriver(deps, { ...call, needs: "keys_down", idempotency: { ...idempotency, repeat: true } });
    expect(requests.map(({ repeat }) => repeat)).toEqual([false, true]);
  });

  it("asks nothing of a busy organization's driver, unless to shut down or what became of an action", async () => {
    const { deps, requests } = answering(answered(200, "{}"));
    const busy = { ...call, isOrganizationBusy: true };
    await expect(callDriver(deps, busy)).rejects.toMatchObject({
      code: "organization_busy",
      retryAfterSeconds: 1,
    });
    expect(requests).toHaveLength(0);
    await callDriver(deps, { ...busy, isUrgent: true });
    await callDriver(deps, { ...busy, idempotency: { ...idempotency, repeat: true } });
    expect(requests).toHaveLength(2);
  });

  it.each([
    [{ kind: "not_delivered" }, "machine_not_connected"],
    [{ kind: "connection_lost" }, "driver_connection_lost"],
    [{ kind: "timeout" }, "driver_timeout"],
    [answered(500, "{}"), "driver_failed"],
    [answered(302, ""), "driver_failed"],
  ] as const)("turns %j into %s", async (answer, code) => {
    expect((await refusalOf(answer)).code).toBe(code);
  });

  const unknownPath = '{"error":"no such path","code":"unknown_path"}';
  const shellDisabled = '{"error":"no shell","code":"shell_disabled"}';

  it.each([
    ["a 501", "/computer/fs/list", 501, '{"error":"not implemented"}'],
    ["a 404 of a path that names nothing", "/computer/shell/exec", 404, '{"detail":"Not Found"}'],
    ["a 404 without a body", "/computer/display/screenshot", 404, ""],
    ["the code of an unknown path, for files, too", "/computer/fs/read", 404, unknownPath],
    ["the code of an unknown path, for programs, too", "/computer/programs/open", 404, unknownPath],
    ["a shell that the driver refuses", "/computer/shell/exec", 403, shellDisabled],
  ])("takes %s for what the driver does not do", async (_, path, status, body) => {
    const error = await refusalOf(answered(status, body), undefined, path);
    expect([error.code, error.driverStatus]).toEqual(["not_supported_by_driver", undefined]);
    expect(error.details).toMatchObject({ driver_status: status });
  });

  it.each([
    ["a file that is not there", "/computer/fs/read", 404, '{"error":"no such file"}'],
    ["a file that is not there, without a body", "/computer/fs/read", 404, ""],
    ["an unknown program", "/computer/programs/open", 404, '{"error":"no","code":"unknown_program"}'],
    ["a folder that is not the driver's", "/computer/shell/exec", 403, '{"code":"file_access_denied"}'],
    ["another method", "/computer/shell/exec", 405, '{"code":"method_not_allowed"}'],
  ])("leaves %s to the driver's own words", async (_, path, status, body) => {
    const error = await refusalOf(answered(status, body), undefined, path);
    expect([error.code, error.driverStatus]).toEqual(["driver_rejected", status]);
  });

  it("hands on the driver's own 4xx with its status and its text", async () => {
    const error = await refusalOf(answered(404, '{"error":"no such file"}'), undefined, "/computer/fs/list");
    expect(error.code).toBe("driver_rejected");
    expect(error.driverStatus).toBe(404);
    expect(error.message).toBe("the machine's driver refused the request with 404");
    const { message } = errorBody(error, 0);
    expect(message).toBe("the machine's driver refused the request with 404: no such file");
    expect(error.details).toEqual({ driver_status: 404, driver_message: "no such file" });
  });

  it("keeps a busy driver's Retry-After, and gives one where it is missing or absurd", async () => {
    expect(await refusalOf(answered(429, "", { "retry-after": "7" }))).toMatchObject({
      code: "driver_busy",
      retryAfterSeconds: 7,
    });
    expect((await refusalOf(answered(429, ""))).retryAfterSeconds).toBe(1);
    expect((await refusalOf(answered(429, "", { "retry-after": "1e9" }))).retryAfterSeconds).toBe(1);
  });

  it("says that the outcome is unknown when a repeat meets a driver that does not remember", async () => {
    expect((await refusalOf(answered(409, ""), { ...idempotency, repeat: true })).code).toBe(
      "outcome_unknown",
    );
  });

  it("takes a 409 for the driver's own refusal when nothing was repeated", async () => {
    expect((await refusalOf(answered(409, ""), idempotency)).code).toBe("driver_rejected");
  });

  it("cuts a driver's long text", async () => {
    const error = await refusalOf(answered(400, "x".repeat(100_000)));
    expect(error.details).toEqual({ driver_status: 400, driver_message: "x".repeat(2_000) });
  });
});
