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
  /** The connection whose slot a whole answer gives back. @default none, for a call without a slot */
  readonly slotOf?: string | undefined;
  /** The driver needs no `received` for an answer of one part. @default false */
  readonly isUnacknowledged?: boolean;
}

const purpose = "tunnel-reply-to";

const Written = z.tuple([z.string().min(1), z.string().refine(isOrganizationId), z.string(), z.boolean()]);

/**
 * The text that a driver copies into its response: the address, and a MAC over it, socket and request id. With it the
 * response is stored, encrypted for its organization, and its slot given back without a read.
 *
 * Socket and id are not in the text: the gateway names the socket of a response, and the response names its request, so
 * a text made for others does not verify.
 */
export async function formatReplyTo(signer: Signer, address: ReplyAddress & ReplySender): Promise<string> {
  const { mailbox, organizationId, slotOf = "", isUnacknowledged = false } = address;
  const written = JSON.stringify([mailbox, organizationId, slotOf, isUnacknowledged]);
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
  const [mailbox, organizationId, slotOf, isUnacknowledged] = Written.parse(written);
  return { mailbox, organizationId, slotOf: slotOf === "" ? undefined : slotOf, isUnacknowledged };
}

/** The data is JSON, so that no choice of ids can move a character from one field into the next. */
function signedData(encoded: string, { websocketId, requestId }: ReplySender): string {
  return JSON.stringify([encoded, websocketId, requestId]);
}
