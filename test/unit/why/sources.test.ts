import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LambdaClient } from "@aws-sdk/client-lambda";
import { expect, it } from "vitest";
import { listenOnLoopback } from "../../../infra/local/loopback-server.ts";
import type { OpenedTable } from "../../../infra/operator/open-table.ts";
import { namesIn, readHistory } from "../../../infra/why/sources/account-source.ts";
import { createLocalSource } from "../../../infra/why/sources/local-source.ts";
import { queryLogs } from "../../../infra/why/sources/query-logs.ts";

it("reads functions and log groups out of the service stack's outputs", () => {
  const names = namesIn("|executor=das-main-executor-1|following=das-main-following-2|");
  expect([...names]).toEqual([
    ["executor", "das-main-executor-1"],
    ["following", "das-main-following-2"],
  ]);
  expect([...namesIn(undefined)]).toEqual([]);
});

it("reads an execution's last events, oldest first, without what they carry", async () => {
  const asked: unknown[] = [];
  const answers: readonly object[] = [
    { DurableExecutions: [{ DurableExecutionArn: "arn", Status: "RUNNING" }] },
    {
      Events: [
        {
          EventType: "InvocationCompleted",
          EventTimestamp: new Date(2_000),
          InvocationCompletedDetails: { Error: {} },
        },
        { EventType: "StepStarted", EventTimestamp: new Date(1_000), Name: "step 1", Id: "1" },
      ],
    },
  ];
  const lambda = {
    send: async (command: { readonly input: unknown }) => {
      asked.push(command.input);
      return answers[asked.length - 1];
    },
  } as unknown as Pick<LambdaClient, "send">;
  const step = { at: "1970-01-01T00:00:01.000Z", name: "step 1", operationId: "1", isFailed: false };
  const end = { at: "1970-01-01T00:00:02.000Z", name: null, operationId: null, isFailed: true };
  expect(await readHistory(lambda, "executor", "an assignment")).toEqual({
    arn: "arn",
    status: "RUNNING",
    events: [
      { type: "StepStarted", ...step },
      { type: "InvocationCompleted", ...end },
    ],
  });
  expect(asked).toMatchObject([
    { FunctionName: "executor", DurableExecutionName: "an assignment" },
    { DurableExecutionArn: "arn", IncludeExecutionData: true, ReverseOrder: true },
  ]);
});

it("reads a stack's log file up to a line that is being written", async () => {
  const folder = await mkdtemp(join(tmpdir(), "logs-"));
  try {
    const logFile = join(folder, "log.jsonl");
    const at = "1970-01-01T00:00:01.000Z";
    const line = JSON.stringify({ at, function: "executor", line: { run_id: "a-run", step: 3 } });
    await writeFile(logFile, `${line}\n${line.slice(0, -2)}`);
    const source = createLocalSource({} as OpenedTable, { controlUrl: "", controlToken: "", logFile });
    const lines = await source.lines({ runId: "a-run", fromMs: 0, toMs: 2_000 });
    expect(lines).toEqual([{ at, fields: { function: "executor", run_id: "a-run", step: 3 } }]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

const anAccount = {
  region: "eu-central-1",
  credentials: { accessKeyId: "id", secretAccessKey: "secret" },
};

it("queries the logs of all functions by the run's id, in the form of CloudWatch Logs", async () => {
  const asked: { readonly target: unknown; readonly authorization: unknown; readonly body: object }[] = [];
  const row = [
    { field: "@timestamp", value: "2026-11-27 12:00:00.000" },
    { field: "@log", value: "111122223333:das-main-service-executorLogs1A2B-x" },
    { field: "@message", value: '{"message":"step taken","step":3}' },
  ];
  const answers: readonly object[] = [
    { queryId: "q" },
    { status: "Running" },
    { status: "Complete", results: [row, row] },
  ];
  const server = await listenOnLoopback(
    createServer(async (request, response) => {
      const body = (await request.toArray()).join("");
      const { "x-amz-target": target, authorization } = request.headers;
      asked.push({ target, authorization, body: JSON.parse(body) });
      response.end(JSON.stringify(answers[asked.length - 1]));
    }),
    0,
  );
  try {
    const lines = await queryLogs(
      { runId: "a-run", fromMs: 1_500, toMs: 3_500, logGroups: ["one", "two"] },
      { ...anAccount, endpoint: server.url },
    );
    const line = {
      at: "2026-11-27 12:00:00.000",
      fields: { function: "executor", message: "step taken", step: 3 },
    };
    expect(lines).toEqual([line, line]);
  } finally {
    await server.stop();
  }
  expect(asked.map(({ target }) => target)).toEqual([
    "Logs_20140328.StartQuery",
    "Logs_20140328.GetQueryResults",
    "Logs_20140328.GetQueryResults",
  ]);
  expect(asked[0]?.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=id\/\d+\/eu-central-1\/logs\/aws4_request/,
  );
  expect(asked[0]?.body).toMatchObject({
    logGroupNames: ["one", "two"],
    startTime: 1,
    endTime: 4,
    queryString: expect.stringContaining('filter run_id = "a-run"'),
  });
});

it("does not take a query that failed for logs without a line", async () => {
  const server = await listenOnLoopback(
    createServer((_, response) => void response.end(JSON.stringify({ queryId: "q", status: "Timeout" }))),
    0,
  );
  try {
    const query = { runId: "a-run", fromMs: 1_500, toMs: 3_500, logGroups: ["one"] };
    const lines = queryLogs(query, { ...anAccount, endpoint: server.url });
    await expect(lines).rejects.toThrow("Logs Insights ended the query as Timeout");
  } finally {
    await server.stop();
  }
});

it("queries more log groups than one query takes in parts, and keeps the last lines of all", async () => {
  const asked: (readonly string[])[] = [];
  const server = await listenOnLoopback(
    createServer(async (request, response) => {
      const body = JSON.parse((await request.toArray()).join("")) as {
        readonly logGroupNames?: readonly string[];
        readonly queryId?: string;
      };
      if (body.logGroupNames) {
        response.end(JSON.stringify({ queryId: body.logGroupNames[0] }));
        asked.push(body.logGroupNames);
        return;
      }
      // Newest first; each second is the other part's.
      const offset = body.queryId === "group 0" ? 0 : 1;
      const results = Array.from({ length: 20 }, (_, at) => {
        const second = String(2 * (19 - at) + offset).padStart(2, "0");
        return [
          { field: "@timestamp", value: `2026-11-27 12:00:${second}.000` },
          { field: "@message", value: "{}" },
        ];
      });
      response.end(JSON.stringify({ status: "Complete", results }));
    }),
    0,
  );
  try {
    const logGroups = Array.from({ length: 51 }, (_, at) => `group ${at}`);
    const lines = await queryLogs(
      { runId: "a-run", fromMs: 1_500, toMs: 3_500, logGroups },
      { ...anAccount, endpoint: server.url },
    );
    expect(new Set(asked.flat())).toEqual(new Set(logGroups));
    expect(asked.map(({ length }) => length).toSorted()).toEqual([1, 50]);
    const seconds = Array.from({ length: 30 }, (_, at) => String(at + 10));
    expect(lines.map(({ at }) => at)).toEqual(seconds.map((second) => `2026-11-27 12:00:${second}.000`));
  } finally {
    await server.stop();
  }
});
