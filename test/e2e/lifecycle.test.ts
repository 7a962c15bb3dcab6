import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type StartedCommand, startCommand } from "../support/stack/start-command.ts";

const run = promisify(execFile);
const stackFile = fileURLToPath(new URL("../../.local/stack.json", import.meta.url));
const keysProgram = fileURLToPath(new URL("../../infra/keys/main.ts", import.meta.url));
const putAside = `${stackFile}.${randomUUID()}`;

const StackFile = z.object({
  base_url: z.url(),
  websocket_url: z.url(),
  organization_id: z.string().min(1),
  api_key: z.string().startsWith("das_"),
  jwt: z.string().startsWith("ey"),
  machine_id: z.uuid(),
  pid: z.int(),
});
type StackFile = z.output<typeof StackFile>;

let command: StartedCommand | undefined;

// A stack that somebody works with meanwhile is not to lose its own.
beforeAll(async () => {
  if (existsSync(stackFile)) await rename(stackFile, putAside);
});
afterEach(async () => {
  await command?.end("SIGTERM");
  command = undefined;
});
afterAll(async () => {
  if (existsSync(putAside)) await rename(putAside, stackFile);
});

async function start(...args: readonly string[]): Promise<StackFile & { readonly printed: string }> {
  command = await startCommand(args);
  const { printed } = command;
  return { ...StackFile.parse(JSON.parse(await readFile(stackFile, "utf8"))), printed };
}

async function end(signal: "SIGINT" | "SIGTERM") {
  const ended = await command?.end(signal);
  command = undefined;
  return ended;
}

async function machinesOf(stack: StackFile, key = stack.api_key): Promise<readonly unknown[]> {
  const response = await fetch(`${stack.base_url}/v1/machines`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { items: { id: unknown }[] }).items.map(({ id }) => id);
}

describe("npm start", () => {
  it("prints a line that turns a wheel, keeps its keys to its owner, and ends at Ctrl-C", async () => {
    const stack = await start();
    expect(stack.pid).toBe(command?.pid);
    expect((await stat(stackFile)).mode & 0o777).toBe(0o600);
    for (const value of [stack.base_url, stack.api_key, stack.jwt, stack.machine_id]) {
      expect(stack.printed).toContain(value);
    }
    const line = stack.printed.split("\n").find((each) => each.startsWith("curl ")) ?? "";
    expect(line).toContain(`/v1/computer/${stack.machine_id}/input/mouse/scroll`);
    expect((await run("sh", ["-c", line])).stdout.trim()).toBe("{}");
    expect(await machinesOf(stack, stack.jwt)).toEqual([stack.machine_id]);

    // The key lies in a folder per port, so that two stacks cannot take each other's.
    const desktop = new URL(`desktops/${new URL(stack.base_url).port}/key`, pathToFileURL(stackFile));
    expect(existsSync(desktop)).toBe(true);
    const ended = await end("SIGINT");
    expect(existsSync(desktop)).toBe(false);
    expect(ended?.code).toBe(0);
    expect(ended?.tookMs).toBeLessThan(15_000);
    expect(existsSync(stackFile)).toBe(false);
    await expect(fetch(stack.base_url)).rejects.toThrow("fetch failed");
  });

  it("keeps machines and keys in a data folder, from one start to the next", async () => {
    const folder = await mkdtemp(join(tmpdir(), "stack-data-"));
    try {
      const first = await start("--data", folder);
      const made = await run(process.execPath, [
        ...[keysProgram, "create", "--organization", first.organization_id, "--scopes", "read,write"],
      ]);
      const key = made.stdout.trim();
      const created = await fetch(`${first.base_url}/v1/machines`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({
          fingerprint: randomUUID(),
          machine_sensitive_parameters: { pin: "a-secret-value" },
        }),
      });
      expect(created.status).toBe(201);
      const { id } = (await created.json()) as { id: string };
      expect((await end("SIGTERM"))?.code).toBe(0);

      const second = await start("--data", folder);
      expect([second.organization_id, second.api_key, second.machine_id]).toEqual([
        ...[first.organization_id, first.api_key, first.machine_id],
      ]);
      expect(await machinesOf(second, key)).toEqual([id, first.machine_id]);
      const looked = await fetch(`${second.base_url}/v1/computer/${second.machine_id}/display/dimensions`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(looked.status).toBe(200);
    } finally {
      await end("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    }
  });
});
