import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { LambdaService, LambdaServiceInput } from "../../../infra/local/lambda/lambda-service.ts";
import type { FunctionModel } from "../../../infra/local/template/application.ts";
import { functionOnDisk, MemoryLog, serviceOf } from "./function-on-disk.ts";

const services: LambdaService[] = [];

function start(
  source: string,
  model: Partial<FunctionModel> = {},
  changes: Partial<LambdaServiceInput> = {},
): LambdaService {
  const service = serviceOf(functionOnDisk(source, model), changes);
  services.push(service);
  return service;
}

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
});

const counting = `
  let calls = 0;
  export const handler = async ({ pauseMs }) => {
    calls += 1;
    const mine = calls;
    await new Promise((resolve) => setTimeout(resolve, pauseMs ?? 0));
    return { calls: mine };
  };
`;

describe("what a function is given", () => {
  it("hands on the event and gives back what the handler returned", async () => {
    const service = start("export const handler = async (event) => ({ got: event });");
    expect(await service.invoke("stack/Sample", { a: [1, "ü"] })).toEqual({
      ok: true,
      payload: { got: { a: [1, "ü"] } },
    });
  });

  it("gives the environment of the template and of the runtime, and nothing of this process's own", async () => {
    process.env.OF_THE_DEVELOPER = "must not leak";
    const service = start("export const handler = async () => ({ ...process.env });", {
      environment: { TABLE_NAME: "table", CALLBACK: "https://api.execute-api.us-east-1.amazonaws.com/live" },
    });
    const result = await service.invoke("stack/Sample", {});
    delete process.env.OF_THE_DEVELOPER;
    expect(result).toMatchObject({
      ok: true,
      payload: {
        TABLE_NAME: "table",
        CALLBACK: "http://127.0.0.1:2/live",
        AWS_REGION: "us-east-1",
        AWS_LAMBDA_FUNCTION_NAME: "stack-Sample",
        AWS_ACCESS_KEY_ID: "key-of-role",
        AWS_ENDPOINT_URL: "http://127.0.0.1:1",
      },
    });
    const names = result.ok ? Object.keys(result.payload as object) : [];
    expect(names).not.toContain("OF_THE_DEVELOPER");
    expect(names).not.toContain("HOME");
  });

  it("gives a trace id of its own to each request, and a context with the time that is left", async () => {
    const service = start(
      `export const handler = async (_event, context) =>
        ({ trace: process.env._X_AMZN_TRACE_ID, id: context.awsRequestId, left: context.getRemainingTimeInMillis() });`,
    );
    const [first, second] = [
      await service.invoke("stack/Sample", {}),
      await service.invoke("stack/Sample", {}),
    ];
    expect(first).toMatchObject({
      ok: true,
      payload: { trace: expect.stringMatching(/^Root=1-/), id: expect.any(String) },
    });
    const payloads = [first, second].map((result) =>
      result.ok ? (result.payload as Record<string, unknown>) : {},
    );
    expect(payloads[0]?.trace).not.toBe(payloads[1]?.trace);
    expect(payloads[0]?.id).not.toBe(payloads[1]?.id);
    expect(payloads[0]?.left).toBeGreaterThan(4_000);
  });
});

describe("execution environments", () => {
  it("keeps one warm for the next request", async () => {
    const service = start(counting);
    expect(await service.invoke("stack/Sample", {})).toEqual({ ok: true, payload: { calls: 1 } });
    expect(await service.invoke("stack/Sample", {})).toEqual({ ok: true, payload: { calls: 2 } });
    expect(service.find("Sample")?.state).toEqual({ environments: 1, idle: 1, coldStarts: 1 });
  });

  it("handles one request at a time in each, and starts more under load", async () => {
    const service = start(counting);
    const results = await Promise.all(
      [1, 2, 3].map(() => service.invoke("stack/Sample", { pauseMs: 1_000 })),
    );
    expect(results.map((result) => (result.ok ? result.payload : result))).toEqual([
      { calls: 1 },
      { calls: 1 },
      { calls: 1 },
    ]);
    expect(service.find("Sample")?.state.coldStarts).toBe(3);
  });

  it("throttles beyond the reserved concurrency", async () => {
    const service = start(counting, { reservedConcurrency: 1 });
    const [first, second] = await Promise.all([
      service.invoke("stack/Sample", { pauseMs: 200 }),
      service.invoke("stack/Sample", { pauseMs: 200 }),
    ]);
    expect(first.ok).toBe(true);
    expect(second).toMatchObject({
      ok: false,
      kind: "throttled",
      error: { errorType: "TooManyRequestsException" },
    });
  });

  it("throttles beyond the concurrency of the whole account", async () => {
    const service = start(counting, {}, { concurrencyMax: 0 });
    expect(await service.invoke("stack/Sample", {})).toMatchObject({ ok: false, kind: "throttled" });
  });

  it("throttles a function that has half of the account's concurrency, and leaves the rest to others", async () => {
    const functions = ["First", "Second"].map((shortName) =>
      functionOnDisk(counting, { address: `stack/${shortName}`, shortName }),
    );
    const service = start(counting, {}, { concurrencyMax: 4, functions });
    const asked = [1, 2, 3].map(() => service.invoke("stack/First", { pauseMs: 200 }));
    expect((await service.invoke("stack/Second", {})).ok).toBe(true);
    expect((await Promise.all(asked)).map(({ ok }) => ok)).toEqual([true, true, false]);
  });

  it("starts anew after a recycle", async () => {
    const service = start(counting);
    await service.invoke("stack/Sample", {});
    await service.find("Sample")?.recycle();
    expect(await service.invoke("stack/Sample", {})).toEqual({ ok: true, payload: { calls: 1 } });
  });

  it("ends one that has been idle for its time, and starts anew for the next request", async () => {
    const service = start(counting, {}, { idleMs: 200 });
    await Promise.all([1, 2].map(() => service.invoke("stack/Sample", { pauseMs: 300 })));
    await expect.poll(() => service.find("Sample")?.state.environments).toBe(0);
    expect(service.find("Sample")?.state).toEqual({ environments: 0, idle: 0, coldStarts: 2 });
    expect(await service.invoke("stack/Sample", {})).toEqual({ ok: true, payload: { calls: 1 } });
  });

  it("keeps one that is used again before its time is over, and ends it in no request", async () => {
    const service = start(counting, {}, { idleMs: 500 });
    for (const calls of [1, 2, 3]) {
      expect(await service.invoke("stack/Sample", { pauseMs: 600 })).toEqual({
        ok: true,
        payload: { calls },
      });
    }
    expect(service.find("Sample")?.state.coldStarts).toBe(1);
  });

  it.each([
    ["lets requests wait where all places are taken", 2, 2],
    ["gives a function its first place in any case", 0, 1],
  ])("%s", async (_, environmentsMax, coldStarts) => {
    const service = start(counting, {}, { environmentsMax });
    const results = await Promise.all([1, 2, 3].map(() => service.invoke("stack/Sample", { pauseMs: 200 })));
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(service.find("Sample")?.state.coldStarts).toBe(coldStarts);
  });

  it("ends the one that has been idle longest where another function's request needs its place", async () => {
    const functions = ["First", "Second", "Third"].map((shortName) =>
      functionOnDisk(counting, { address: `stack/${shortName}`, shortName }),
    );
    const service = start(counting, {}, { environmentsMax: 3, functions });
    for (const name of ["First", "Second", "Third"]) await service.invoke(`stack/${name}`, {});
    await Promise.all([1, 2].map(() => service.invoke("stack/Third", { pauseMs: 500 })));
    await expect.poll(() => service.find("First")?.state.environments).toBe(0);
    expect(service.find("Second")?.state).toEqual({ environments: 1, idle: 1, coldStarts: 1 });
    expect(service.find("Third")?.state.coldStarts).toBe(2);
  });

  it("leaves each function its last one while another has several", async () => {
    const functions = ["First", "Second", "Third"].map((shortName) =>
      functionOnDisk(counting, { address: `stack/${shortName}`, shortName }),
    );
    const service = start(counting, {}, { environmentsMax: 4, functions });
    const invokeTwice = async (name: string) =>
      await Promise.all([1, 2].map(() => service.invoke(`stack/${name}`, { pauseMs: 500 })));
    await service.invoke("stack/First", {});
    await invokeTwice("Second");
    await invokeTwice("Third");
    await expect.poll(() => service.find("Second")?.state.environments).toBe(1);
    const left = ["First", "Third"].map((name) => service.find(name)?.state.environments);
    expect(left).toEqual([1, 2]);
  });

  it("ends the one environment that is named, as a crash of its host would, and keeps the others", async () => {
    const service = start(counting);
    const both = [1, 2].map(() => service.invoke("stack/Sample", { pauseMs: 1_500 }));
    await expect.poll(() => service.find("Sample")?.state.environments).toBe(2);
    await pause(700);
    await service.crash("Sample", "Sample-1");
    const results = await Promise.all(both);
    expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(service.find("Sample")?.state.environments).toBe(1);
  });

  it("ends an environment inside of a request, and none that is idle", async () => {
    const service = start(counting);
    await service.invoke("stack/Sample", {});
    const fn = service.find("Sample");
    expect(await fn?.crashBusy()).toBe(false);
    const under = service.invoke("stack/Sample", { pauseMs: 60_000 });
    while (!(await fn?.crashBusy())) await pause(5);
    expect(await under).toMatchObject({ ok: false, kind: "crash" });
    expect(await service.invoke("stack/Sample", {})).toEqual({ ok: true, payload: { calls: 1 } });
  });

  it("serves a request that comes while everything is being recycled", async () => {
    const service = start(counting);
    const pending = service.invoke("stack/Sample", {});
    await service.find("Sample")?.recycle();
    expect(await pending).toEqual({ ok: true, payload: { calls: 1 } });
  });

  it("has no thread left after a stop, and refuses what comes later", async () => {
    const service = start(counting);
    const pending = service.invoke("stack/Sample", { pauseMs: 60_000 });
    while ((service.find("Sample")?.state.environments ?? 0) === 0) await pause(10);
    await service.stop();
    expect(await pending).toMatchObject({ ok: false, kind: "crash" });
    expect(service.find("Sample")?.state.environments).toBe(0);
    expect(await service.invoke("stack/Sample", {})).toMatchObject({ ok: false });
  });
});

describe("what goes wrong", () => {
  it("describes what the handler threw", async () => {
    const service = start('export const handler = async () => { throw new TypeError("no such thing"); };');
    expect(await service.invoke("stack/Sample", {})).toMatchObject({
      ok: false,
      kind: "error",
      error: { errorType: "TypeError", errorMessage: "no such thing" },
    });
  });

  it("ends a function at the template's timeout, even one that never yields, and starts anew", async () => {
    const service = start("export const handler = async ({ hang }) => { while (hang); return 1; };", {
      timeoutSeconds: 1,
    });
    expect(await service.invoke("stack/Sample", { hang: true })).toMatchObject({
      ok: false,
      kind: "timeout",
      error: {
        errorType: "Sandbox.Timedout",
        errorMessage: expect.stringMatching(/^RequestId: .* Error: Task timed out after 1\.00 seconds$/),
      },
    });
    expect(await service.invoke("stack/Sample", {})).toEqual({ ok: true, payload: 1 });
    expect(service.find("Sample")?.state.coldStarts).toBe(2);
  });

  it("calls a process that ends itself a crash", async () => {
    const service = start("export const handler = async () => { process.exit(7); };");
    expect(await service.invoke("stack/Sample", {})).toMatchObject({
      ok: false,
      kind: "crash",
      error: { errorType: "Runtime.ExitError", errorMessage: expect.stringContaining("exit status 7") },
    });
  });

  it("calls a rejection that nobody handles a crash", async () => {
    const service = start(
      'export const handler = async () => { void Promise.reject(new Error("lost")); await new Promise(() => {}); };',
    );
    expect(await service.invoke("stack/Sample", {})).toMatchObject({ ok: false, kind: "crash" });
  });

  it("calls a heap beyond the template's memory a crash", async () => {
    const service = start(
      "export const handler = async () => { const kept = []; for (;;) kept.push(new Array(10_000).fill({})); };",
      { memoryMb: 128 },
    );
    expect(await service.invoke("stack/Sample", {})).toMatchObject({
      ok: false,
      kind: "crash",
      error: { errorMessage: expect.stringContaining("signal: killed") },
    });
  });

  it("reports a bundle that cannot be loaded, and a handler that is not there", async () => {
    const broken = start('throw new Error("at load"); export const handler = 1;');
    expect(await broken.invoke("stack/Sample", {})).toMatchObject({
      ok: false,
      kind: "error",
      error: { errorMessage: "at load" },
    });
    const missing = start("export const other = 1;");
    expect(await missing.invoke("stack/Sample", {})).toMatchObject({
      ok: false,
      error: { errorType: "Runtime.HandlerNotFound" },
    });
  });

  it("calls a start that takes too long a lack of places where the function has started before", async () => {
    const startsOnce = `
      import { existsSync, writeFileSync } from "node:fs";
      const flag = new URL("./started", import.meta.url);
      if (existsSync(flag)) await new Promise((resolve) => setTimeout(resolve, 60_000));
      writeFileSync(flag, "");
      export const handler = async () => 1;
    `;
    const service = start(startsOnce, {}, { initTimeoutMs: 3_000 });
    expect(await service.invoke("stack/Sample", {})).toEqual({ ok: true, payload: 1 });
    await service.find("Sample")?.recycle();
    expect(await service.invoke("stack/Sample", {})).toMatchObject({ ok: false, kind: "throttled" });
    await service.find("Sample")?.replaceVariables({ NAME: "other" });
    expect(await service.invoke("stack/Sample", {})).toMatchObject({ ok: false, kind: "timeout" });
  });

  it("calls a start that takes too long a timeout where the function has never started", async () => {
    const service = start(
      "await new Promise((resolve) => setTimeout(resolve, 60_000));",
      {},
      { initTimeoutMs: 300 },
    );
    const failed = { kind: "timeout", error: { errorMessage: "Init phase timed out after 0.3 seconds" } };
    expect(await service.invoke("stack/Sample", {})).toMatchObject(failed);
    expect(await service.invoke("stack/Sample", {})).toMatchObject(failed);
  });

  it("refuses a handler with a callback, which Node 24 on Lambda no longer takes", async () => {
    const service = start("export const handler = (_event, _context, callback) => callback(null, 1);");
    expect(await service.invoke("stack/Sample", {})).toMatchObject({
      ok: false,
      error: { errorType: "Runtime.CallbackHandlerDeprecated" },
    });
  });

  it("refuses a request and an answer of more than 6 MB", async () => {
    const service = start('export const handler = async ({ bytes }) => "x".repeat(bytes ?? 0);');
    expect(await service.invoke("stack/Sample", { text: "x".repeat(6_291_456) })).toMatchObject({
      ok: false,
      kind: "request_too_large",
      error: { errorType: "RequestTooLargeException" },
    });
    expect(await service.invoke("stack/Sample", { bytes: 6_291_555 })).toMatchObject({
      ok: false,
      kind: "response_too_large",
      error: { errorType: "Function.ResponseSizeTooLarge" },
    });
    expect(await service.invoke("stack/Sample", { bytes: 6_291_554 })).toMatchObject({ ok: true });
  });

  it("adds a body to its event, as text or in base64, and counts both against the 6 MB", async () => {
    const service = start(`
      export const handler = async ({ body, ...event }) =>
        body.length < 100 ? { ...event, body } : Buffer.byteLength(JSON.stringify({ ...event, body }));
    `);
    const invoke = (bytes: Uint8Array<ArrayBuffer>, encoding: "utf8" | "base64") =>
      service.invoke("stack/Sample", { a: 1 }, { bytes, encoding });
    const bytes = Uint8Array.of(0x22, 0xc3, 0xbc, 0xff);
    expect(await invoke(bytes.slice(), "utf8")).toEqual({ ok: true, payload: { a: 1, body: '"ü\ufffd' } });
    expect(await invoke(bytes.slice(), "base64")).toEqual({ ok: true, payload: { a: 1, body: "IsO8/w==" } });
    const rest = '{"a":1,"body":""}'.length;
    const quotes = (count: number) => new Uint8Array(count).fill(0x22);
    const largest = (6_291_456 - rest - 1) / 2;
    expect(await invoke(quotes(largest), "utf8")).toEqual({ ok: true, payload: 6_291_455 });
    expect(await invoke(quotes(largest + 1), "utf8")).toMatchObject({ kind: "request_too_large" });
  });
});

describe("asynchronous invocations", () => {
  const failingTwice = `
    import { existsSync, writeFileSync } from "node:fs";
    export const handler = async () => {
      const mark = (n) => new URL("./tried-" + n, import.meta.url);
      for (const n of [1, 2]) {
        if (existsSync(mark(n))) continue;
        writeFileSync(mark(n), "");
        throw new Error("try " + n);
      }
      return "third";
    };
  `;

  it("tries twice more after an error", async () => {
    const service = start(failingTwice, {}, { asyncRetryPausesMs: [1, 1] });
    expect(await service.invokeAsync("stack/Sample", {})).toEqual({ ok: true, payload: "third" });
  });

  it("tries no more often than the template's invoke config says", async () => {
    const service = start(failingTwice, { asyncRetriesMax: 0 }, { asyncRetryPausesMs: [1, 1] });
    expect(await service.invokeAsync("stack/Sample", {})).toMatchObject({
      ok: false,
      error: { errorMessage: "try 1" },
    });
  });

  it("gives up after that", async () => {
    const service = start(failingTwice, {}, { asyncRetryPausesMs: [1] });
    expect(await service.invokeAsync("stack/Sample", {})).toMatchObject({
      ok: false,
      error: { errorMessage: "try 2" },
    });
  });
});

it("keeps what a function prints, line by line, with the function's name", async () => {
  const log = new MemoryLog();
  const service = start(
    'export const handler = async () => { console.log("one\\ntwo"); console.error("three"); };',
    {},
    { log },
  );
  await service.invoke("stack/Sample", {});
  await service.stop();
  await expect.poll(() => log.lines.length).toBe(3);
  expect(log.lines.map(({ function: name, stream, line }) => [name, stream, line]).sort()).toEqual([
    ["stack-Sample", "stderr", "three"],
    ["stack-Sample", "stdout", "one"],
    ["stack-Sample", "stdout", "two"],
  ]);
});
