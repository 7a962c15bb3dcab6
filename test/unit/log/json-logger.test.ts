import { describe, expect, it } from "vitest";
import { createJsonLogger } from "../../../shared/log/json-logger.ts";

function capture(level: "debug" | "info" | "warn" | "error") {
  const written: string[] = [];
  const logger = createJsonLogger({
    level,
    deployment: "blue",
    clock: { now: () => 7 },
    write: (line) => written.push(line),
  });
  return { logger, written, lines: () => written.map((line) => JSON.parse(line)) };
}

describe("the JSON log", () => {
  it("writes one object a line, with the fields of the logger and of the line", () => {
    const { logger, written, lines } = capture("info");
    logger.with({ request_id: "r" }).info("a line", { status: 200 });
    expect(written.join("")).toMatch(/^[^\n]+\n$/);
    expect(lines()).toEqual([
      {
        timestamp: "1970-01-01T00:00:00.007Z",
        level: "info",
        message: "a line",
        request_id: "r",
        status: 200,
      },
    ]);
  });

  it("leaves out what lies below its level", () => {
    const { logger, lines } = capture("warn");
    logger.debug("a");
    logger.info("b");
    logger.warn("c");
    logger.error("d");
    expect(lines().map((line) => line.message)).toEqual(["c", "d"]);
  });

  it("says of an error its name, message, code, frames and causes, and none of its other fields", () => {
    const { logger, written, lines } = capture("info");
    const cause = Object.assign(new Error("refused"), {
      code: "ECONNREFUSED",
      $response: { body: "s3cret" },
    });
    logger.error("failed", { cause: new TypeError("wrong", { cause }) });
    expect(lines()[0].cause).toMatchObject({
      name: "TypeError",
      message: "wrong",
      stack: expect.stringMatching(/^\s+at /),
      cause: { message: "refused", code: "ECONNREFUSED" },
    });
    expect(written.join("")).not.toContain("s3cret");
  });

  it("does not quote a text that could not be parsed", () => {
    const { logger, written } = capture("info");
    try {
      JSON.parse("s3cret");
    } catch (cause) {
      logger.error("failed", { cause });
    }
    expect(written).toHaveLength(1);
    expect(written.join("")).not.toContain("s3cr");
  });

  it("survives what is thrown and is no error, and errors that are their own cause", () => {
    const { logger, written } = capture("info");
    const loop = new Error("loop");
    loop.cause = loop;
    logger.error("failed", { cause: "s3cret" });
    logger.error("failed", { cause: loop });
    expect(written).toHaveLength(2);
    expect(written.join("")).not.toContain("s3cret");
  });

  it("makes metrics of a line's numbers, which CloudWatch keeps apart by deployment and outcome", () => {
    const { logger, lines } = capture("info");
    logger.info("request", { service_ms: 12, desktop_ms: 30, outcome: "ok", status: 200 });
    const metricsBy = (Dimensions: readonly string[], Name: string) => ({
      Namespace: "DesktopAutomationService",
      Dimensions: [Dimensions],
      Metrics: [{ Name, Unit: "Milliseconds" }],
    });
    expect(lines()[0]).toMatchObject({
      _aws: {
        Timestamp: 7,
        CloudWatchMetrics: [
          metricsBy(["deployment", "outcome"], "service_ms"),
          metricsBy(["deployment"], "desktop_ms"),
        ],
      },
      deployment: "blue",
      outcome: "ok",
      service_ms: 12,
      status: 200,
    });
  });

  it("names no metric that the line does not have", () => {
    const { logger, lines } = capture("info");
    logger.info("swept", { waiting_runs: 2, failed: ["deletions"] });
    expect(lines()[0]._aws.CloudWatchMetrics).toMatchObject([
      { Dimensions: [["deployment"]], Metrics: [{ Name: "waiting_runs", Unit: "Count" }] },
    ]);
  });

  it("makes no metrics of a line without the field that they are split by", () => {
    const { logger, lines } = capture("info");
    logger.info("step taken", { model_ms: 0, waits_for: null });
    logger.info("step taken", { model_ms: 5, model_failures: 1, model_refusals: 0, provider: "openai" });
    const [replayed, asked] = lines();
    expect(replayed).not.toHaveProperty("_aws");
    expect(asked._aws.CloudWatchMetrics).toMatchObject([
      {
        Dimensions: [["deployment", "provider"]],
        Metrics: [
          { Name: "model_ms", Unit: "Milliseconds" },
          { Name: "model_failures", Unit: "Count" },
          { Name: "model_refusals", Unit: "Count" },
        ],
      },
    ]);
  });

  it("writes lines with metrics at every level, since alarms need them", () => {
    const { logger, lines } = capture("error");
    logger.info("run assigned", { waited_ms: 3 });
    logger.info("driver let in");
    expect(lines().map((line) => line.message)).toEqual(["run assigned"]);
  });
});
