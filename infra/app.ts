import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beginBundling } from "./bundle/bundling.ts";

const outdir = process.env.CDK_OUTDIR ?? fileURLToPath(new URL("../cdk.out", import.meta.url));
// From here the bundles move into the assembly, which takes no copy.
const bundlesFolder = join(outdir, "bundles");

// The bundler works while the CDK loads, so the CDK's modules must not be imported before.
const bundling = beginBundling(bundlesFolder);
try {
  const { synthesize } = await import("./synthesis.ts");
  await synthesize({ outdir, bundlesFolder, bundling });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // The bundler may still be at work, whose result nobody needs now.
  process.exit(1);
}
