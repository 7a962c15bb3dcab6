import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import type { Ids } from "../../support/stack/create-resources.ts";
import { clearFaults, injectFault } from "../../support/stack/faults.ts";
import { operations, pathOf } from "../../support/stack/operations.ts";
import { createOwnResources, keepFromRuns } from "../../support/stack/own-resources.ts";
import type { SpawnedDriver } from "../../support/stack/spawn-driver.ts";
import {
  type ApiAnswer,
  ask,
  createOrganization,
  driverOf,
  keyOf,
  type Organization,
} from "../../support/stack/stack-client.ts";
import { expireLeases, openStackTable, type StackTable, secretsOf } from "../../support/stack/storage.ts";

let table: StackTable;
let organization: Organization;
let key: string;

beforeAll(async () => {
  table = await openStackTable();
});
afterAll(() => table?.client.destroy());

beforeEach(async () => {
  organization = await createOrganization();
  key = keyOf(organization, "full");
});
afterEach(clearFaults);

interface Write {
  readonly path: string;
  readonly method?: string;
  readonly body?: unknown;
}

function write<Body = Record<string, unknown>>(
  idempotencyKey: string,
  { path, method = "POST", body }: Write,
): Promise<ApiAnswer<Body>> {
  return ask<Body>(path, {
    method,
    key,
    headers: { "idempotency-key": idempotencyKey },
    ...(body === undefined ? {} : { body }),
  });
}

const statusOf = (answer: ApiAnswer<unknown>) => answer.headers.get("idempotency-status");
const codeOf = (answer: ApiAnswer<unknown>) => ErrorBody.parse(answer.body).error_code;

const creation = (fields: Readonly<Record<string, unknown>> = {}): Write => ({
  path: "/v1/machines",
  body: { fingerprint: randomUUID(), ...fields },
});
const withSecret = { machine_sensitive_parameters: { pin: "a-secret-value" } };

async function machines(): Promise<readonly Record<string, unknown>[]> {
  const list = await ask<{ items: Record<string, unknown>[]; total: number }>("/v1/machines", { key });
  expect(list.body.total).toBe(list.body.items.length);
  return list.body.items;
}

it("is refused after it has begun, and leaves its key free for another try", async () => {
  const [idempotencyKey, unknown] = [randomUUID(), randomUUID()];
  const tag = async () =>
    await write(idempotencyKey, {
      path: "/v1/workflows/bulk/tags",
      body: { workflow_ids: [unknown], tag_ids: [unknown] },
    });
  for (const answer of [await tag(), await tag()]) {
    expect([answer.status, codeOf(answer), statusOf(answer)]).toEqual([404, "not_found", null]);
  }
});

describe("a repeat", () => {
  let driver: SpawnedDriver;
  let desktops: Organization;
  let own: Ids;

  beforeAll(async () => {
    desktops = await createOrganization();
    driver = await driverOf(desktops);
    await keepFromRuns(keyOf(desktops, "full"), driver.machineId);
    own = await createOwnResources(keyOf(desktops, "full"), { machine_id: driver.machineId });
  });
  afterAll(async () => {
    await driver?.stop();
  });

  const writes = operations.filter(
    // Refusals are not recorded, and some operations take no key.
    ({ access, takesIdempotencyKey, ends, status }) =>
      access === "bearer" && takesIdempotencyKey && !ends && status < 400,
  );

  it.each(writes.map((each) => [each.route, each] as const))(
    "of %s is answered as the first time, and another body refused",
    async (_route, operation) => {
      key = keyOf(desktops, "full");
      const world = { ...own, fingerprint: randomUUID(), desktopToken: async () => "", driverKey: "" };
      const request = {
        path: pathOf(operation, own),
        method: operation.method,
        body: await operation.body?.(world),
      };
      const idempotencyKey = randomUUID();
      const first = await write(idempotencyKey, request);
      expect([first.status, statusOf(first)]).toEqual([operation.status, null]);
      const again = await write(idempotencyKey, request);
      expect([again.status, statusOf(again)]).toEqual([operation.status, "replayed"]);
      expect(withoutSignature(again.body)).toEqual(withoutSignature(first.body));
      // White space does not change the request's meaning, but the body is another.
      const other = await ask(request.path, {
        method: request.method,
        key,
        headers: { "idempotency-key": idempotencyKey },
        text: `${JSON.stringify(request.body)} `,
      });
      expect([other.status, codeOf(other)]).toEqual([422, "idempotency_key_reused"]);
    },
  );

  it("of a shutdown is the first answer, though the driver is gone", async () => {
    const doomed = await driverOf(organization);
    const shutdown = { path: `/v1/machines/${doomed.machineId}/driver/shutdown`, body: {} };
    const first = await write("shutdown", shutdown);
    expect(first.body).toMatchObject({ status: "shutting_down", pid: doomed.pid });
    await doomed.ended;
    await doomed.stop();
    const again = await write("shutdown", shutdown);
    expect([again.status, again.body, statusOf(again)]).toEqual([200, first.body, "replayed"]);
  });

  it("of a connection token is the same token", async () => {
    const token = { path: "/api/driver/connection-token", body: { remotePeerId: "peer" } };
    const first = await write("token", token);
    const again = await write("token", token);
    expect([again.status, again.body, statusOf(again)]).toEqual([200, first.body, "replayed"]);
  });
});

/** Removes the signatures of links, which are new in each response. */
function withoutSignature(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body ?? null), (name, value: unknown) =>
    name === "url" && typeof value === "string" ? value.split("?")[0] : value,
  );
}

async function crashAfterCall(functionName: string, number: number): Promise<void> {
  await injectFault({ functionName, effect: "crash_after", skip: number });
}

describe("a worker that crashes in the middle", () => {
  const callsOf = async (functionName: string, work: () => Promise<unknown>) => {
    await work();
    const { recent } = await callsDuring(work);
    return recent.filter((call) => call.functionName === functionName).length;
  };

  /** Repeats the request until it is finished: a retry waits for the end of the lease, which comes at once here. */
  async function finish(request: Write): Promise<ApiAnswer<Record<string, unknown>>> {
    const answer = await write("crash", request);
    if (answer.status !== 409) return answer;
    expect(codeOf(answer)).toBe("request_in_progress");
    expect(await expireLeases(table, organization.organization_id)).toBe(1);
    return await write("crash", request);
  }

  it("after any call of a creation leaves one machine and the one secret that it names", async () => {
    const count = await callsOf("machines", () => write(randomUUID(), creation(withSecret)));
    expect(count).toBe(4);
    for (let number = 0; number < count; number += 1) {
      organization = await createOrganization();
      key = keyOf(organization, "full");
      // The function is warm now, so that only the request's own calls are counted.
      expect(await machines()).toEqual([]);
      const request = creation(withSecret);
      await crashAfterCall("machines", number);
      expect((await write("crash", request)).status, `crashed after call ${number}`).toBe(500);
      await clearFaults();
      const answer = await finish(request);
      expect([answer.status, answer.body.machine_sensitive_parameters]).toEqual([201, { pin: "pin" }]);
      const [machine, ...others] = await machines();
      expect([machine?.id, others]).toEqual([answer.body.id, []]);
      const secrets = await secretsOf(organization.organization_id);
      expect(secrets).toEqual([expect.stringContaining(String(answer.body.id))]);
    }
  });

  it("after any call of a change of secrets leaves the new secret, and in the end no other", async () => {
    const changeOf = (id: unknown, pin: string): Write => ({
      path: `/v1/machines/${String(id)}`,
      method: "PATCH",
      body: { name: pin, machine_sensitive_parameters: { [pin]: "another-secret-value" } },
    });
    const made = await write(randomUUID(), creation(withSecret));
    let turn = 0;
    const count = await callsOf("machines", () => {
      turn += 1;
      return write(randomUUID(), changeOf(made.body.id, `pin${turn}`));
    });
    expect(count).toBe(6);
    for (let number = 0; number < count; number += 1) {
      organization = await createOrganization();
      key = keyOf(organization, "full");
      const { id } = (await write("create", creation(withSecret))).body;
      const request = changeOf(id, "changed");
      await crashAfterCall("machines", number);
      const crashed = await write("crash", request);
      expect(crashed.status, `crashed after call ${number}`).toBe(500);
      await clearFaults();
      const answer = await finish(request);
      expect([answer.status, answer.body.machine_sensitive_parameters]).toEqual([
        200,
        { changed: "changed" },
      ]);
      expect((await ask(`/v1/machines/${String(id)}`, { key })).body).toEqual(answer.body);
      const secrets = await secretsOf(organization.organization_id);
      // After a crash between the write and the removal of the old secret, the secret is left to the sweeper.
      expect(secrets.length, `crashed after call ${number}`).toBe(number === 4 ? 2 : 1);
    }
  });

  async function actThroughCrash(operation: string) {
    const driver = await driverOf(organization);
    onTestFinished(() => driver.stop());
    const request = {
      path: `/v1/computer/${driver.machineId}/shell/exec`,
      body: { command: "echo once >> count.txt; cat count.txt" },
    };
    await ask(`/v1/computer/${driver.machineId}/display/dimensions`, { key });
    await injectFault({ functionName: "computer", operation, effect: "crash_after" });
    expect((await write("crash", request)).status).toBe(500);
    const answer = await finish(request);
    const again = await write("crash", request);
    expect([again.status, statusOf(again)]).toEqual([answer.status, "replayed"]);
    return { answer, again, file: join(driver.root, "count.txt") };
  }

  it("at a desktop's action has it done once all the same", async () => {
    const { answer, again, file } = await actThroughCrash("PostToConnection");
    expect([answer.status, answer.body.stdout]).toEqual([200, "once\n"]);
    expect(again.body).toEqual(answer.body);
    expect(await readFile(file, "utf8")).toBe("once\n");
  });

  it("before its action reached the desktop is told so for ever: outcome_unknown", async () => {
    const { answer, again, file } = await actThroughCrash("PutItem");
    expect([answer.status, codeOf(answer), codeOf(again)]).toEqual([
      504,
      "outcome_unknown",
      "outcome_unknown",
    ]);
    await expect(readFile(file)).rejects.toThrow("ENOENT");
  });
});

describe("a table that is away", () => {
  it("is 503 in the specification's words, and nothing is half done", async () => {
    await ask("/v1/machines?limit=1", { key });
    const request = creation(withSecret);
    await injectFault({
      functionName: "machines",
      service: "dynamodb",
      error: "InternalServerError",
      status: 500,
      count: null,
    });
    const [made, listed] = await Promise.all([write("away", request), ask("/v1/machines", { key })]);
    expect([made.status, codeOf(made), listed.status, codeOf(listed)]).toEqual([
      ...[503, "service_unavailable", 503, "service_unavailable"],
    ]);
    expect(made.headers.get("retry-after")).toMatch(/^\d+$/);
    await clearFaults();
    expect(await machines()).toEqual([]);
    expect(await secretsOf(organization.organization_id)).toEqual([]);
    await expireLeases(table, organization.organization_id);
    expect((await write("away", request)).status).toBe(201);
  });
});

describe("a secret store that is busy", () => {
  it("becomes 429 with Retry-After, and leaves nothing behind", async () => {
    await injectFault({
      functionName: "machines",
      service: "secretsmanager",
      error: "ThrottlingException",
      count: null,
    });
    const request = creation(withSecret);
    const made = await write("busy", request);
    expect([made.status, codeOf(made)]).toEqual([429, "rate_limited"]);
    expect(made.headers.get("retry-after")).toMatch(/^\d+$/);
    await clearFaults();
    expect(await machines()).toEqual([]);
    expect((await write("busy", request)).status).toBe(201);
    expect(await secretsOf(organization.organization_id)).toHaveLength(1);
  });
});
