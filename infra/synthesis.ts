import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Code } from "aws-cdk-lib/aws-lambda";
import { Annotations } from "aws-cdk-lib/core";
import { SynthesisMessageLevel } from "aws-cdk-lib/cx-api";
import * as z from "zod";
import { routeGroups } from "../shared/contract/operations/all-operations.ts";
import { assetHash } from "./bundle/asset-hash.ts";
import { makeCodeCaches } from "./bundle/code-caches.ts";
import { type Bundle, bundleFunctions } from "./bundle.ts";
import { lambdaArchitecture } from "./constructs/service-function.ts";
import { refuseEdgeJump } from "./edge-step.ts";
import { createServiceApp, openApp } from "./service-app.ts";
import type { Settings } from "./settings.ts";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));
/** It runs beside the service, like the driver whose code it uses, and is none of the service's functions. */
const syntheticEntryPoint = "infra/synthetic/function.ts";
const PackageJson = z.object({ version: z.string() });
const CdkJson = z.object({ context: z.record(z.string(), z.unknown()).default({}) });

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(projectFolder, name), "utf8"));
}

async function codeOfFunctions(
  bundling: Promise<readonly Bundle[]>,
  withCodeCaches: boolean,
  { syntheticRun }: Settings,
) {
  const entryPoints = { synthetic: join(projectFolder, syntheticEntryPoint) };
  const beside = syntheticRun ? await bundleFunctions({ entryPoints }) : [];
  const bundles = [...(await bundling), ...beside];
  const folders = bundles.map(({ folder }) => folder);
  const { name: architecture } = lambdaArchitecture;
  const maker = withCodeCaches
    ? await makeCodeCaches(folders, { architecture, node: process.env.LAMBDA_NODE })
    : undefined;
  const hashes = await Promise.all(folders.map((folder) => assetHash(folder, maker)));
  const codeOf = (name: string): Code => {
    const at = bundles.findIndex((bundle) => bundle.name === name);
    return Code.fromAsset(folders[at] ?? name, { assetHash: hashes[at] ?? name });
  };
  return { codeOf, hasCodeCaches: maker !== undefined };
}

/** Writes the assembly of the deployment that the context names. @throws {Error} one sentence. */
export async function synthesize(bundling: Promise<readonly Bundle[]>): Promise<void> {
  // The local stack neither deploys nor waits for them.
  const withCodeCaches = process.env.CODE_CACHES !== "none";
  const { app, settings } = openApp({
    context: CdkJson.parse(readJson("cdk.json")).context,
    outdir: process.env.CDK_OUTDIR ?? join(projectFolder, "cdk.out"),
    stackTraces: withCodeCaches,
  });
  const { codeOf, hasCodeCaches } = await codeOfFunctions(bundling, withCodeCaches, settings);
  const { service } = createServiceApp({
    app,
    settings,
    routes: routeGroups,
    version: PackageJson.parse(readJson("package.json")).version,
    codeOf,
  });
  // The rules take longer to load and check than the local stack's start has, and say nothing of how it works.
  if (process.env.CDK_VALIDATION !== "false") (await import("./check-with-nag.ts")).checkWithNag(app);
  // The CDK's command line sets it once it has credentials, without which nothing is deployed.
  if (process.env.CDK_DEFAULT_ACCOUNT !== undefined) await refuseEdgeJump(settings.edge, service.stackName);
  if (withCodeCaches && !hasCodeCaches) {
    Annotations.of(service).addWarningV2(
      "das:codeCaches",
      `functions start slower, without code caches: set LAMBDA_NODE to a Node of ${lambdaArchitecture.name} (infra/DEPLOY.md, Code caches)`,
    );
  }
  const warnings = app
    .synth()
    .stacks.flatMap(({ messages }) =>
      messages.filter(({ level }) => level === SynthesisMessageLevel.WARNING),
    );
  // The CDK's command line shows warnings by itself.
  if (process.env.CDK_CLI_VERSION === undefined) {
    for (const { entry } of warnings) console.error(`warning: ${String(entry.data)}`);
  }
}
