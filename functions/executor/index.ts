import { withDurableExecution } from "@aws/durable-execution-sdk-js";
import { readJob } from "../../shared/execution/read-job.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger } from "../../shared/runtime/stdout-logger.ts";

const { LOG_LEVEL } = readEnvironment(["LOG_LEVEL"]);
const logger = createStdoutLogger(LOG_LEVEL);

export const handler = withDurableExecution(async (event: unknown) => {
  const { runId } = readJob(event);
  logger.info("execution begun", { run_id: runId });
  return { run_id: runId };
});
