import { setTimeout } from "node:timers/promises";
import { HttpRequest } from "@smithy/core/protocols";
import { Hash } from "@smithy/core/serde";
import { SignatureV4 } from "@smithy/signature-v4";
import * as z from "zod";
import type { LogLine } from "../facts.ts";
import { functionIn, type LinesWanted, linesShown } from "./source.ts";

export interface LogsQuery extends LinesWanted {
  readonly logGroups: readonly string[];
  readonly region: string;
  readonly credentials: ConstructorParameters<typeof SignatureV4>[0]["credentials"];
  /** @default CloudWatch's of the Region */
  readonly url?: string;
}

/**
 * One query takes no more.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_StartQuery.html
 */
const logGroupsMax = 50;

/** This filter says of lines what `isRead` says. */
const notRead = 'filter not (message = "request" and method = "GET")';

const Started = z.object({ queryId: z.string() });
const Results = z.object({
  status: z.string(),
  results: z.array(z.array(z.object({ field: z.string(), value: z.string() }))).default([]),
});

/** Queries all functions' logs by Logs Insights. @throws {Error} when CloudWatch refuses it. */
export async function queryLogs(query: LogsQuery): Promise<readonly LogLine[]> {
  const parts: Promise<readonly LogLine[]>[] = [];
  for (let at = 0; at < query.logGroups.length; at += logGroupsMax) {
    parts.push(queryPart({ ...query, logGroups: query.logGroups.slice(at, at + logGroupsMax) }));
  }
  const lines = (await Promise.all(parts)).flat();
  return lines.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).slice(-linesShown);
}

async function queryPart(query: LogsQuery): Promise<readonly LogLine[]> {
  const { runId, fromMs, toMs, logGroups } = query;
  const { queryId } = Started.parse(
    await call(query, "StartQuery", {
      logGroupNames: logGroups,
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
    const { status, results } = Results.parse(await call(query, "GetQueryResults", { queryId }));
    if (status !== "Scheduled" && status !== "Running") return results.map(lineOf).toReversed();
    await setTimeout(500);
  }
}

function lineOf(row: z.output<typeof Results>["results"][number]): LogLine {
  const fieldOf = (name: string) => row.find(({ field }) => field === name)?.value ?? "";
  const line = JSON.parse(fieldOf("@message")) as LogLine["fields"];
  return { at: fieldOf("@timestamp"), fields: { function: functionIn(fieldOf("@log")), ...line } };
}

/** The one service that is called here and has no client among the packages. */
async function call(query: LogsQuery, operation: string, input: object): Promise<unknown> {
  const { region, credentials, url = `https://logs.${region}.amazonaws.com/` } = query;
  const { host, hostname, pathname: path, protocol } = new URL(url);
  const sha256 = Hash.bind(null, "sha256");
  const signer = new SignatureV4({ credentials, region, service: "logs", sha256 });
  const headers = {
    host,
    "content-type": "application/x-amz-json-1.1",
    "x-amz-target": `Logs_20140328.${operation}`,
  };
  const body = JSON.stringify(input);
  const request = new HttpRequest({ method: "POST", protocol, hostname, path, headers, body });
  const { host: _host, ...signed } = (await signer.sign(request)).headers;
  const response = await fetch(url, { method: "POST", headers: signed, body });
  if (response.ok) return await response.json();
  throw new Error(`CloudWatch refuses ${operation}: ${(await response.text()).slice(0, 300)}`);
}
