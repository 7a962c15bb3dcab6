import { readCloudAssembly } from "../../../infra/local/template/cloud-assembly.ts";
import { resolveStacks } from "../../../infra/local/template/stack-resolver.ts";
import { makeServiceApp, removeAssembly } from "../synthesize.ts";
import { readAlarms } from "./alarm-states.ts";
import { type MetricId, type Sample, samplesOfLine } from "./metrics.ts";

type Dimensions = Readonly<Record<string, string>>;

export type Emits = (name: string, value: number) => readonly Sample[];

export type Deployed = ReturnType<typeof deploy>;

export const deployment = "blue";

/**
 * The stacks as they are deployed, with each reference followed to the resource. A metric that only AWS emits is put by
 * all the sets of dimensions that AWS emits it by, so that an alarm by another set hears nothing.
 */
export function deploy(settings: Readonly<Record<string, unknown>>) {
  const { app } = makeServiceApp({ deployment, ...settings });
  const resources = resolveStacks(readCloudAssembly(app.synth().directory));
  removeAssembly(app);
  const find = (type: string, id: RegExp) => {
    const [only, another] = resources.filter(
      (each) => each.type === `AWS::${type}` && id.test(each.logicalId),
    );
    if (only === undefined || another !== undefined)
      throw new Error(`there is not exactly one ${type} ${id}`);
    return only;
  };
  const lambda = (name: string) =>
    find("Lambda::Function", new RegExp(`^${name.replaceAll("-", "")}Function[0-9A-F]{8}$`));
  const emits =
    (namespace: string, ...sets: readonly Dimensions[]): Emits =>
    (name, value) =>
      sets.map((dimensions) => ({ namespace, name, dimensions, value }));
  const { alarms, filters } = readAlarms(
    resources.filter(({ place }) => place.stackName.endsWith("-operations")),
  );
  return {
    alarms,
    functions: resources
      .filter(({ type }) => type === "AWS::Lambda::Function")
      .map(({ logicalId }) => logicalId.replace(/Function[0-9A-F]{8}$/, "")),
    /** Source: https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html */
    lambda(name: string): Emits {
      const FunctionName = lambda(name).ref;
      return emits("AWS/Lambda", { FunctionName }, { FunctionName, Resource: FunctionName }, {});
    },
    lambdaOfAccount: emits("AWS/Lambda", {}),
    mapping: (id: RegExp) =>
      emits("AWS/Lambda", { EventSourceMappingUUID: find("Lambda::EventSourceMapping", id).ref }),
    /** Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html */
    api(id: RegExp, Stage: string): Emits {
      const ApiId = find("ApiGatewayV2::Api", id).ref;
      return emits("AWS/ApiGateway", { ApiId }, { ApiId, Stage });
    },
    /** Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html */
    table: () => emits("AWS/DynamoDB", { TableName: find("DynamoDB::Table", /^Table$/).ref }),
    queue(id: RegExp): Emits {
      const QueueName = find("SQS::Queue", id).ref.split("/").at(-1) ?? "";
      return emits("AWS/SQS", { QueueName });
    },
    /** Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Synthetics_Canaries_metrics.html */
    canary: () => emits("CloudWatchSynthetics", { CanaryName: find("Synthetics::Canary", /./).ref }),
    /** Source: https://docs.aws.amazon.com/aws-backup/latest/devguide/cloudwatch.html */
    backups(): Emits {
      const BackupVaultName = String(find("Backup::BackupVault", /./).attribute("BackupVaultName"));
      return emits("AWS/Backup", { BackupVaultName }, { BackupVaultName, ResourceType: "DynamoDB" });
    },
    /** Returns the metrics that CloudWatch makes of lines in the log of a function. */
    lines(of: string, lines: readonly string[]): Sample[] {
      const group = Object(lambda(of).properties.LoggingConfig).LogGroup;
      return lines.flatMap((line) => samplesOfLine(line, group, filters));
    },
  };
}

export function idsOf(samples: readonly Sample[]): readonly MetricId[] {
  return samples.map(({ value: _, ...id }) => id);
}
