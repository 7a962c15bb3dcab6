import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const startFile = fileURLToPath(new URL("../../../infra/local/start.ts", import.meta.url));

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

async function start(args: readonly string[], path = process.env.PATH): Promise<Ended> {
  const child = spawn(process.execPath, [startFile, ...args], { env: { ...process.env, PATH: path } });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...output };
}

/** A folder to be PATH: a shell, and a java that prints what is given. */
async function pathWith(java: string | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "start-path-"));
  for (const name of ["sh", "cat"]) await symlink(`/bin/${name}`, join(folder, name));
  if (java === undefined) return folder;
  await writeFile(join(folder, "java"), `#!/bin/sh\necho '${java}' >&2\nexit 1\n`);
  await chmod(join(folder, "java"), 0o755);
  return folder;
}

/** Standard error without the one line about the start. */
function complaint({ stderr }: Ended): string[] {
  return stderr
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "starting …");
}

describe("npm start", () => {
  it("prints its usage", async () => {
    const ended = await start(["--help"]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("--data DIR");
  });

  it("answers an option that it does not know with one sentence", async () => {
    const ended = await start(["--bogus"]);
    expect(ended.code).toBe(1);
    expect(complaint(ended)).toEqual(["Unknown option '--bogus'; --help lists what there is"]);
  });

  it("answers a port in use with one sentence, at once", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const ended = await start(["--port", String(port)]);
    server.close();
    expect(ended.code).toBe(1);
    expect(complaint(ended)).toEqual([
      `port ${port} is in use: stop what listens there, or choose another with --port`,
    ]);
  });

  it("answers a missing Java with one sentence", async () => {
    const ended = await start(["--port", "0"], await pathWith(undefined));
    expect(ended.code).toBe(1);
    expect(complaint(ended)).toEqual([
      expect.stringMatching(/^Java 17 or newer is needed .*no java command/),
    ]);
  });

  it("answers a Java that is too old with one sentence", async () => {
    const ended = await start(["--port", "0"], await pathWith('openjdk version "11.0.22" 2024-01-16'));
    expect(ended.code).toBe(1);
    expect(complaint(ended)).toEqual([expect.stringMatching(/^Java 17 or newer is needed .*version 11/)]);
  });
});
