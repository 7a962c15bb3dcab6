import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { CloudFormationStackArtifact } from "aws-cdk-lib/cx-api";
import * as z from "zod";
import { routeGroups } from "../../shared/contract/operations/all-operations.ts";
import { createServiceApp, openApp } from "../service-app.ts";
import type { Settings } from "../settings.ts";

const CdkJson = z.object({ context: z.record(z.string(), z.unknown()).default({}) });
const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
});

export interface WantedStack {
  readonly name: string;
  /** @default the session's */
  readonly region: string | undefined;
  readonly bootstrap: { readonly parameter: string; readonly versionMin: number };
  readonly resources: readonly { readonly type: string; readonly properties: Record<string, unknown> }[];
}

export interface Wanted {
  readonly settings: Settings;
  readonly stacks: readonly WantedStack[];
  readonly serviceStackName: string;
}

/** Synthesizes what a deployment would make, without the functions' code. @throws {Error} one sentence of a setting. */
export function readWanted(given: Readonly<Record<string, unknown>>): Wanted {
  const context = { ...CdkJson.parse(JSON.parse(readFileSync("cdk.json", "utf8"))).context, ...given };
  const outdir = mkdtempSync(join(tmpdir(), "das-check-"));
  try {
    const { app, settings } = openApp({ context, outdir });
    const { service } = createServiceApp({
      app,
      settings,
      routes: routeGroups,
      version: "check",
      codeOf: () => Code.fromInline("exports.handler = async () => {};"),
    });
    return { settings, stacks: app.synth().stacks.map(wantedStack), serviceStackName: service.stackName };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

function wantedStack(stack: CloudFormationStackArtifact): WantedStack {
  const { region } = stack.environment;
  return {
    name: stack.stackName,
    region: region.startsWith("unknown-") ? undefined : region,
    bootstrap: {
      parameter: stack.bootstrapStackVersionSsmParameter ?? "",
      versionMin: stack.requiresBootstrapStackVersion ?? 0,
    },
    resources: Object.values(Template.parse(stack.template).Resources).map(({ Type, Properties }) => ({
      type: Type,
      properties: Properties,
    })),
  };
}
