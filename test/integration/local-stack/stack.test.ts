import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { type Stack, type StackOptions, startStack } from "../../../infra/local/stack.ts";
import { sampleAssembly } from "./sample-assembly.ts";

const quiet = { port: 0, desktop: false, timers: false, tell: () => {} } as const;

async function control<Body>(stack: Stack, path: string, body?: unknown, method = "POST"): Promise<Body> {
  const response = await fetch(`${stack.controlUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${stack.controlToken}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Body;
}

type Invoked = { readonly ok: boolean; readonly payload: unknown };

async function seen(stack: Stack): Promise<unknown> {
  return (await control<Invoked>(stack, "/functions/Fn/invoke", { seen: true })).payload;
}

/** Writes past every check, straight into DynamoDB Local, which takes any credentials. */
async function write(stack: Stack, item: Record<string, string>): Promise<void> {
  const { url } = await control<{ url: string }>(stack, "/dynamodb", undefined, "GET");
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint: url, region: "us-east-1", credentials });
  const Item = Object.fromEntries(Object.entries(item).map(([name, value]) => [name, { S: value }]));
  await client.send(new PutItemCommand({ TableName: "sample-Table", Item }));
  client.destroy();
}

describe("a stack made from a template", () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ ...quiet, assembly: sampleAssembly() });
  });
  afterAll(async () => {
    await stack.stop();
  });

  it("serves the HTTP API's routes by the function's bundle, with addresses of this machine", async () => {
    const response = await fetch(`${stack.baseUrl}/any/path`);
    expect(await response.json()).toMatchObject({ path: "/any/path", url: stack.websocketUrl });
  });

  it("keeps to the throttle of the template's route", async () => {
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await fetch(`${stack.baseUrl}/tight`)).status),
    );
    expect(statuses.sort()).toEqual([200, 429, 429]);
  });

  it("opens the WebSocket API's stage, and no other", async () => {
    const open = async (url: string): Promise<string> =>
      await new Promise((resolve) => {
        const socket = new WebSocket(url);
        socket.on("open", () => {
          socket.close();
          resolve("open");
        });
        socket.on("error", (error) => resolve(error.message));
      });
    expect(await open(stack.websocketUrl)).toBe("open");
    expect(await open(stack.websocketUrl.replace("/live", "/other"))).toMatch(/403|404/);
    await vi.waitFor(
      async () => expect(await readFile(stack.logFile, "utf8")).toContain('"event":"DISCONNECT"'),
      30_000,
    );
  });

  it("fires a schedule on demand", async () => {
    expect(await control<Invoked>(stack, "/schedules/Fn/fire")).toEqual({ ok: true, payload: "fired" });
    expect(await seen(stack)).toContain("scheduled");
  });

  it("hands changes of the table to the function, those that the filter lets through", async () => {
    await write(stack, { pk: "other", sk: "1", kind: "other" });
    await write(stack, { pk: "one", sk: "1", kind: "sample" });
    await vi.waitFor(async () => expect(await seen(stack)).toContain("one"), 30_000);
    expect(await seen(stack)).not.toContain("other");
  });

  it("puts what fails for good on the queue, and goes on behind it", async () => {
    await write(stack, { pk: "bad", sk: "1", kind: "sample", poison: "yes" });
    await write(stack, { pk: "good", sk: "1", kind: "sample" });
    await vi.waitFor(async () => expect(await seen(stack)).toContain("good"), 30_000);
    const { items } = await control<{ items: { queueName: string; body: string }[] }>(
      stack,
      "/aws/messages",
      undefined,
      "GET",
    );
    expect(items).toHaveLength(1);
    expect(items[0]?.queueName).toBe("sample-Failures");
    expect(JSON.parse(items[0]?.body ?? "")).toMatchObject({
      requestContext: { condition: "RetryAttemptsExhausted" },
      DDBStreamBatchInfo: { batchSize: 1 },
    });
  });

  it("starts a function anew on demand", async () => {
    const started = async () =>
      (await control<Invoked>(stack, "/functions/Fn/invoke", { started: true })).payload;
    const before = await started();
    expect(await started()).toBe(before);
    await control(stack, "/functions/Fn/recycle");
    expect(await started()).not.toBe(before);
  });

  it("crashes no function that has no request under way, nor one that is not there", async () => {
    const crash = (name: string) => control<{ message: string }>(stack, `/functions/${name}/crash`);
    expect((await crash("Fn")).message).toContain("no request under way");
    expect((await crash("Other")).message).toContain("no such function");
  });

  it("makes organizations with keys and a token, and tokens with flaws", async () => {
    const made = await control<Record<string, unknown>>(stack, "/organizations", {
      keys: { only: ["read"] },
    });
    expect(made).toMatchObject({
      organization_id: expect.stringMatching(/^org_/),
      api_keys: { only: expect.stringMatching(/^das_/) },
      jwt: expect.stringMatching(/^eyJ/),
    });
    const { token } = await control<{ token: string }>(stack, "/tokens", {
      organization_id: "o",
      flaw: "alg_none",
    });
    expect(JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())).toEqual({
      alg: "none",
    });
  });

  it.each([undefined, "Bearer ", "Bearer guessed"])(
    "makes no key for who bears %s",
    async (authorization) => {
      const response = await fetch(`${stack.controlUrl}/keys`, {
        method: "POST",
        headers: { ...(authorization && { authorization }), "content-type": "application/json" },
        body: JSON.stringify({ organization_id: "o", scopes: ["operator"] }),
      });
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain("das_");
    },
  );

  it("does not let a page of a browser, or a name that leads to loopback, steer it", async () => {
    const foreign = await fetch(`${stack.controlUrl}/functions`, {
      headers: { origin: "https://example.org" },
    });
    expect(foreign.status).toBe(403);
    const { request } = await import("node:http");
    const rebound = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: "rebound.example.org" };
      request(`${stack.controlUrl}/functions`, { headers }, (response) => resolve(response.statusCode))
        .on("error", reject)
        .end();
    });
    expect(rebound).toBe(403);
  });
});

describe("what a stack needs and what it leaves", () => {
  const stacks: Stack[] = [];
  const folders: string[] = [];

  async function start(options: Partial<StackOptions>): Promise<Stack> {
    const stack = await startStack({ ...quiet, ...options });
    stacks.push(stack);
    return stack;
  }

  afterEach(async () => {
    await Promise.all(stacks.splice(0).map((stack) => stack.stop()));
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  });

  it("reads no stream that the function's role may not read, and says so", async () => {
    const told: string[] = [];
    await start({ assembly: sampleAssembly(false), tell: (text) => void told.push(text) });
    await vi.waitFor(
      () => expect(told.join("\n")).toContain("AccessDeniedException: DescribeStream"),
      30_000,
    );
  });

  it("keeps keys, table and place in the stream in a data folder", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "local-stack-"));
    folders.push(dataDir);
    const assembly = sampleAssembly();
    const first = await start({ assembly, dataDir });
    await write(first, { pk: "before", sk: "1", kind: "sample" });
    await vi.waitFor(async () => expect(await seen(first)).toContain("before"), 30_000);
    await first.stop();

    const second = await start({ assembly, dataDir });
    await write(second, { pk: "after", sk: "1", kind: "sample" });
    await vi.waitFor(async () => expect(await seen(second)).toContain("after"), 30_000);
    expect(await seen(second)).toEqual(["before", "after"]);
    expect([second.apiKey, second.organizationId]).toEqual([first.apiKey, first.organizationId]);
  });

  it("answers no address any more once it has been stopped", async () => {
    const stack = await start({ assembly: sampleAssembly() });
    await stack.stop();
    for (const url of [stack.baseUrl, stack.controlUrl, stack.awsEndpointUrl]) {
      await expect(fetch(url)).rejects.toThrow();
    }
  });

  it("leaves nothing running when the port is taken", async () => {
    const { port } = new URL((await start({ assembly: sampleAssembly() })).baseUrl);
    await expect(start({ assembly: sampleAssembly(), port: Number(port) })).rejects.toThrow(/in use/);
  });
});
