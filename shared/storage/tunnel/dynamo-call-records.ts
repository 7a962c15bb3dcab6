import type { EncryptedPlace } from "../../domain/encryption.ts";
import type {
  Arrival,
  CallAnswer,
  CallName,
  CallOutcome,
  CallRecords,
  CarriedAnswer,
  DesktopCall,
} from "../../domain/tunnel/call-records.ts";
import { callLeaseMs } from "../../domain/tunnel/call-slots.ts";
import { countedAfterMs } from "../../domain/tunnel/calls-under-way.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { allOf, type Condition, hasValue, isNew } from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import { callRecordKey } from "../table/keys.ts";
import { as, bytes, flag, maybe, number, row, withoutNulls } from "../table/row.ts";
import { answerAttemptMs, answerKeptSeconds, arrivalMs } from "./answer-limits.ts";
import { callRow } from "./call-row.ts";
import { type Sealed, seal, unseal } from "./sealed-answer.ts";

const isUnderWay: Condition = { expression: "attribute_not_exists(outcome)" };
const isUnanswered: Condition = { expression: "attribute_not_exists(status)" };

const answerRow = row<Omit<CarriedAnswer, keyof Sealed> & Sealed>("call_slot", {
  status: number,
  headers: maybe(bytes),
  body: maybe(bytes),
  uploaded: as("is_uploaded", flag),
});

const timedRow = callRow.pick("durationMs");

const inMailbox = "is_in_mailbox";
const lease = "lease_until_ms";

/** With facts of this length a `reply_to` is still one that every driver accepts. */
const factsLengthMax = 1_200;

/** A function that makes one call after the other never reads more, and may read no batch. */
const readAloneMax = 3;

export class DynamoCallRecords extends DynamoStore<StoreDeps> implements CallRecords {
  readonly #polled = this.table.withAttemptsOf(answerAttemptMs);
  readonly #arriving = this.table.withCallsOf(arrivalMs);

  async describe(call: DesktopCall): Promise<string | undefined> {
    const facts = Buffer.from(JSON.stringify(callRow.set(withLease(call))));
    const encrypted = await this.table.encryption.encrypt(placeOfFacts(call), facts);
    const text = Buffer.from(encrypted).toString("base64url");
    return text.length > factsLengthMax ? undefined : text;
  }

  async open(call: DesktopCall): Promise<void> {
    const opened = withLease(call);
    const key = callRecordKey(call);
    const outcome = await this.table.put({ ...key, ...callRow.write(opened), ttl: this.#ttl() }, isNew);
    // An item with the request's id is this write's own, whose response was lost.
    if (outcome.kind === "written" || outcome.item?.request_id !== undefined) return;
    const { leaseUntilMs, ...facts } = opened;
    const isOver = outcome.item?.outcome !== undefined;
    await this.table.update(key, { set: callRow.set({ ...facts, ...(!isOver && { leaseUntilMs }) }) });
  }

  async read(calls: readonly CallName[]): Promise<readonly CallAnswer[]> {
    const byKey = new Map(calls.map((call) => [callRecordKey(call).sk, call]));
    const answers = (await this.#items(calls)).map(async (item): Promise<CallAnswer | undefined> => {
      const call = byKey.get(String(item?.sk));
      if (item === undefined || call === undefined) return undefined;
      const isEnded = item.outcome !== undefined;
      if (item.status === undefined) return item[inMailbox] === undefined ? undefined : { ...call, isEnded };
      const { headers, body, ...answer } = answerRow.parse(item);
      const plain = await unseal(this.table.encryption, placeOf(call), { headers, body });
      return { ...call, ...timedRow.parse(item), answer: { ...answer, ...plain }, isEnded };
    });
    return (await Promise.all(answers)).filter((answer) => answer !== undefined);
  }

  async arrive(call: CallName, { facts, answer, outcome }: Arrival): Promise<boolean> {
    const key = callRecordKey(call);
    const { [lease]: leaseUntilMs, ...opened } = facts === undefined ? {} : await this.#read(call, facts);
    const set = {
      kind: "call_slot",
      ttl: this.#ttl(),
      ...opened,
      ...(answer ? await this.#carried(call, answer) : { [inMailbox]: true }),
      ...(outcome ? callRow.set({ ...outcome }) : leaseUntilMs !== undefined && { [lease]: leaseUntilMs }),
    };
    // The caller opens the record of a call that lasts. One that is not there is put, for which the table does less.
    if (facts !== undefined && outcome && outcome.durationMs < countedAfterMs) {
      const { kind } = await this.#arriving.put({ ...key, ...set }, isNew);
      if (kind === "written") return true;
    }
    const remove = outcome ? [lease] : [];
    return (
      (await this.#arriving.update(key, { set, remove }, allOf(isUnderWay, isUnanswered))).kind === "updated"
    );
  }

  async end(call: CallName, outcome: CallOutcome): Promise<void> {
    const change = { set: callRow.set({ ...outcome }), remove: [lease] };
    await this.table.update(callRecordKey(call), change, allOf(isOpened(call), isUnderWay));
  }

  async withdraw(call: CallName): Promise<void> {
    await this.table.update(callRecordKey(call), { remove: [lease] }, isOpened(call));
  }

  async note(call: DesktopCall, outcome: CallOutcome): Promise<void> {
    const ended = callRow.write({ ...call, ...outcome });
    await this.table.put({ ...callRecordKey(call), ...ended, ttl: this.#ttl() });
  }

  async #items(calls: readonly CallName[]): Promise<readonly (Item | undefined)[]> {
    const keys = calls.map(callRecordKey);
    if (keys.length > readAloneMax) return await this.#polled.batchGet(keys);
    return await Promise.all(keys.map(async (key) => await this.#polled.get(key)));
  }

  async #carried(call: CallName, { headers, body, ...answer }: CarriedAnswer): Promise<Item> {
    const sealed = await seal(this.table.encryption, placeOf(call), { headers, body });
    return answerRow.set({ ...answer, ...sealed });
  }

  async #read(call: CallName, facts: string): Promise<Item> {
    const encrypted = Buffer.from(facts, "base64url");
    const plain = await this.table.encryption.decrypt(placeOfFacts(call), encrypted);
    return withoutNulls(JSON.parse(Buffer.from(plain).toString("utf8")) as Item);
  }

  #ttl(): number {
    return Math.ceil(this.deps.clock.now() / 1_000) + answerKeptSeconds;
  }
}

function placeOf(call: CallName) {
  return { organizationId: call.organizationId, ...callRecordKey(call) };
}

function withLease(call: DesktopCall) {
  return { ...call, leaseUntilMs: call.takenAtMs + callLeaseMs };
}

function placeOfFacts(call: CallName): EncryptedPlace {
  return { ...placeOf(call), purpose: "call-facts" };
}

function isOpened({ requestId }: CallName): Condition {
  return hasValue("request_id", requestId);
}
