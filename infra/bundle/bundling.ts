import { Worker } from "node:worker_threads";
import type { Bundle } from "../bundle.ts";

/**
 * Bundles all functions in a thread of its own.
 *
 * @throws {Error} esbuild's text when a source does not compile or an import is missing.
 */
export function beginBundling(outDir: string): Promise<readonly Bundle[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Bundle[]>();
  const thread = new Worker(new URL("./bundling-thread.ts", import.meta.url), { workerData: outDir });
  thread.once("message", resolve);
  thread.once("error", reject);
  thread.once("exit", () => reject(new Error("the bundler ended without a result")));
  // The synthesis may fail before it awaits the result.
  promise.catch(() => undefined);
  return promise;
}
