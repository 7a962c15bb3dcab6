import { fileURLToPath } from "node:url";

/** Returns the program of the thread of `check-thread.ts`; the bundler puts it beside each bundle that starts one. */
export const checkWorkerFile = () => fileURLToPath(new URL("./check-worker.ts", import.meta.url));
