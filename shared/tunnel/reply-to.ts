import { isOrganizationId, type OrganizationId } from "../domain/organization-id.ts";
import type { Signer } from "../domain/signer.ts";

export interface ReplyAddress {
  readonly mailbox: string;
  readonly organizationId: OrganizationId;
  readonly websocketId: string;
  readonly requestId: string;
}

const purpose = "tunnel-reply-to";

/**
 * A driver copies the text into its response, which is then stored without a read. Socket and id are in its MAC alone:
 * the gateway names the socket of a response, the response its request, so a text made for others does not verify.
 */
export async function formatReplyTo(signer: Signer, address: ReplyAddress): Promise<string> {
  const organization = Buffer.from(address.organizationId, "utf8").toString("base64url");
  return `${address.mailbox}.${organization}.${await signer.sign(purpose, signedData(address))}`;
}

/** Undefined for a text that was forged, or made for another socket or request. */
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
