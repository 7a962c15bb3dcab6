import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rename, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { type StartedCommand, startCommand } from "../support/stack/start-command.ts";

const run = promisify(execFile);
const stackFile = fileURLToPath(new URL("../../.local/stack.json", import.meta.url));
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

let command: StartedCommand | undefined;

// A stack that somebody works with meanwhile is not to lose its own.
beforeAll(async () => {
  if (existsSync(stackFile)) await rename(stackFile, putAside);
});
afterEach(async () => {
  await command?.end("SIGTERM");
});
afterAll(async () => {
  if (existsSync(putAside)) await rename(putAside, stackFile);
});

it("npm start prints a line that turns a wheel, keeps its keys to its owner, and ends at Ctrl-C", async () => {
  command = await startCommand([]);
  const { printed } = command;
  const stack = StackFile.parse(JSON.parse(await readFile(stackFile, "utf8")));
  expect(stack.pid).toBe(command.pid);
  expect((await stat(stackFile)).mode & 0o777).toBe(0o600);
  for (const value of [stack.base_url, stack.api_key, stack.jwt, stack.machine_id]) {
    expect(printed).toContain(value);
  }
  const line = printed.split("\n").find((each) => each.startsWith("curl ")) ?? "";
  expect(line).toContain(`/v1/computer/${stack.machine_id}/input/mouse/scroll`);
  expect((await run("sh", ["-c", line])).stdout.trim()).toBe("{}");
  const headers = { authorization: `Bearer ${stack.jwt}` };
  const machines = await fetch(`${stack.base_url}/v1/machines`, { headers });
  expect(await machines.json()).toMatchObject({ items: [{ id: stack.machine_id }] });

  // Each stack has a folder for its desktop, so that two cannot take each other's fingerprint; the key is in no file.
  const desktop = new URL(`desktops/${new URL(stack.base_url).port}/`, pathToFileURL(stackFile));
  expect((await stat(desktop)).mode & 0o777).toBe(0o700);
  const files = await readdir(desktop, { recursive: true, withFileTypes: true });
  const kept = files.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  expect(kept.map((path) => basename(path))).toContain("fingerprint");
  for (const path of kept) expect(await readFile(path, "utf8")).not.toContain("das_");
  const { code, tookMs } = await command.end("SIGINT");
  command = undefined;
  expect(existsSync(desktop)).toBe(false);
  expect(code).toBe(0);
  expect(tookMs).toBeLessThan(15_000);
  expect(existsSync(stackFile)).toBe(false);
  await expect(fetch(stack.base_url)).rejects.toThrow("fetch failed");
});
