import type { Signer } from "../domain/signer.ts";
import type { Ticket } from "../domain/tunnel/ticket-store.ts";

export type TicketName = Pick<Ticket, "tokenId" | "nonce">;

const purpose = "tunnel-ticket";

/** Returns the text after `Ticket ` in the Authorization header, in printable ASCII. Neither part may contain a dot. */
export async function formatTicket(signer: Signer, { tokenId, nonce }: TicketName): Promise<string> {
  return `${tokenId}.${nonce}.${await signer.sign(purpose, signedData({ tokenId, nonce }))}`;
}

/** Returns undefined for a malformed or forged text, so that guesses cost no read; the store knows valid tickets. */
export async function parseTicket(signer: Signer, text: string): Promise<TicketName | undefined> {
  const [tokenId = "", nonce = "", ...rest] = text.split(".");
  const mac = rest.join(".");
  if (tokenId === "" || nonce === "" || mac === "") return undefined;
  const name = { tokenId, nonce };
  return (await signer.verify(purpose, signedData(name), mac)) ? name : undefined;
}

function signedData({ tokenId, nonce }: TicketName): string {
  return JSON.stringify([tokenId, nonce]);
}
