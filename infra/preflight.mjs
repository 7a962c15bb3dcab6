// Plain JavaScript, loaded before the rest: a Node that cannot read TypeScript can still say so.
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const nodeMajorMin = 24;

const isNodeTooOld = Number(process.versions.node.split(".")[0]) < nodeMajorMin;
const hasPackages = existsSync(new URL("../node_modules/zod/package.json", import.meta.url));

if (!hasPackages) {
  process.stderr.write('the packages are not installed: run "npm ci" first\n');
  process.exit(1);
}
if (isNodeTooOld) {
  process.stderr.write(
    `Node ${nodeMajorMin} is needed and this is ${process.version}: "npm ci" brings it, where npm may run the packages' install scripts\n`,
  );
  process.exit(1);
}

// The programs that this one starts keep what they compile in the same folder.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../.local/compiled", import.meta.url));
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
