import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Code } from "aws-cdk-lib/aws-lambda";
import { SynthesisMessageLevel } from "aws-cdk-lib/cx-api";
import * as z from "zod";
import { routeGroups } from "../shared/contract/operations/all-operations.ts";
import { buildFolder, bundleFunctions } from "./bundle.ts";
import { createServiceApp } from "./service-app.ts";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));
const PackageJson = z.object({ version: z.string() });
const CdkJson = z.object({ context: z.record(z.string(), z.unknown()).default({}) });

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(projectFolder, name), "utf8"));
}

try {
  await bundleFunctions();
  const { app } = createServiceApp({
    context: CdkJson.parse(readJson("cdk.json")).context,
    routes: routeGroups,
    version: PackageJson.parse(readJson("package.json")).version,
    codeOf: (name) => Code.fromAsset(join(buildFolder, "functions", name)),
    outdir: process.env.CDK_OUTDIR ?? join(projectFolder, "cdk.out"),
  });
  const warnings = app
    .synth()
    .stacks.flatMap(({ messages }) =>
      messages.filter(({ level }) => level === SynthesisMessageLevel.WARNING),
    );
  // The CDK's command line shows warnings by itself.
  if (process.env.CDK_CLI_VERSION === undefined) {
    for (const { entry } of warnings) console.error(`warning: ${String(entry.data)}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
