import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { writeCodeCache } from "../../shared/runtime/code-cache.ts";
import { functionEnvironment } from "./function-environment.ts";

/** This is a separate program, because bundles change the process that loads them, and another Node may run it. */
const [architecture, ...folders] = process.argv.slice(2);

if (process.arch === architecture) {
  for (const folder of folders) {
    Object.assign(process.env, functionEnvironment, { LAMBDA_TASK_ROOT: folder });
    writeCodeCache(folder, createRequire(join(folder, "/")));
  }
}
/** V8 accepts a cache only if this header (version, flags, a checksum of the build) equals its own. */
const header = new Script("").createCachedData().toString("hex", 0, 20);
process.stdout.write(`\n${header} ${process.version} ${process.arch}\n`);
process.exit();
