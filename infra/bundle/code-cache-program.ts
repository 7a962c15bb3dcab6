import { Script } from "node:vm";
import { writeCodeCache } from "../../shared/runtime/code-cache.ts";
import { functionEnvironment } from "./function-environment.ts";

/** A program of its own: bundles change the process that loads them, and it may be another Node's. */
const [architecture, ...folders] = process.argv.slice(2);

if (process.arch === architecture) {
  for (const folder of folders) {
    Object.assign(process.env, functionEnvironment, { LAMBDA_TASK_ROOT: folder });
    writeCodeCache(folder);
  }
}
/** V8 compares it with its own: version, flags and a checksum of what it is built with. */
const header = new Script("").createCachedData().toString("hex", 0, 20);
process.stdout.write(`\n${header} ${process.version} ${process.arch}\n`);
process.exit();
