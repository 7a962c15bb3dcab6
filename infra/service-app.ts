import type { Code } from "aws-cdk-lib/aws-lambda";
import { App } from "aws-cdk-lib/core";
import { DISABLE_CREATION_STACK_TRACES } from "aws-cdk-lib/cx-api";
import type { Routes } from "../shared/contract/operations/all-operations.ts";
import { parseSettings, type Settings } from "./settings.ts";
import { CostsStack } from "./stacks/costs.ts";
import { DataStack } from "./stacks/data.ts";
import { EdgeStack } from "./stacks/edge.ts";
import { OperationsStack } from "./stacks/operations.ts";
import { ServiceStack } from "./stacks/service.ts";

export interface OpenAppProps {
  readonly context: Readonly<Record<string, unknown>>;
  /** @default the CDK's own */
  readonly outdir?: string;
  /** Each construct keeps the place where it was made, for the CDK's command line. @default true */
  readonly stackTraces?: boolean;
}

export interface OpenApp {
  readonly app: App;
  readonly settings: Settings;
}

export interface ServiceAppProps extends OpenApp {
  readonly routes: Routes;
  readonly version: string;
  readonly codeOf: (name: string) => Code;
}

export interface ServiceApp extends OpenApp {
  readonly data: DataStack;
  readonly edge: EdgeStack | undefined;
  readonly service: ServiceStack;
  readonly operations: OperationsStack;
}

/** An app without stacks, whose settings say which code they need. @throws {Error} one sentence. */
export function openApp({ context, outdir, stackTraces = true }: OpenAppProps): OpenApp {
  const app = new App({
    context: { ...context, ...(stackTraces ? {} : { [DISABLE_CREATION_STACK_TRACES]: true }) },
    analyticsReporting: false,
    treeMetadata: false,
    stackTraces,
    ...(outdir === undefined ? {} : { outdir }),
  });
  // The command line's context has been merged into the app's by now.
  return { app, settings: parseSettings(app.node.getAllContext() as Record<string, unknown>) };
}

/** The stacks have no account and no Region, so that one synthesis fits all. @throws {Error} one sentence. */
export function createServiceApp(props: ServiceAppProps): ServiceApp {
  const { app, settings } = props;
  // CDK derives physical names from a stack's id, so the ids of two deployments must differ, too.
  const idOf = (name: string) => `das-${settings.deployment}-${name}`;
  // CloudFormation hands a stack's tags on to its resources.
  const tags = { service: "desktop-automation-service", deployment: settings.deployment };
  const data = new DataStack(app, idOf("data"), { tags, settings });
  const edge =
    settings.edge !== "none"
      ? new EdgeStack(app, idOf("edge"), { tags, requestsPerMinute: settings.edgeAddressRateLimit })
      : undefined;
  const service = new ServiceStack(app, idOf("service"), {
    tags,
    data,
    edge,
    settings,
    routes: props.routes,
    version: props.version,
    codeOf: props.codeOf,
  });
  const operations = new OperationsStack(app, idOf("operations"), { tags, data, service, settings });
  const { costAnomalyMonitorArn: monitorArn } = settings;
  if (monitorArn !== undefined) new CostsStack(app, idOf("costs"), { tags, monitorArn, settings });
  return { app, settings, data, edge, service, operations };
}
