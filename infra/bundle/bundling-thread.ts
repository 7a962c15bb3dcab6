import { parentPort } from "node:worker_threads";
import { bundleFunctions, functionEntryPoints } from "../bundle.ts";

parentPort?.postMessage(await bundleFunctions({ entryPoints: await functionEntryPoints() }));
