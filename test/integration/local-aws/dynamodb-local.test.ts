import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTable } from "../../../infra/local/aws/dynamodb/create-table.ts";
import { startDynamoDbLocal } from "../../../infra/local/aws/dynamodb/dynamodb-local.ts";

const table = {
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
  AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
  StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "dynamodb-local-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    // Refused: nobody is there.
    return false;
  } finally {
    socket.destroy();
  }
}

async function untilSilent(port: number): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    if (!(await listens(port))) return true;
    await delay(50);
  }
  return false;
}

describe("startDynamoDbLocal", () => {
  it("keeps tables in a data folder over a restart, and is gone once stopped", async () => {
    const dataDir = path.join(folder, "data");
    const first = await startDynamoDbLocal({ dataDir });
    const made = await createTable(first.url, table, "kept");
    await first.stop();
    expect(await listens(first.engine.port)).toBe(false);
    const second = await startDynamoDbLocal({ dataDir });
    expect(await createTable(second.url, table, "kept")).toEqual(made);
    await second.stop();
  });

  describe("its tables", () => {
    let local: Awaited<ReturnType<typeof startDynamoDbLocal>>;

    beforeAll(async () => {
      local = await startDynamoDbLocal();
      await createTable(local.url, table, "mine");
    });
    afterAll(() => local.stop());

    async function tablesSeen(port: number, accessKeyId: string, headers: Record<string, string> = {}) {
      const request = httpRequest({
        port,
        method: "POST",
        headers: {
          "content-type": "application/x-amz-json-1.0",
          "x-amz-target": "DynamoDB_20120810.ListTables",
          authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
          ...headers,
        },
      });
      request.end("{}");
      const [response] = (await once(request, "response")) as [IncomingMessage];
      return { status: response.statusCode, body: await text(response) };
    }

    it("are seen by whoever comes through the loopback address, and not by others who reach the port", async () => {
      expect((await tablesSeen(local.port, "anyone")).body).toContain("mine");
      expect(await tablesSeen(local.engine.port, "anyone")).toEqual({
        status: 200,
        body: '{"TableNames":[]}',
      });
    });

    it.each([
      ["a page of any origin", { origin: "http://127.0.0.1:3000" }],
      ["a page whose name leads to this machine", { host: "page.example:80" }],
    ])("are not shown to %s", async (_whom, headers) => {
      expect((await tablesSeen(local.port, "anyone", headers)).status).toBe(403);
    });
  });

  it("ends when the process that started it is killed", async () => {
    const module = new URL("../../../infra/local/aws/dynamodb/dynamodb-local.ts", import.meta.url).href;
    const script = `const { startDynamoDbLocal } = await import(${JSON.stringify(module)});
      console.log((await startDynamoDbLocal()).engine.port);`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [printed] = (await once(parent.stdout, "data")) as [Buffer];
    const port = Number(printed.toString("utf8"));
    expect(await listens(port)).toBe(true);
    parent.kill("SIGKILL");
    expect(await untilSilent(port)).toBe(true);
  });

  it("says in one sentence that there is no Java", async () => {
    await expect(startDynamoDbLocal({ javaCommand: path.join(folder, "no-java") })).rejects.toThrow(
      /^Java 17 or newer is needed to run DynamoDB Local, but no java command was found\.$/,
    );
  });

  it("says in one sentence that Java is too old", async () => {
    const javaCommand = path.join(folder, "old-java");
    await writeFile(
      javaCommand,
      `#!/bin/sh\necho 'openjdk version "11.0.2" 2019-01-15' >&2\n[ "$1" = -version ]\n`,
    );
    await chmod(javaCommand, 0o755);
    await expect(startDynamoDbLocal({ javaCommand })).rejects.toThrow(
      /^Java 17 or newer is needed to run DynamoDB Local, but the java command found is version 11\.0\.2\.$/,
    );
  });
});
