import { expect, it } from "vitest";
import { LocalMetrics } from "../../../infra/local/local-metrics.ts";
import { createJsonLogger } from "../../../shared/log/json-logger.ts";

it("keeps of the functions' lines what CloudWatch would, apart by deployment and outcome", () => {
  const metrics = new LocalMetrics();
  const logger = createJsonLogger({
    level: "info",
    deployment: "blue",
    clock: { now: () => 0 },
    write: (line) => metrics.take(JSON.parse(line)),
  });
  for (const ms of [30, 10, 20]) logger.info("request", { service_ms: ms, outcome: "ok" });
  logger.info("request", { service_ms: 5, outcome: "refused" });
  logger.info("driver let in", { service_ms: 7 });
  metrics.take("not JSON");
  const of = { namespace: "DesktopAutomationService", name: "service_ms", unit: "Milliseconds" };
  expect(metrics.list()).toEqual([
    {
      ...of,
      dimensions: { deployment: "blue", outcome: "ok" },
      count: 3,
      sum: 60,
      min: 10,
      max: 30,
      latest: 20,
      p50: 20,
      p95: 30,
      p99: 30,
    },
    {
      ...of,
      dimensions: { deployment: "blue", outcome: "refused" },
      count: 1,
      sum: 5,
      min: 5,
      max: 5,
      latest: 5,
      p50: 5,
      p95: 5,
      p99: 5,
    },
  ]);
});
