import {
  type ActionStatus,
  copiedBytesMax,
  type DesktopActionType,
  pictureBytesMax,
} from "../../vocabulary/drivers.ts";
import { DomainError } from "../errors.ts";
import type { FileStore } from "../file-store.ts";
import { sizeOfPng } from "../picture/png.ts";
import { type JsonAnswer, readJsonAnswer } from "./json-answer.ts";
import { requireReadable } from "./take-screenshot.ts";

export type BatchAction =
  | { readonly type: "wait"; readonly seconds: number; readonly target?: string | undefined }
  | { readonly type: DesktopActionType; readonly [field: string]: unknown };

export interface ActionResult {
  readonly type: BatchAction["type"];
  readonly status: ActionStatus;
  readonly error?: string;
  /** The text that `copy_to_clipboard` copied, under the name that its `text` gives. */
  readonly answer?: Readonly<Record<string, string>>;
}

export interface BatchScreenshot {
  readonly width: number;
  readonly height: number;
  readonly isSettled: boolean;
  readonly png: Uint8Array;
}

export interface Batch {
  readonly results: readonly ActionResult[];
  /** Undefined if no screenshot was requested, null if none could be taken. */
  readonly screenshot?: BatchScreenshot | null;
}

/** The bound has room for the picture in base64 and the results. */
export const batchAnswerBytesMax = (4 * pictureBytesMax) / 3 + 2_000_000;

const errorCharsMax = 2_000;

/** Reads the result of `performBatch`, fresh or recorded. @throws {DomainError} `driver_failed` */
export async function readBatch(
  files: FileStore,
  actions: readonly BatchAction[],
  answer: JsonAnswer,
): Promise<Batch> {
  const { results, screenshot } = fieldsOf(await readJsonAnswer(files, answer, batchAnswerBytesMax));
  if (!Array.isArray(results) || results.length !== actions.length) throw notABatch();
  return {
    results: actions.map((action, index) => resultOf(action, fieldsOf(results[index]))),
    ...(screenshot !== undefined && { screenshot: screenshotOf(fieldsOf(screenshot)) }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function resultOf(action: BatchAction, { status, error, answer }: Fields): ActionResult {
  const { type, text }: Fields & Pick<BatchAction, "type"> = action;
  switch (status) {
    case "skipped":
      return { type, status };
    case "failed":
      return { type, status, error: String(error ?? "the driver did not say why").slice(0, errorCharsMax) };
    case "done":
      return type === "copy_to_clipboard"
        ? { type, status, answer: copiedOf(String(text), fieldsOf(answer)) }
        : { type, status };
    default:
      throw notABatch();
  }
}

function copiedOf(name: string, answer: Fields): Readonly<Record<string, string>> {
  const copied = answer[name];
  if (typeof copied !== "string" || Buffer.byteLength(copied) > copiedBytesMax) throw notABatch();
  return { [name]: copied };
}

function screenshotOf({ png: text, settled }: Fields): BatchScreenshot | null {
  if (typeof text !== "string") return null;
  const png = Buffer.from(text, "base64");
  const size = sizeOfPng(png);
  if (size === undefined) return null;
  requireReadable(size);
  return { ...size, isSettled: settled === true, png };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function notABatch(): DomainError {
  return new DomainError(
    "driver_failed",
    "the machine's driver returned something else than a batch's results",
  );
}
