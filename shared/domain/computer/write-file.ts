import type { FileWriteMode } from "../../vocabulary/drivers.ts";
import type { Caller } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import { type ActionIdentity, callDriver } from "../tunnel/call-driver.ts";
import type { ComputerDeps } from "./computer-deps.ts";
import { jsonBody } from "./forward-action.ts";
import { getDesktop } from "./get-desktop.ts";
import { type JsonAnswer, jsonAnswer } from "./json-answer.ts";

export interface WriteFileInput {
  readonly machineId: string;
  readonly path: string;
  readonly mode: FileWriteMode;
  readonly source:
    | { readonly kind: "content"; readonly base64: string }
    | { readonly kind: "upload"; readonly uploadId: string }
    /** An object of the bucket, whose transfer may take longer than a call. */
    | { readonly kind: "object"; readonly key: string };
}

/** An upload goes directly from the bucket to the driver. @throws {DomainError} `not_found` where none was made */
export async function writeFile(
  deps: ComputerDeps,
  caller: Caller,
  input: WriteFileInput,
  idempotency?: ActionIdentity,
): Promise<JsonAnswer> {
  const desktop = await getDesktop(deps, caller, input.machineId, "act");
  const call = {
    ...desktop,
    method: "POST",
    path: "/computer/fs/write",
    idempotency,
  } as const;
  if (input.source.kind === "content") {
    const body = jsonBody({ path: input.path, mode: input.mode, content: input.source.base64 });
    return jsonAnswer(await callDriver(deps, { ...call, ...body }));
  }
  const { source } = input;
  const bodyKey =
    source.kind === "object" ? source.key : deps.files.uploadKey(caller.organizationId, source.uploadId);
  if ((await deps.files.size(bodyKey)) === undefined) {
    throw new DomainError(
      "not_found",
      source.kind === "object"
        ? "its file is not there: it was never uploaded, or it was deleted"
        : `nothing has been put under upload_id ${source.uploadId}, or it has expired`,
    );
  }
  const reply = await callDriver(deps, {
    ...call,
    query: new URLSearchParams({ path: input.path, mode: input.mode }).toString(),
    headers: { "content-type": "application/octet-stream" },
    bodyKey,
    isLongTransfer: source.kind === "object",
  });
  return jsonAnswer(reply);
}
