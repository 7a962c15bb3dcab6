import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { descendants, parents } from "../../support/stack/process-tree.ts";

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

function complaint({ stderr }: Ended): string[] {
  return stderr
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "starting …");
}

describe("npm start", () => {
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

  it("names each phase as it begins, and ends with all that it has started when its parent is gone", async () => {
    // The shell stands for npm, which hands on neither SIGHUP nor SIGKILL.
    const command = `"${process.execPath}" "${startFile}" --port 0; true`;
    const parent = spawn("sh", ["-c", command], { stdio: ["ignore", "ignore", "pipe"] });
    onTestFinished(() => {
      for (const pid of descendants(parent.pid ?? 0)) process.kill(pid);
    });
    let said = "";
    parent.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    await vi.waitFor(() => expect(said).toContain("\n  AWS endpoint with DynamoDB Local\n"), 20_000);
    await vi.waitFor(() => expect(descendants(parent.pid ?? 0).length).toBeGreaterThan(2), 20_000);
    const started = descendants(parent.pid ?? 0);
    onTestFinished(() => {
      const alive = parents();
      for (const pid of started.filter((each) => alive.has(each))) process.kill(pid);
    });
    parent.kill("SIGKILL");
    await vi.waitFor(() => {
      const alive = parents();
      expect(started.filter((pid) => alive.has(pid))).toEqual([]);
    }, 10_000);
  });

  it("says in one sentence that a folder cannot be written, and what to do", async () => {
    const ended = await start(["--port", "0", "--data", "/dev/null/data"]);
    expect(ended.code).toBe(1);
    expect(complaint(ended)).toEqual([
      "the folder /dev/null/data cannot be written (ENOTDIR): give another one with --data",
    ]);
  });
});
