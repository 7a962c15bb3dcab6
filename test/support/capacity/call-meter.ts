import { setTimeout as pause } from "node:timers/promises";
import { BatchGetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import type { CallObserver, ObservedCall } from "../../../infra/local/aws/request-handler.ts";
import { countedAfterMs } from "../../../shared/domain/tunnel/calls-under-way.ts";
import { mailboxPartition } from "../../../shared/storage/table/keys.ts";
import type { Attributes } from "../dynamo-model/attribute-values.ts";
import { idOf } from "../dynamo-model/stored-items.ts";
import type { TestTable } from "../table.ts";
import { type Capacity, capacityOf, keysOf, type TableCall } from "./capacity.ts";

/** A call with the units that it uses, and when it came and was passed on, in milliseconds. */
export interface MeteredCall extends Capacity, Omit<ObservedCall, "body"> {
  readonly fromMs: number;
  readonly toMs: number;
  /** The call writes a desktop's answer, for which the caller waits. @default false */
  readonly hasAnswer?: boolean;
}

/**
 * Calls wait before and after they are done, so that two that are sent at once overlap, whatever else the machine does,
 * and the next one comes clearly after what the last one has brought about.
 */
const waitMs = { before: 80, after: 20 } as const;

/** Meters the calls of a local stack's functions. */
export class CallMeter {
  readonly #calls: MeteredCall[] = [];
  readonly #responses = new Map<
    string,
    { readonly look: MeteredCall; readonly queried: readonly Attributes[] }
  >();
  #table: TestTable | undefined;

  /** Meters from now on. */
  start(table: TestTable): void {
    this.#table = table;
  }

  /** Takes the calls since the last time. */
  take(): readonly MeteredCall[] {
    this.#responses.clear();
    return this.#calls.splice(0);
  }

  readonly observe: CallObserver = async ({ body, ...call }, perform) => {
    // A stream is read by Lambda, in the function's name and for nothing.
    const isOwn = call.functionName !== "admin" && call.service !== "dynamodb-streams";
    if (this.#table === undefined || !isOwn) return await perform();
    const fromMs = performance.now();
    const asked = {
      operation: call.operation,
      input: call.service === "dynamodb" ? JSON.parse(`${body}`) : {},
    };
    if (isLook(asked)) return await this.#look(this.#table, call, asked, perform);
    // Written for a call that lasts half a second, which on a busy machine any does.
    if (isOfLastingCall(asked)) return await perform();
    // An instance remembers for two seconds that nobody looks, so this comes by chance.
    if (isReadOfViewers(asked)) return await perform();
    await pause(waitMs.before);
    const [before, queried] = [await itemsOf(this.#table, asked), await queriedBy(this.#table, asked)];
    const toMs = performance.now();
    const answer = await perform();
    const after = await itemsOf(this.#table, asked);
    const units = call.service === "dynamodb" ? capacityOf(asked, { before, after, queried }) : noUnits;
    this.#calls.push({ ...call, ...units, fromMs, toMs, hasAnswer: hasAnswer(asked) });
    await pause(waitMs.after);
    return answer;
  };

  /**
   * How often a record or a mailbox is looked into depends on the time that a desktop takes. What counts is one look for
   * each response, which finds all of its parts at the time at which the last one is found.
   */
  async #look(
    table: TestTable,
    call: Omit<ObservedCall, "body">,
    asked: TableCall,
    perform: Parameters<CallObserver>[1],
  ): ReturnType<CallObserver> {
    const answer = await perform();
    const atMs = performance.now();
    if (asked.operation !== "Query") {
      if (!/"(status|is_in_mailbox)":/.test(String(answer.body))) return answer;
      const units = capacityOf(asked, { before: await itemsOf(table, asked), after: [], queried: [] });
      this.#calls.push({ ...call, ...units, fromMs: atMs, toMs: atMs });
      return answer;
    }
    const parts = JSON.parse(String(answer.body)).Count > 0 ? await queriedBy(table, asked) : [];
    for (const [response, found] of Map.groupBy(parts, ({ sk }) => `${sk?.S}`.replace(/#\d+$/, ""))) {
      const known = this.#responses.get(response);
      const queried = [
        ...new Map([...(known?.queried ?? []), ...found].map((part) => [idOf(part), part])).values(),
      ];
      if (known) this.#calls.splice(this.#calls.indexOf(known.look), 1);
      const units = capacityOf(asked, { before: [], after: [], queried });
      const look = { ...call, ...units, fromMs: atMs, toMs: atMs };
      this.#responses.set(response, { look, queried });
      this.#calls.push(look);
    }
    return answer;
  }
}

const callRecords = '#CALL_SLOTS"';
const noUnits: Capacity = { reads: 0, writes: 0 };

/** The greatest number of calls of which each came after the one before was passed on. */
export function inARow(calls: readonly MeteredCall[]): number {
  let count = 0;
  let passedMs = Number.NEGATIVE_INFINITY;
  for (const { fromMs, toMs } of calls.toSorted((a, b) => a.toMs - b.toMs)) {
    if (fromMs < passedMs) continue;
    count += 1;
    passedMs = toMs;
  }
  return count;
}

function isLook({ operation, input }: TableCall): boolean {
  const text = JSON.stringify(input);
  if (operation === "Query") return text.includes(`"${mailboxPartition("")}`);
  return /^(Batch)?GetItem$/.test(operation) && text.includes(callRecords);
}

/** The call is put on record, counted, and takes a slot or gives it back, whose key ends with its number. */
function isOfLastingCall({ operation, input }: TableCall): boolean {
  const text = JSON.stringify(input);
  if (isOpenedLate(operation, text)) return true;
  if (text.includes(callRecords)) return operation !== "GetItem" && /#[0-3]"/.test(text);
  return operation === "UpdateItem" && text.includes("calls_under_way");
}

/** One that is opened at once is opened right after the call was taken. */
function isOpenedLate(operation: string, text: string): boolean {
  const [, takenAtMs] = /"taken_at_ms":\{"N":"(\d+)"\}/.exec(text) ?? [];
  const isOpened = operation === "PutItem" && text.includes("lease_until_ms");
  return isOpened && Date.now() - Number(takenAtMs) >= countedAfterMs;
}

function hasAnswer({ operation, input }: TableCall): boolean {
  return /^(Put|Update)Item$/.test(operation) && JSON.stringify(input).includes("is_uploaded");
}

function isReadOfViewers({ operation, input }: TableCall): boolean {
  return operation === "Query" && /"ORG#[^"]*#VIEWERS"/.test(JSON.stringify(input));
}

async function itemsOf({ client, tableName }: TestTable, call: TableCall) {
  const Keys = [...keysOf(call)];
  if (Keys.length === 0) return [];
  const RequestItems = { [tableName]: { Keys, ConsistentRead: true } };
  const { Responses = {} } = await client.send(new BatchGetItemCommand({ RequestItems }));
  const found = new Map(Responses[tableName]?.map((item) => [idOf(item), item]));
  return Keys.map((key) => found.get(idOf(key)));
}

async function queriedBy({ client }: TestTable, { operation, input }: TableCall) {
  if (operation !== "Query") return [];
  const { Select: _, ...rest } = input as QueryCommand["input"];
  return (await client.send(new QueryCommand(rest))).Items ?? [];
}
