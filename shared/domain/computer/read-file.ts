import type { FileReadForm } from "../../vocabulary/drivers.ts";
import type { Caller } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import type { PresignedRequest } from "../file-store.ts";
import { type ActionIdentity, callDriver, type DriverCall } from "../tunnel/call-driver.ts";
import type { DriverReply } from "../tunnel/driver-channel.ts";
import type { ComputerDeps } from "./computer-deps.ts";
import { getDesktop } from "./get-desktop.ts";
import { type JsonAnswer, jsonAnswer, jsonAnswerBytesMax } from "./json-answer.ts";

export const fileLinkSeconds = 300;

export interface ReadFileInput {
  readonly machineId: string;
  readonly path: string;
}

export interface ReadFileTo extends ReadFileInput {
  readonly key: string;
}

export interface FileLink {
  readonly sizeBytes: number;
  readonly link: PresignedRequest;
}

/** Returns the driver's JSON: path, content in base64, size. @throws {DomainError} `answer_too_large` above 4 MB */
export async function readFileInline(
  deps: ComputerDeps,
  caller: Caller,
  input: ReadFileInput,
): Promise<JsonAnswer> {
  const reply = await fetchFile(
    deps,
    caller,
    input,
    "inline",
    "at most 4 MB fit a response: read it with as=url",
  );
  if (reply.kind === "stored" && reply.sizeBytes > jsonAnswerBytesMax) {
    throw new DomainError("answer_too_large", "at most 4 MB fit a response: read it with as=url");
  }
  return jsonAnswer(reply);
}

/** The driver fills the bucket, so no Lambda holds the bytes. @throws {DomainError} `answer_too_large` above 100 MB */
export async function readFileAsLink(
  deps: ComputerDeps,
  caller: Caller,
  input: ReadFileInput,
): Promise<FileLink> {
  const reply = await fetchFile(
    deps,
    caller,
    input,
    "url",
    "as=url takes at most 100 MB: read it in pieces, for example with shell/exec",
  );
  const key =
    reply.kind === "stored" ? reply.key : deps.files.tunnelKey(caller.organizationId, deps.ids.uuid7());
  const sizeBytes = await inBucket(deps, key, reply);
  const filename = input.path.split(/[\\/]/).at(-1) || "file";
  return {
    sizeBytes,
    link: await deps.files.presignGet(key, { expiresInSeconds: fileLinkSeconds, filename }),
  };
}

/**
 * Puts the file into the bucket unless it is there: a transfer may continue after a call that was too short for it.
 *
 * @returns its size in bytes.
 * @throws {DomainError} `answer_too_large` above 100 MB.
 */
export async function readFileTo(
  deps: ComputerDeps,
  caller: Caller,
  { key, ...input }: ReadFileTo,
  idempotency: ActionIdentity,
): Promise<number> {
  const there = await deps.files.size(key);
  if (there !== undefined) return there;
  const long = { answerKey: key, idempotency, isLongTransfer: true };
  const reply = await fetchFile(deps, caller, input, "url", "at most 100 MB are taken", long);
  return await inBucket(deps, key, reply);
}

async function fetchFile(
  deps: ComputerDeps,
  caller: Caller,
  input: ReadFileInput,
  as: FileReadForm,
  tooLarge: string,
  rest: Pick<DriverCall, "answerKey" | "idempotency" | "isLongTransfer"> = {},
): Promise<DriverReply> {
  const call: DriverCall = {
    ...(await getDesktop(deps, caller, input.machineId, "act")),
    method: "GET",
    path: "/computer/fs/read",
    query: new URLSearchParams({ path: input.path, as }).toString(),
    largeResponse: true,
    ...rest,
  };
  try {
    return await callDriver(deps, call);
  } catch (error) {
    if (error instanceof DomainError && error.driverStatus === 413) {
      throw new DomainError("answer_too_large", tooLarge, { details: error.details, cause: error });
    }
    throw error;
  }
}

/** A small file comes through the tunnel and is then put into the bucket. */
async function inBucket(deps: Pick<ComputerDeps, "files">, key: string, reply: DriverReply): Promise<number> {
  if (reply.kind === "stored") return reply.sizeBytes;
  await deps.files.put(key, reply.body, "application/octet-stream");
  return reply.body.length;
}
