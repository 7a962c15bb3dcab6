import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { iconBox } from "../../infra/demo-desk/draw-surroundings.ts";
import { demoInputs } from "../../infra/local/demo/demo-definition.ts";
import { seedDemo } from "../../infra/local/demo/seed-demo.ts";
import { jsonBodyBytesMax } from "../../shared/contract/operations/operation.ts";
import type { SpawnedDriver } from "../support/stack/spawn-driver.ts";
import {
  clientOf,
  createOrganization,
  driverOf,
  keyOf,
  type Organization,
} from "../support/stack/stack-client.ts";

let organization: Organization;
let driver: SpawnedDriver;

beforeAll(async () => {
  organization = await createOrganization();
  driver = await driverOf(organization, { desk: { seed: 5 } });
});
afterAll(async () => {
  await driver?.stop();
});

const address = () => new URL(`${inject("stack").baseUrl}/mcp`);

async function connect(key: string, mode: "legacy" | "auto" = "auto"): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(address(), { requestInit: { headers } }));
  return client;
}

/** @throws for a tool's error. */
async function call<Structured>(client: Client, name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError === true) throw new Error(JSON.stringify(result.content).slice(0, 500));
  return { structured: result.structuredContent as Structured, content: result.content };
}

interface RunState {
  readonly run: { readonly id: string; readonly status: string; readonly output_data: unknown };
  readonly has_ended: boolean;
  readonly steps: readonly { readonly index: number }[];
  readonly next_after_index: number;
}

describe.each([
  ["2026-07-28", "auto"],
  ["2025-11-25", "legacy"],
] as const)("an assistant of version %s", (version, mode) => {
  it("looks at a desktop, acts, and sees what came of it", async () => {
    const client = await connect(keyOf(organization, "full"), mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { machines } = (
      await call<{ machines: { id: string; status: string }[] }>(client, "list_machines", {})
    ).structured;
    expect(machines).toMatchObject([{ id: driver.machineId, status: "connected" }]);
    const machine_id = driver.machineId;
    const before = await call<{ view: object }>(client, "look", { machine_id });
    const after = await call<{ results: object[] }>(client, "act", {
      machine_id,
      view: before.structured.view,
      actions: [{ type: "click", x: iconBox.x + 5, y: iconBox.y + 5 }],
    });
    expect(after.structured.results).toEqual([{ type: "click", status: "done" }]);
    const [was, is] = [before, after].map(({ content }) => content.find(({ type }) => type === "image"));
    expect(is).toMatchObject({ mimeType: "image/png" });
    expect(is).not.toEqual(was);
    await call(client, "act", { machine_id, actions: [{ type: "click", x: 700, y: 500 }], picture: false });
    await client.close();
  });
});

describe("an assistant", () => {
  it("hands over a whole task: starts a workflow, waits, and reads its output", async () => {
    const key = keyOf(organization, "full");
    await seedDemo({ baseUrl: inject("stack").baseUrl, apiKey: key });
    await clientOf(key).call("updateMachine", {
      path: { machine_id: driver.machineId },
      body: { machine_sensitive_parameters: demoInputs.sensitive_input_values },
    });
    const client = await connect(key);
    const { structured } = await call<{ workflows: { id: string }[] }>(client, "list_workflows", {});
    const workflow_id = structured.workflows[0]?.id;
    const started = await call<RunState>(client, "start_run", {
      workflow_id,
      machine_id: driver.machineId,
      input_values: demoInputs.input_values,
    });
    const run_id = started.structured.run.id;
    const indexes: number[] = [];
    let state: RunState | undefined;
    for (let after_index = 0; state?.has_ended !== true; after_index = state.next_after_index) {
      state = (await call<RunState>(client, "wait_for_run", { run_id, after_index })).structured;
      indexes.push(...state.steps.map(({ index }) => index));
    }
    expect(state.run).toMatchObject({ status: "success", output_data: demoInputs.input_values });
    expect(indexes).toEqual(Array.from({ length: 13 }, (_, at) => at + 1));
    const seen = await call(client, "look_at_step", { run_id, index: 12 });
    expect(seen.content).toContainEqual(expect.objectContaining({ type: "image" }));
  });

  it("uses the same tools over standard input and output, by das", async () => {
    const client = new Client({ name: "test", version: "1.0.0" });
    const main = fileURLToPath(new URL("../../infra/cli/clone.ts", import.meta.url));
    const env = { DAS_URL: inject("stack").baseUrl, DAS_API_KEY: keyOf(organization, "read") };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, "mcp"], env }));
    const { machines } = (await call<{ machines: object[] }>(client, "list_machines", {})).structured;
    expect(machines).toMatchObject([{ id: driver.machineId }]);
    await client.close();
  });

  it("is offered what its key may do", async () => {
    const reading = await connect(keyOf(organization, "read"));
    const { tools } = await reading.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "list_machines",
      "list_workflows",
      "look",
      "look_at_step",
      "wait_for_run",
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  });

  it("sees no other organization", async () => {
    const other = await connect(keyOf(await createOrganization(), "full"));
    expect((await call<{ total: number }>(other, "list_machines", {})).structured.total).toBe(0);
    await expect(call(other, "look", { machine_id: driver.machineId })).rejects.toThrow("not_found");
  });

  it("is told who holds a desktop, and does not act there", async () => {
    const key = keyOf(organization, "full");
    const recording = await clientOf(organization.jwt).call("createRecording", {
      body: { machine_id: driver.machineId, seconds: 60 },
    });
    const click = { machine_id: driver.machineId, actions: [{ type: "click", x: 1, y: 1 }] };
    await expect(call(await connect(key), "act", click)).rejects.toThrow("machine_held");
    await clientOf(organization.jwt).call("discardRecording", { path: { recording_id: recording.id } });
  });
});

describe("a hostile client", () => {
  const send = async (headers: Readonly<Record<string, string>>, body: unknown) => {
    const response = await fetch(address(), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const authorized = () => ({ authorization: `Bearer ${keyOf(organization, "full")}` });
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const earlier = { "mcp-protocol-version": "2025-11-25" };

  it("is asked for a bearer token, and gets nothing without one", async () => {
    for (const headers of [{}, { authorization: "Bearer das_nobody" }]) {
      const refused = await send(headers, list);
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer/);
    }
    expect((await send({ authorization: `Bearer ${keyOf(organization, "driver")}` }, list)).status).toBe(403);
  });

  it("opens no stream and no session", async () => {
    for (const method of ["GET", "DELETE"]) {
      const refused = await fetch(address(), { method, headers: authorized() });
      expect({ status: refused.status, allow: refused.headers.get("allow") }).toEqual({
        status: 405,
        allow: "POST",
      });
    }
    const stray = await send({ ...authorized(), ...earlier, "mcp-session-id": "stray" }, list);
    expect(stray.status).toBe(200);
    expect(stray.headers.get("mcp-session-id")).toBeNull();
  });

  it("is refused from another page", async () => {
    expect((await send({ ...authorized(), origin: "https://evil.example" }, list)).status).toBe(403);
  });

  const version = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const look = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "look", _meta } };
  const named = (method: string, name: string) => ({
    "mcp-protocol-version": version,
    "mcp-method": method,
    "mcp-name": name,
  });

  it.each([
    ["no JSON", {}, "{"],
    ["a version that nobody knows", { "mcp-protocol-version": "1999-01-01" }, list],
    ["a version of the header that is not the message's", { "mcp-protocol-version": version }, list],
    ["a version of the message that is not the header's", earlier, look],
    ["no header of the method", { "mcp-protocol-version": version }, look],
    ["a method of the header that is not the message's", named("tools/list", "look"), look],
    ["a tool of the header that is not the message's", named("tools/call", "act"), look],
    ["no object", earlier, "7"],
  ])("gets 400 for %s", async (_what, headers, body) => {
    const refused = await send({ ...authorized(), ...headers }, body);
    expect(refused.status, refused.text).toBe(400);
    expect(refused.text.length).toBeLessThan(2_048);
  });

  it("gets a short refusal for arguments of any size", async () => {
    const ids = Array.from({ length: 20_000 }, () => "x");
    const args = { workflow_id: "x", pool_ids: ids };
    const refused = await send(
      { ...authorized(), ...earlier },
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "start_run", arguments: args } },
    );
    expect(refused.text.length).toBeLessThan(4_096);
    const large = { ...list, params: { _meta: { large: "x".repeat(jsonBodyBytesMax) } } };
    expect((await send({ ...authorized(), ...earlier }, large)).status).toBe(413);
  });
});
