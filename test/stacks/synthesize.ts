import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { Stack } from "aws-cdk-lib/core";
import { createServiceApp, openApp, type ServiceApp } from "../../infra/service-app.ts";
import {
  type RouteGroup,
  type Routes,
  routeGroups,
} from "../../shared/contract/operations/all-operations.ts";

/** A resource of a template, with the fields that the tests read. */
export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes, and a wrong path fails its test
  readonly Properties: any;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: unknown;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown; readonly Export?: unknown }>>;
}

/** The first operation of each group, and one with a parameter, stand for all; `every-operation.test.ts` checks the full list. */
export const sampleRoutes = mapRoutes((group, operations) =>
  operations.slice(0, group === "machines" ? 3 : 1),
);

function mapRoutes(sample: (group: string, operations: Routes[RouteGroup]) => Routes[RouteGroup]): Routes {
  const sampled: Partial<Record<RouteGroup, Routes[RouteGroup]>> = {};
  for (const group of Object.keys(routeGroups) as RouteGroup[])
    sampled[group] = sample(group, routeGroups[group]);
  return sampled as Routes;
}

/** The app with the flags of `cdk.json`, without bundled code, not yet synthesized. */
export function makeServiceApp(settings: Record<string, unknown> = {}, routes = sampleRoutes): ServiceApp {
  const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));
  const opened = openApp({
    context: { ...context, "aws:cdk:disable-stack-trace": true, ...settings },
    outdir: mkdtempSync(join(tmpdir(), "das-synthesis-")),
  });
  return createServiceApp({
    ...opened,
    routes,
    version: "1.2.3",
    codeOf: () => Code.fromInline("exports.handler = async () => {};"),
  });
}

export function templatesOf({
  app,
  ...stacks
}: ServiceApp): Readonly<Record<"data" | "service" | "operations", Template>> {
  const assembly = app.synth();
  const template = ({ artifactId }: Stack): Template => assembly.getStackArtifact(artifactId).template;
  const templates = {
    data: template(stacks.data),
    service: template(stacks.service),
    operations: template(stacks.operations),
  };
  removeAssembly(app);
  return templates;
}

/** Removes the assembly of a failed synthesis; `templatesOf` does so after a successful one. */
export function removeAssembly(app: ServiceApp["app"]): void {
  rmSync(app.outdir, { recursive: true, force: true });
}

export function resourcesOf(template: Template, type: string): readonly Resource[] {
  return Object.values(template.Resources).filter((resource) => resource.Type === type);
}

/** The one resource of that type. */
export function resourceOf(template: Template, type: string): Resource {
  const [only, ...others] = resourcesOf(template, type);
  if (only === undefined || others.length > 0) throw new Error(`there is not exactly one ${type}`);
  return only;
}

export interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

export interface FunctionGrants {
  readonly name: string;
  readonly statements: readonly Statement[];
}

export function grantsOf(template: Template): readonly FunctionGrants[] {
  return Object.values(template.Resources)
    .filter((resource) => resource.Type === "AWS::Lambda::Function")
    .map((resource) => {
      const role: string = resource.Properties.Role["Fn::GetAtt"][0];
      const statements = resourcesOf(template, "AWS::IAM::Policy")
        .filter((policy) => policy.Properties.Roles.some((each: { Ref: string }) => each.Ref === role))
        .flatMap((policy): Statement[] => policy.Properties.PolicyDocument.Statement);
      return { name: role.replace(/Role[0-9A-F]{8}$/, ""), statements };
    });
}

export function listOf<T>(oneOrMany: T | readonly T[]): readonly T[] {
  return Array.isArray(oneOrMany) ? (oneOrMany as readonly T[]) : [oneOrMany as T];
}

/** Whether a statement's resources are the table or its indexes, not its stream. */
export function isOnTable(resource: unknown): boolean {
  return JSON.stringify(resource).includes("ExportsOutputFnGetAttTableArn");
}
