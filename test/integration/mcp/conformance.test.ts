import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMcpApp } from "../../../functions/mcp/app.ts";
import { type LoopbackServer, listenOnLoopback } from "../../../infra/local/loopback-server.ts";
import { serveFetch } from "../../../infra/local/serve-fetch.ts";
import { createTestService } from "../../support/shared/test-service.ts";
import { createFixtureServer } from "./fixture-tools.ts";

const run = promisify(execFile);
const suite = fileURLToPath(
  new URL("../../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);

let server: LoopbackServer;
let folder: string;

beforeAll(async () => {
  const service = await createTestService();
  const app = createMcpApp({
    ...service.deps,
    baseUrl: "http://127.0.0.1",
    originHosts: ["localhost", "127.0.0.1"],
    createServer: createFixtureServer,
  });
  const authorization = service.authorize({ scopes: ["read"] });
  // The suite knows no credentials.
  const withKey = async (request: Request) => {
    request.headers.set("authorization", authorization);
    return await app.fetch(request);
  };
  server = await listenOnLoopback(createServer(serveFetch(withKey)), 0);
  folder = await mkdtemp(join(tmpdir(), "conformance-"));
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

it.each(["2026-07-28", "2025-11-25"])(
  "passes what version %s requires, but for what cannot apply",
  async (version) => {
    const excused = fileURLToPath(new URL(`cannot-apply-${version}.yml`, import.meta.url));
    const args = ["server", "--url", `${server.url}/mcp`, "--requirements", version];
    const ended = await run(process.execPath, [suite, ...args, "--expected-failures", excused], {
      cwd: folder,
      maxBuffer: 64 * 1_024 * 1_024,
    }).catch((error: { readonly stdout: string }) => error);
    expect("code" in ended, ended.stdout.slice(-4_000)).toBe(false);
  },
  120_000,
);
