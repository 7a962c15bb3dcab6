import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Code } from "aws-cdk-lib/aws-lambda";
import { App } from "aws-cdk-lib/core";
import { buildFolder, bundleFunctions } from "../bundle.ts";
import { ProbeStack } from "./probe-stack.ts";

const [bundle] = await bundleFunctions({
  outDir: join(buildFolder, "probe"),
  entryPoints: { probe: fileURLToPath(new URL("function.ts", import.meta.url)) },
});
if (bundle === undefined) throw new Error("the probe has no bundle");

const app = new App({ analyticsReporting: false, treeMetadata: false });
new ProbeStack(app, Code.fromAsset(bundle.folder));
app.synth();
