import { importPKCS8, SignJWT } from "jose";
import * as z from "zod";
import type { ProviderKey } from "../domain/model/provider-key.ts";
import type { ObservedFetch } from "./exchange.ts";
import { failureOf, ModelFailedError } from "./failure.ts";

const ServiceAccount = z.object({
  // Other types name programs and addresses to get a token from.
  type: z.literal("service_account"),
  project_id: z.string().regex(/^[a-z0-9.:-]+$/),
  client_email: z.string().min(1),
  private_key_id: z.string().optional(),
  private_key: z.string().min(1),
});
export type ServiceAccount = z.infer<typeof ServiceAccount>;

export function readServiceAccount(key: ProviderKey): ServiceAccount {
  const refuse = () =>
    new ModelFailedError("key_invalid", "not a service account's key (type service_account)");
  if (key.authType !== "service_account_json") throw refuse();
  try {
    return ServiceAccount.parse(JSON.parse(key.serviceAccountJson));
  } catch {
    throw refuse();
  }
}

const Token = z.object({ access_token: z.string().regex(/^[\x21-\x7e]+$/), expires_in: z.number() });

interface KeptToken {
  readonly token: string;
  readonly until: number;
}
/** Tokens are kept by the private key, and valid for an hour. */
const kept = new Map<string, KeptToken>();
const keptMax = 100;
/** A call may take this long, in milliseconds. */
const marginMs = 600_000;

/**
 * Exchanges the account's signature for an access token, like its own libraries, which would read the environment.
 *
 * Source: https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */
export async function requestAccessToken({
  account,
  tokenUrl = "https://oauth2.googleapis.com/token",
  http,
  signal,
  isKept = true,
}: {
  readonly account: ServiceAccount;
  readonly tokenUrl: string | undefined;
  readonly http: ObservedFetch;
  readonly signal: AbortSignal;
  /** A token of an earlier call may be returned. */
  readonly isKept?: boolean;
}): Promise<string> {
  const name = JSON.stringify([tokenUrl, account.client_email, account.private_key]);
  const known = kept.get(name);
  if (isKept && known !== undefined && known.until > Date.now()) return known.token;
  const body = new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion: await signAssertion(account, tokenUrl),
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await http.fetch(tokenUrl, { method: "POST", headers, body, signal }, (init) => init);
  const parsed = Token.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !parsed.success) {
    const { reason, error } = failureOf(http.seen, [account.private_key]);
    throw new ModelFailedError(reason, error);
  }
  const { access_token: token, expires_in: seconds } = parsed.data;
  if (kept.size >= keptMax) kept.clear();
  kept.set(name, { token, until: Date.now() + seconds * 1000 - marginMs });
  return token;
}

async function signAssertion(account: ServiceAccount, tokenUrl: string): Promise<string> {
  try {
    const key = await importPKCS8(account.private_key, "RS256");
    const { private_key_id: kid } = account;
    return await new SignJWT({ scope: "https://www.googleapis.com/auth/cloud-platform" })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(kid !== undefined && { kid }) })
      .setIssuer(account.client_email)
      .setAudience(tokenUrl)
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(key);
  } catch {
    throw new ModelFailedError("key_invalid", "the service account's private key cannot be read");
  }
}
