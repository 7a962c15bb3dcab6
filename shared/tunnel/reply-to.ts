import * as z from "zod";
import { isOrganizationId, type OrganizationId } from "../domain/organization-id.ts";
import type { Signer } from "../domain/signer.ts";

/** A request, and the socket that may answer it. */
export interface ReplySender {
  readonly websocketId: string;
  readonly requestId: string;
}

/** The destination of one request's answer, and the actions due when it arrives. */
export interface ReplyAddress {
  readonly mailbox: string;
  readonly organizationId: OrganizationId;
  /** The connection whose call the request is: its answer comes in the call's record. @default none, for what has none */
  readonly callOf?: string | undefined;
  /** The call's facts, with which the answer's writer opens the record, too. @default none, its caller opens it */
  readonly facts?: string | undefined;
  /** The caller looks into the mailbox for it, since it may be too large for the call's record. @default false */
  readonly isLarge?: boolean;
  /** The connection of a call whose caller is a function of the release before: goes with the next release. */
  readonly slotOf?: string | undefined;
  /** The driver needs no `received` for an answer of one part. @default false */
  readonly isUnacknowledged?: boolean;
}

const purpose = "tunnel-reply-to";

/** A function of the release before finds no slot of a connection with such a name, and puts the answer into the mailbox. */
const callText = /^(call|large|facts):([^:]*):?(.*)$/;

const Written = z.tuple([z.string().min(1), z.string().refine(isOrganizationId), z.string(), z.boolean()]);

/**
 * The text that a driver copies into its response: the address, and a MAC over it, socket and request id. With it the
 * response is stored, encrypted for its organization, and its call ended without a read.
 *
 * Socket and id are not in the text: the gateway names the socket of a response, and the response names its request, so
 * a text made for others does not verify.
 */
export async function formatReplyTo(signer: Signer, address: ReplyAddress & ReplySender): Promise<string> {
  const { mailbox, organizationId, isUnacknowledged = false } = address;
  const written = JSON.stringify([mailbox, organizationId, connectionText(address), isUnacknowledged]);
  const encoded = Buffer.from(written, "utf8").toString("base64url");
  return `${encoded}.${await signer.sign(purpose, signedData(encoded, address))}`;
}

/** Returns undefined when the text was forged, or made for another socket or request. */
export async function verifyReplyTo(
  signer: Signer,
  text: string,
  sender: ReplySender,
): Promise<ReplyAddress | undefined> {
  const [encoded = "", ...mac] = text.split(".");
  if (!(await signer.verify(purpose, signedData(encoded, sender), mac.join(".")))) return undefined;
  const written: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString("utf8"));
  const [mailbox, organizationId, connection, isUnacknowledged] = Written.parse(written);
  const address = { mailbox, organizationId, isUnacknowledged };
  const [, kind, callOf, facts] = callText.exec(connection) ?? [];
  if (kind === "facts") return { ...address, callOf, facts };
  if (callOf !== undefined) return { ...address, callOf, isLarge: kind === "large" };
  return connection === "" ? address : { ...address, slotOf: connection };
}

function connectionText({ callOf, facts, isLarge, slotOf = "" }: ReplyAddress): string {
  if (callOf === undefined) return slotOf;
  if (facts !== undefined) return `facts:${callOf}:${facts}`;
  return `${isLarge ? "large" : "call"}:${callOf}`;
}

/** The data is JSON, so that no choice of ids can move a character from one field into the next. */
function signedData(encoded: string, { websocketId, requestId }: ReplySender): string {
  return JSON.stringify([encoded, websocketId, requestId]);
}
