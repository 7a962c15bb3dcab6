import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import * as z from "zod";
import type { OpenedTable } from "../../operator/open-table.ts";
import type { LogLine } from "../facts.ts";
import { eventsShown, functionIn, isRead, type LinesWanted, linesShown, type Source } from "./source.ts";

export interface LocalStack {
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly logFile: string;
}

const Histories = z.object({
  items: z.array(
    z.object({
      arn: z.string(),
      status: z.string(),
      events: z.array(
        z.looseObject({
          EventType: z.string(),
          EventTimestamp: z.string(),
          Name: z.string().optional(),
          Id: z.string().optional(),
          InvocationCompletedDetails: z.looseObject({ Error: z.unknown().optional() }).optional(),
        }),
      ),
    }),
  ),
  ahead_ms: z.number(),
});

const Variables = z.record(z.string(), z.string());

/** Reads the control address and the log file of a stack on this machine. */
export function createLocalSource(opened: OpenedTable, stack: LocalStack): Source {
  const ask = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${stack.controlToken}` };
    const response = await fetch(`${stack.controlUrl}${path}`, { headers });
    if (!response.ok) throw new Error(`the local stack responds ${response.status} to ${path}`);
    return await response.json();
  };
  return {
    opened,
    history: async (name) => {
      const found = Histories.parse(await ask(`/durable/histories?name=${encodeURIComponent(name)}`));
      const [execution] = found.items;
      if (execution === undefined) return undefined;
      const events = execution.events.slice(-eventsShown).map((event) => ({
        type: event.EventType,
        at: new Date(Date.parse(event.EventTimestamp) - found.ahead_ms).toISOString(),
        name: event.Name ?? null,
        operationId: event.Id ?? null,
        isFailed: event.InvocationCompletedDetails?.Error !== undefined,
      }));
      return { arn: execution.arn, status: execution.status, events };
    },
    lines: async (wanted) => await readLines(stack.logFile, wanted),
    variables: async () => Variables.parse(await ask("/functions/following/variables")),
    close: () => opened.client.destroy(),
  };
}

const FileLine = z.object({
  at: z.string(),
  function: z.string(),
  line: z.looseObject({ run_id: z.string() }),
});

async function readLines(file: string, { runId, fromMs, toMs }: LinesWanted): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  for await (const text of createInterface({ input: createReadStream(file) })) {
    if (!text.includes(runId)) continue;
    const { data } = FileLine.safeParse(parseJson(text));
    if (data === undefined || data.line.run_id !== runId || isRead(data.line)) continue;
    const atMs = Date.parse(data.at);
    if (atMs < fromMs || atMs > toMs) continue;
    lines.push({ at: data.at, fields: { function: functionIn(data.function), ...data.line } });
    if (lines.length > linesShown) lines.shift();
  }
  return lines;
}

/** Returns undefined for the last line while it is being written. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
