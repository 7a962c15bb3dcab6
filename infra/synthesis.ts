import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Annotations } from "aws-cdk-lib/core";
import { SynthesisMessageLevel } from "aws-cdk-lib/cx-api";
import * as z from "zod";
import { routeGroups } from "../shared/contract/operations/all-operations.ts";
import { makeCodeCaches } from "./bundle/code-caches.ts";
import { placeBundle } from "./bundle/place-bundle.ts";
import type { Bundle } from "./bundle.ts";
import { LaterCode } from "./constructs/later-code.ts";
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

export interface SynthesisProps {
  /** The folder of the assembly. */
  readonly outdir: string;
  readonly bundlesFolder: string;
  readonly bundling: Promise<readonly Bundle[]>;
}

async function bundlesOf({ bundling, bundlesFolder }: SynthesisProps, { syntheticRun }: Settings) {
  if (!syntheticRun) return await bundling;
  const { bundleFunctions } = await import("./bundle.ts");
  const entryPoints = { synthetic: join(projectFolder, syntheticEntryPoint) };
  return [...(await bundling), ...(await bundleFunctions({ outDir: bundlesFolder, entryPoints }))];
}

/** Writes the assembly of the deployment that the context names. @throws {Error} one sentence. */
export async function synthesize(props: SynthesisProps): Promise<void> {
  const { outdir, bundlesFolder } = props;
  // The local stack neither deploys nor waits for them.
  const withCodeCaches = process.env.CODE_CACHES !== "none";
  const { app, settings } = openApp({
    context: CdkJson.parse(readJson("cdk.json")).context,
    outdir,
    stackTraces: withCodeCaches,
  });
  const codes = new Map<string, LaterCode>();
  const { service } = createServiceApp({
    app,
    settings,
    routes: routeGroups,
    version: PackageJson.parse(readJson("package.json")).version,
    codeOf: (name) => {
      const code = new LaterCode();
      codes.set(name, code);
      return code;
    },
  });
  const bundles = await bundlesOf(props, settings);
  const { name: architecture } = lambdaArchitecture;
  const maker = withCodeCaches
    ? await makeCodeCaches(
        bundles.map(({ folder }) => folder),
        { architecture, node: process.env.LAMBDA_NODE },
      )
    : undefined;
  for (const [name, code] of codes) {
    const bundle = bundles.find((made) => made.name === name);
    if (bundle === undefined) throw new Error(`functions/${name} has no index.ts`);
    code.place(await placeBundle(outdir, bundle, maker));
  }
  await rm(bundlesFolder, { recursive: true });
  // The rules take longer to load and check than the local stack's start has, and say nothing of how it works.
  if (process.env.CDK_VALIDATION !== "false") (await import("./check-with-nag.ts")).checkWithNag(app);
  // The CDK's command line sets it once it has credentials, without which nothing is deployed.
  if (process.env.CDK_DEFAULT_ACCOUNT !== undefined) await refuseEdgeJump(settings.edge, service.stackName);
  if (withCodeCaches && maker === undefined) {
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
