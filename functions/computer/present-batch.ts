import type { BatchResponse } from "../../shared/contract/computer/computer-batch.ts";
import type { Caller } from "../../shared/domain/access/caller.ts";
import type { Ids } from "../../shared/domain/clock.ts";
import type { ActionResult, Batch, BatchScreenshot } from "../../shared/domain/computer/batch.ts";
import { jsonAnswerBytesMax } from "../../shared/domain/computer/json-answer.ts";
import { fileLinkSeconds } from "../../shared/domain/computer/read-file.ts";
import { DomainError } from "../../shared/domain/errors.ts";
import type { FileStore } from "../../shared/domain/file-store.ts";

export interface PresentBatchDeps {
  readonly files: Pick<FileStore, "tunnelKey" | "put" | "presignGet">;
  readonly ids: Ids;
}

/** A picture that does not fit is sent as a link, made anew each time. @throws {DomainError} `answer_too_large` */
export async function presentBatch(
  deps: PresentBatchDeps,
  caller: Caller,
  { results, screenshot }: Batch,
): Promise<BatchResponse> {
  const presented = { results: results.map(presentResult) };
  const room = jsonAnswerBytesMax - Buffer.byteLength(JSON.stringify(presented));
  if (room < 0) {
    throw new DomainError(
      "answer_too_large",
      "what was copied does not fit a response; it was copied all the same: copy it in a call of its own",
    );
  }
  if (screenshot === undefined) return presented;
  return {
    ...presented,
    screenshot: screenshot && (await presentScreenshot(deps, caller, screenshot, room)),
  };
}

function presentResult({ type, status, error, answer }: ActionResult): BatchResponse["results"][number] {
  return { type, status, ...(error !== undefined && { error }), ...(answer && { answer }) };
}

/** Room for the screenshot's other fields. */
const frameBytes = 200;

async function presentScreenshot(
  { files, ids }: PresentBatchDeps,
  caller: Caller,
  { width, height, isSettled: settled, png }: BatchScreenshot,
  room: number,
): Promise<NonNullable<BatchResponse["screenshot"]>> {
  const screen = { width, height, settled };
  if (4 * Math.ceil(png.byteLength / 3) + frameBytes <= room) {
    return { ...screen, png: Buffer.from(png).toString("base64") };
  }
  const key = files.tunnelKey(caller.organizationId, ids.uuid7());
  await files.put(key, png, "image/png");
  const { url, expiresInSeconds } = await files.presignGet(key, {
    expiresInSeconds: fileLinkSeconds,
    filename: "screenshot.png",
  });
  return { ...screen, url, expires_in: expiresInSeconds };
}
