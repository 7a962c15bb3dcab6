import { startStack } from "../../../infra/local/stack.ts";

/** A test's key may send more than 600 requests a minute, so the limit is raised. */
const noKeyLimit = { RATE_LIMIT_API_KEY: "0" };

/**
 * A local stack in a process of its own, as `npm start` runs it, with the options of a test (JSON, first argument).
 * Writes one line of JSON once it runs; ends with a signal, or with its parent's end of the pipe.
 */
const { variables, ...options } = JSON.parse(process.argv[2] ?? "{}");
const stack = await startStack({ port: 0, ...options, variables: { ...noKeyLimit, ...variables } });
const { stop, ...description } = stack;
process.stdout.write(`${JSON.stringify({ ...description, pid: process.pid })}\n`);

let isStopping = false;
function end(): void {
  if (isStopping) return;
  isStopping = true;
  void stop().then(() => process.exit(0));
}
process.on("SIGTERM", end);
process.on("SIGINT", end);
process.stdin.on("end", end).resume();
