import { parentPort, workerData } from "node:worker_threads";
import { bundleFunctions, functionEntryPoints } from "../bundle.ts";

parentPort?.postMessage(
  await bundleFunctions({ outDir: workerData, entryPoints: await functionEntryPoints() }),
);
