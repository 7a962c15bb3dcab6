import { setTimeout } from "node:timers/promises";
import {
  CloudWatchLogsClient,
  type CloudWatchLogsClientConfig,
  GetQueryResultsCommand,
  type ResultField,
  StartQueryCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import type { LogLine } from "../facts.ts";
import { functionIn, type LinesWanted, linesShown } from "./source.ts";

export interface LogsQuery extends LinesWanted {
  readonly logGroups: readonly string[];
}

/**
 * One query takes no more.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_StartQuery.html
 */
const logGroupsMax = 50;

/** This filter says of lines what `isRead` says. */
const notRead = 'filter not (message = "request" and method = "GET")';

/** Queries all functions' logs by Logs Insights. @throws {Error} when CloudWatch refuses it, or does not end it. */
export async function queryLogs(
  query: LogsQuery,
  config: CloudWatchLogsClientConfig,
): Promise<readonly LogLine[]> {
  const client = new CloudWatchLogsClient(config);
  try {
    const parts: Promise<readonly LogLine[]>[] = [];
    for (let at = 0; at < query.logGroups.length; at += logGroupsMax) {
      const logGroups = query.logGroups.slice(at, at + logGroupsMax);
      parts.push(queryPart(client, { ...query, logGroups }));
    }
    const lines = (await Promise.all(parts)).flat();
    return lines.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).slice(-linesShown);
  } finally {
    client.destroy();
  }
}

async function queryPart(
  client: CloudWatchLogsClient,
  { runId, fromMs, toMs, logGroups }: LogsQuery,
): Promise<readonly LogLine[]> {
  const { queryId } = await client.send(
    new StartQueryCommand({
      logGroupNames: [...logGroups],
      startTime: Math.floor(fromMs / 1_000),
      endTime: Math.ceil(toMs / 1_000),
      limit: linesShown,
      queryString: [
        `fields @timestamp, @log, @message | filter run_id = "${runId}"`,
        `${notRead} | sort @timestamp desc`,
      ].join(" | "),
    }),
  );
  for (;;) {
    const { status, results = [] } = await client.send(new GetQueryResultsCommand({ queryId }));
    if (status === "Complete") return results.map(lineOf).toReversed();
    if (status !== "Scheduled" && status !== "Running")
      throw new Error(`Logs Insights ended the query as ${status}; try again`);
    await setTimeout(500);
  }
}

function lineOf(row: readonly ResultField[]): LogLine {
  const fieldOf = (name: string) => row.find(({ field }) => field === name)?.value ?? "";
  const line = JSON.parse(fieldOf("@message")) as LogLine["fields"];
  return { at: fieldOf("@timestamp"), fields: { function: functionIn(fieldOf("@log")), ...line } };
}
