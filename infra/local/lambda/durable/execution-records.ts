import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { ErrorObject, OperationUpdate } from "./wire.ts";

export type ExecutionStatus = "RUNNING" | "SUCCEEDED" | "FAILED" | "TIMED_OUT" | "STOPPED";

export interface DurableExecutionInput {
  readonly id: string;
  readonly name: string;
  readonly functionAddress: string;
  readonly functionArn: string;
  readonly payload: string;
  readonly isAsync: boolean;
  readonly timeoutSeconds: number;
  readonly startedAtMs: number;
}

export interface Ending {
  readonly status: Exclude<ExecutionStatus, "RUNNING">;
  readonly atMs: number;
  readonly result?: string;
  readonly error?: ErrorObject;
}

export interface CompletedCallback {
  readonly operationId: string;
  readonly result?: string;
}

export type ExecutionRecord =
  | { readonly kind: "started"; readonly input: DurableExecutionInput }
  | { readonly kind: "updated"; readonly atMs: number; readonly updates: readonly OperationUpdate[] }
  | { readonly kind: "completed"; readonly atMs: number; readonly callback: CompletedCallback }
  | { readonly kind: "ended"; readonly ending: Ending };

export interface KeptExecution {
  readonly input: DurableExecutionInput;
  readonly records: readonly Exclude<ExecutionRecord, { readonly kind: "started" }>[];
}

export interface ExecutionRecords {
  /** Returns once the record would survive the end of this process. */
  append(executionId: string, record: ExecutionRecord): void;
  readAll(): readonly KeptExecution[];
  remove(executionId: string): void;
}

const extension = ".jsonl";

/** A killed process may leave an incomplete line, which is removed: its caller never got a response. */
export class ExecutionFiles implements ExecutionRecords {
  readonly #folder: string;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
  }

  append(executionId: string, record: ExecutionRecord): void {
    appendFileSync(this.#fileOf(executionId), `${JSON.stringify(record)}\n`, { mode: 0o600 });
  }

  readAll(): readonly KeptExecution[] {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith(extension))
      .flatMap((name) => this.#read(name.slice(0, -extension.length)) ?? [])
      .toSorted((a, b) => a.input.startedAtMs - b.input.startedAtMs);
  }

  remove(executionId: string): void {
    rmSync(this.#fileOf(executionId), { force: true });
  }

  #fileOf(executionId: string): string {
    return join(this.#folder, executionId + extension);
  }

  #read(executionId: string): KeptExecution | undefined {
    const file = this.#fileOf(executionId);
    const bytes = readFileSync(file);
    const end = bytes.lastIndexOf("\n") + 1;
    if (end < bytes.length) truncateSync(file, end);
    const lines = bytes.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
    const [first, ...records] = lines.map((line) => JSON.parse(line) as ExecutionRecord);
    if (first?.kind !== "started") {
      this.remove(executionId);
      return undefined;
    }
    return { input: first.input, records: records.filter((record) => record.kind !== "started") };
  }
}
