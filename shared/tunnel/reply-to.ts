import { isOrganizationId, type OrganizationId } from "../domain/organization-id.ts";
import type { Signer } from "../domain/signer.ts";

/** Where one request's answer belongs: this mailbox of this organization, from this socket, under this id. */
export interface ReplyAddress {
  readonly mailbox: string;
  readonly organizationId: OrganizationId;
  readonly websocketId: string;
  readonly requestId: string;
}

const purpose = "tunnel-reply-to";

/**
 * The text that a driver copies into its response: the mailbox, the organization, and a MAC over them, socket and
 * request id. So the response is stored, encrypted for its organization, without a read.
 *
 * Socket and id are not in the text: the gateway names the socket of a response, and the response names its request, so
 * a text made for others does not verify.
 */
export async function formatReplyTo(signer: Signer, address: ReplyAddress): Promise<string> {
  const organization = Buffer.from(address.organizationId, "utf8").toString("base64url");
  return `${address.mailbox}.${organization}.${await signer.sign(purpose, signedData(address))}`;
}

/** Mailbox and organization of a response; undefined when the text was forged, or made for another socket or request. */
export async function verifyReplyTo(
  signer: Signer,
  text: string,
  sender: Pick<ReplyAddress, "websocketId" | "requestId">,
): Promise<Pick<ReplyAddress, "mailbox" | "organizationId"> | undefined> {
  const [mailbox = "", encoded = "", ...mac] = text.split(".");
  const organizationId = Buffer.from(encoded, "base64url").toString("utf8");
  if (mailbox === "" || !isOrganizationId(organizationId)) return undefined;
  const signed = signedData({ mailbox, organizationId, ...sender });
  return (await signer.verify(purpose, signed, mac.join("."))) ? { mailbox, organizationId } : undefined;
}

/** As JSON, so that no choice of ids can move a character from one field into the next. */
function signedData({ mailbox, organizationId, websocketId, requestId }: ReplyAddress): string {
  return JSON.stringify([mailbox, organizationId, websocketId, requestId]);
}
