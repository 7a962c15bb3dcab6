import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stack, startStack } from "../../../infra/local/stack.ts";
import { routeGroups } from "../../../shared/contract/operations/all-operations.ts";

interface Invoked {
  readonly ok: boolean;
  readonly error?: { readonly errorMessage: string };
}

let folder: string;
let stack: Stack;
let key: string;

async function control<Body>(path: string, body?: object, method = "POST"): Promise<Body> {
  const response = await fetch(`${stack.controlUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${stack.controlToken}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (response.status === 204 ? undefined : await response.json()) as Body;
}

const run = () => control<Invoked>("/functions/synthetic/invoke", {});

async function leftovers(): Promise<readonly unknown[]> {
  const lists = await Promise.all(
    ["machines", "workflows", "trajectories", "runs"].map(async (name) => {
      const response = await fetch(`${stack.baseUrl}/v1/${name}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return ((await response.json()) as { readonly items: readonly unknown[] }).items;
    }),
  );
  return lists.flat();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "synthetic-run-"));
  await promisify(execFile)(process.execPath, ["infra/app.ts"], {
    env: {
      ...process.env,
      CDK_CONTEXT_JSON: JSON.stringify({ syntheticRun: true }),
      CDK_OUTDIR: folder,
      CODE_CACHES: "none",
      CDK_VALIDATION: "false",
    },
  });
  stack = await startStack({ port: 0, desktop: false, timers: false, tell: () => {}, assembly: folder });
  const { api_keys } = await control<{ api_keys: { synthetic: string } }>("/organizations", {
    keys: { synthetic: ["read", "write"] },
  });
  key = api_keys.synthetic;
  await control("/aws/secrets", { name: "das-synthetic/main/key", value: key });
});

afterAll(async () => {
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

it("carries out a run with its own role, and leaves nothing", async () => {
  expect(await run()).toMatchObject({ ok: true });
  expect(await leftovers()).toEqual([]);
  expect(await control("/aws/denials", undefined, "GET")).toEqual({ items: [] });
});

it("fails, naming the part, and leaves nothing, when a function lost a grant", async () => {
  await control("/aws/faults", {
    service: "dynamodb",
    operation: "TransactWriteItems",
    functionName: "workflows",
    error: "AccessDeniedException",
    status: 403,
    count: null,
  });
  const { ok, error } = await run();
  expect(ok).toBe(false);
  expect(error?.errorMessage).toMatch(/^runs, trajectories, workflows: /);
  expect(await leftovers()).toEqual([]);
});

it("tells CodeDeploy whether each version of the release responds, before it gets traffic", async () => {
  await control("/aws/calls", undefined, "DELETE");
  const hook = { DeploymentId: "d-1", LifecycleEventHookExecutionId: "h-1" };
  const { error } = await control<Invoked>("/functions/synthetic/invoke", hook);
  // The stand-in has no CodeDeploy, so the verdict is the one call that fails.
  expect(error?.errorMessage).toMatch(/does not implement the service of codedeploy$/);
  const { counts } = await control<{ counts: Record<string, Record<string, Record<string, number>>> }>(
    "/aws/calls",
    undefined,
    "GET",
  );
  expect(counts.synthetic?.lambda).toEqual({ Invoke: Object.keys(routeGroups).length });
  expect(counts.runs?.dynamodb).toMatchObject({ Query: expect.any(Number) });
});
