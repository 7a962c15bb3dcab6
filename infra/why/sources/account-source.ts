import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import {
  GetDurableExecutionHistoryCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListDurableExecutionsByFunctionCommand,
} from "@aws-sdk/client-lambda";
import type { OpenedTable } from "../../operator/open-table.ts";
import type { ExecutionHistory } from "../facts.ts";
import { queryLogs } from "./query-logs.ts";
import { eventsShown, type Source } from "./source.ts";

export interface AccountOptions {
  readonly deployment: string;
  readonly region: string;
}

/** The service stack's outputs name its functions and their logs, as the operations stack reads them. */
export async function openAccountSource(
  opened: OpenedTable,
  { deployment, region }: AccountOptions,
): Promise<Source> {
  const lambda = new LambdaClient({ region });
  const outputs = await readOutputs(deployment, region);
  const functions = namesIn(outputs.get("LookedUpFunctions"));
  const logGroups = [...namesIn(outputs.get("LookedUpLogGroups")).values()];
  const nameOf = (name: string): string => {
    const found = functions.get(name);
    if (found === undefined)
      throw new Error(`the service stack of "${deployment}" names no function ${name}`);
    return found;
  };
  return {
    opened,
    history: async (name) => await readHistory(lambda, nameOf("executor"), name),
    lines: async (wanted) => await queryLogs({ ...wanted, logGroups }, { region }),
    variables: async () => {
      const command = new GetFunctionConfigurationCommand({ FunctionName: nameOf("following") });
      return (await lambda.send(command)).Environment?.Variables ?? {};
    },
    close: () => {
      lambda.destroy();
      opened.client.destroy();
    },
  };
}

async function readOutputs(deployment: string, region: string): Promise<ReadonlyMap<string, string>> {
  const client = new CloudFormationClient({ region });
  try {
    const command = new DescribeStacksCommand({ StackName: `das-${deployment}-service` });
    const { Stacks: [stack] = [] } = await client.send(command);
    return new Map(
      (stack?.Outputs ?? []).map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]),
    );
  } finally {
    client.destroy();
  }
}

/** `|name=value|name=value|`, as `LookedUp` writes it. */
export function namesIn(output = ""): ReadonlyMap<string, string> {
  const pairs = output.split("|").filter((pair) => pair.includes("="));
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

export async function readHistory(
  lambda: Pick<LambdaClient, "send">,
  functionName: string,
  name: string,
): Promise<ExecutionHistory | undefined> {
  const list = { FunctionName: functionName, DurableExecutionName: name };
  const { DurableExecutions: [found] = [] } = await lambda.send(
    new ListDurableExecutionsByFunctionCommand(list),
  );
  const { DurableExecutionArn: arn, Status: status } = found ?? {};
  if (arn === undefined || status === undefined) return undefined;
  const { Events: newestFirst = [] } = await lambda.send(
    new GetDurableExecutionHistoryCommand({
      DurableExecutionArn: arn,
      // An invocation's error is part of it; the rest is ids and states.
      IncludeExecutionData: true,
      ReverseOrder: true,
      MaxItems: eventsShown,
    }),
  );
  const events = newestFirst.toReversed().map((event) => ({
    type: event.EventType ?? "",
    at: event.EventTimestamp?.toISOString() ?? "",
    name: event.Name ?? null,
    operationId: event.Id ?? null,
    isFailed: event.InvocationCompletedDetails?.Error !== undefined,
  }));
  return { arn, status, events };
}
