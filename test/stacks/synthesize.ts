import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code } from "aws-cdk-lib/aws-lambda";
import { createServiceApp, type ServiceApp } from "../../infra/service-app.ts";
import type { Routes } from "../../shared/contract/operations/all-operations.ts";

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

/** Two operations with one parameter stand for all; `every-operation.test.ts` checks the full list. */
export const sampleRoutes: Routes = {
  health: [{ method: "GET", path: "/v1/health" }],
  "machine-health": [{ method: "GET", path: "/health/machines" }],
  machines: [
    { method: "GET", path: "/v1/machines/{machine_id}" },
    { method: "PATCH", path: "/v1/machines/{machine_id}" },
  ],
  computer: [{ method: "POST", path: "/v1/computer/{machine_id}/input/mouse/scroll" }],
  driver: [{ method: "POST", path: "/api/driver/connection-token" }],
  logs: [{ method: "GET", path: "/v1/audit-events" }],
  docs: [{ method: "GET", path: "/openapi.json" }],
  connections: [{ method: "GET", path: "/v1/connections" }],
  pools: [{ method: "GET", path: "/v1/pools" }],
  workflows: [{ method: "GET", path: "/v1/workflows/{workflow_id}" }],
  runs: [{ method: "GET", path: "/v1/runs" }],
  trajectories: [{ method: "GET", path: "/v1/trajectories" }],
  "run-attachments": [{ method: "GET", path: "/v1/run-attachments" }],
  "model-configurations": [{ method: "GET", path: "/v1/model-configurations" }],
  "api-keys": [{ method: "GET", path: "/v1/api-keys" }],
  webhooks: [{ method: "GET", path: "/v1/webhook-endpoints" }],
  "workflow-tags": [{ method: "POST", path: "/v1/workflow-tags/{tag_id}/archive" }],
  "provider-credentials": [{ method: "GET", path: "/v1/provider-credentials/{slot}" }],
};

/** The app with the flags of `cdk.json`, without bundled code, not yet synthesized. */
export function makeServiceApp(settings: Record<string, unknown> = {}, routes = sampleRoutes): ServiceApp {
  const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));
  return createServiceApp({
    context: { ...context, "aws:cdk:disable-stack-trace": true, ...settings },
    routes,
    version: "1.2.3",
    codeOf: () => Code.fromInline("exports.handler = async () => {};"),
    outdir: mkdtempSync(join(tmpdir(), "das-synthesis-")),
  });
}

/** Synthesizes and reads the three templates; throws when a rule of cdk-nag finds something. */
export function templatesOf({
  app,
}: ServiceApp): Readonly<Record<"data" | "service" | "operations", Template>> {
  const assembly = app.synth();
  const template = (id: string): Template => assembly.getStackArtifact(id).template;
  const templates = {
    data: template("data"),
    service: template("service"),
    operations: template("operations"),
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

/** The permissions of each function, from the policies of its role. */
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
