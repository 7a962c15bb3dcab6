// @ts-check
// Plain JavaScript: a worker that reads TypeScript takes 12 MB and 20 ms more.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

/** @import { InvokeError } from "./invoke-result.ts" */
/** @import { InvokeMessage, WorkerMessage, WorkerSetup } from "./worker-messages.ts" */

/**
 * Only types of the project are imported, so that the worker loads what Lambda would load and no more.
 *
 * @typedef {(event: unknown, context: object) => unknown} Handler
 */

/** @type {WorkerSetup} */
const setup = workerData;

/** @param {WorkerMessage} message */
function send(message) {
  parentPort?.postMessage(message);
}

/**
 * @param {unknown} error
 * @returns {InvokeError}
 */
function describe(error) {
  if (!(error instanceof Error)) return { errorType: "Error", errorMessage: String(error) };
  const trace = error.stack?.split("\n") ?? [];
  return { errorType: error.name, errorMessage: error.message, trace };
}

function moduleFile() {
  // Lambda tries the file without an extension, then .js, .mjs and .cjs.
  const found = ["", ".js", ".mjs", ".cjs"]
    .map((end) => `${setup.module}${end}`)
    .find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw Object.assign(new Error(`Cannot find module '${setup.module}'`), {
    name: "Runtime.ImportModuleError",
  });
}

/** @returns {Promise<Handler>} */
async function loadHandler() {
  const file = moduleFile();
  // Source: https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/UserFunction.js
  const loaded = file.endsWith(".cjs")
    ? createRequire(import.meta.url)(file)
    : await import(pathToFileURL(file).href);
  /** @param {unknown} from */
  const find = (from) =>
    setup.exportPath.reduce(
      (/** @type {unknown} */ at, name) =>
        typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined,
      from,
    );
  const ofCommonJs =
    typeof loaded === "object" && loaded !== null ? Reflect.get(loaded, "default") : undefined;
  const handler = find(loaded) ?? find(ofCommonJs);
  const name = setup.exportPath.join(".");
  if (typeof handler !== "function") {
    throw Object.assign(new Error(`${setup.module}.${name} is undefined or not exported`), {
      name: "Runtime.HandlerNotFound",
    });
  }
  // Node 24 is the first runtime without callbacks.
  // Source: https://aws.amazon.com/blogs/compute/node-js-24-runtime-now-available-in-aws-lambda/
  if (handler.length >= 3) {
    throw Object.assign(new Error("AWS Lambda has removed support for callback-based function handlers"), {
      name: "Runtime.CallbackHandlerDeprecated",
    });
  }
  return /** @type {Handler} */ (handler);
}

/** @param {InvokeMessage} message */
function eventOf({ event: text, body }) {
  const event = JSON.parse(text);
  if (body !== undefined) event.body = Buffer.from(body.bytes.buffer).toString(body.encoding);
  return event;
}

/**
 * @param {Handler} handler
 * @param {InvokeMessage} message
 */
async function answer(handler, message) {
  process.env._X_AMZN_TRACE_ID = message.traceId;
  const context = {
    callbackWaitsForEmptyEventLoop: true,
    functionName: setup.functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: setup.functionArn,
    memoryLimitInMB: String(setup.memoryMb),
    awsRequestId: message.requestId,
    logGroupName: setup.logGroupName,
    logStreamName: setup.logStreamName,
    getRemainingTimeInMillis: () => Math.max(0, message.deadlineMs - Date.now()),
  };
  try {
    const returned = await handler(eventOf(message), context);
    send({ kind: "returned", payload: JSON.stringify(returned) });
  } catch (error) {
    send({ kind: "threw", error: describe(error) });
  }
}

try {
  const handler = await loadHandler();
  parentPort?.on("message", (message) => void answer(handler, message));
  send({ kind: "ready" });
} catch (error) {
  send({ kind: "init_failed", error: describe(error) });
}
