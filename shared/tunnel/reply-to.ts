import type { Signer } from "../domain/signer.ts";

/** Where one request's answer belongs: this mailbox, from this socket, under this id. */
export interface ReplyAddress {
  readonly mailbox: string;
  readonly websocketId: string;
  readonly requestId: string;
}

const purpose = "tunnel-reply-to";

/**
 * The text that a driver copies into its response: the mailbox, and a MAC over mailbox, socket and request id.
 *
 * Socket and id are not in the text: the gateway names the socket of a response, and the response names its request, so
 * a text made for others does not verify.
 */
export async function formatReplyTo(signer: Signer, address: ReplyAddress): Promise<string> {
  return `${address.mailbox}.${await signer.sign(purpose, signedData(address))}`;
}

/** The mailbox for a response; undefined when the text was forged, or made for another socket or request. */
export async function verifyReplyTo(
  signer: Signer,
  text: string,
  sender: Omit<ReplyAddress, "mailbox">,
): Promise<string | undefined> {
  const dot = text.indexOf(".");
  if (dot < 1) return undefined;
  const mailbox = text.slice(0, dot);
  const isGenuine = await signer.verify(purpose, signedData({ mailbox, ...sender }), text.slice(dot + 1));
  return isGenuine ? mailbox : undefined;
}

/** As JSON, so that no choice of ids can move a character from one field into the next. */
function signedData({ mailbox, websocketId, requestId }: ReplyAddress): string {
  return JSON.stringify([mailbox, websocketId, requestId]);
}
