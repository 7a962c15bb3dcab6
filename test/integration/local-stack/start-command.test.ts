import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
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
});
