import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from "oauth4webapi";
import type { ConsoleSignIn } from "../../../../shared/contract/console.ts";

/** What a session lasts by. */
export interface Tokens {
  readonly credentials: string;
  readonly refreshToken: string | undefined;
  readonly expiresAtMs: number | undefined;
}

/** What the page must remember while the browser is at the issuer. */
interface Pending {
  readonly state: string;
  readonly codeVerifier: string;
  /** Where the person wanted to go. */
  readonly href: string;
}

const place = "das.console.sign-in";

/** The issuer leads the browser back here; it is registered there. */
function redirectUri(): string {
  return `${location.origin}/console`;
}

function serverOf({ issuer, authorizeUrl, tokenUrl }: ConsoleSignIn): AuthorizationServer {
  return { issuer, authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl };
}

function clientOf({ clientId }: ConsoleSignIn): Client {
  return { client_id: clientId };
}

/** Only the address of an issuer of this machine is one without TLS; settings allow no other. */
function requestOptions({ tokenUrl }: ConsoleSignIn) {
  return { [allowInsecureRequests]: tokenUrl.startsWith("http:") };
}

/** Leaves the page for the issuer's. @param hint whom it shall sign in. */
export async function leaveForIssuer(signIn: ConsoleSignIn, href: string, hint?: string): Promise<void> {
  const pending: Pending = { state: generateRandomState(), codeVerifier: generateRandomCodeVerifier(), href };
  sessionStorage.setItem(place, JSON.stringify(pending));
  const url = new URL(signIn.authorizeUrl);
  const parameters = {
    response_type: "code",
    client_id: signIn.clientId,
    redirect_uri: redirectUri(),
    scope: signIn.scope,
    state: pending.state,
    code_challenge: await calculatePKCECodeChallenge(pending.codeVerifier),
    code_challenge_method: "S256",
    ...(signIn.audience === undefined ? {} : { audience: signIn.audience }),
    ...(hint === undefined ? {} : { login_hint: hint }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.replace(url);
}

/**
 * Turns what the issuer answered by the address into tokens.
 *
 * @returns `undefined` when this tab has asked for none.
 * @throws {Error} with a sentence when the issuer refuses, or its response belongs to another request.
 */
export async function arriveFromIssuer(
  signIn: ConsoleSignIn,
  url: URL,
): Promise<{ readonly tokens: Tokens; readonly href: string } | undefined> {
  const text = sessionStorage.getItem(place);
  sessionStorage.removeItem(place);
  if (text === null) return undefined;
  const pending = JSON.parse(text) as Pending;
  const server = serverOf(signIn);
  const client = clientOf(signIn);
  try {
    const parameters = validateAuthResponse(server, client, url, pending.state);
    const response = await authorizationCodeGrantRequest(
      server,
      client,
      None(),
      parameters,
      redirectUri(),
      pending.codeVerifier,
      requestOptions(signIn),
    );
    const answer = await processAuthorizationCodeResponse(server, client, response);
    return { tokens: tokensOf(signIn, answer), href: pending.href };
  } catch (cause) {
    throw new Error(`the sign-in failed: ${reasonOf(cause)}`, { cause });
  }
}

/** @throws {Error} when the issuer no longer renews the session. */
export async function renew(signIn: ConsoleSignIn, refreshToken: string): Promise<Tokens> {
  const server = serverOf(signIn);
  const client = clientOf(signIn);
  const options = requestOptions(signIn);
  const response = await refreshTokenGrantRequest(server, client, None(), refreshToken, options);
  const answer = await processRefreshTokenResponse(server, client, response);
  const tokens = tokensOf(signIn, answer);
  // An issuer that does not rotate it sends none.
  return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
}

function tokensOf({ token }: ConsoleSignIn, answer: TokenEndpointResponse): Tokens {
  const credentials = answer[token];
  if (typeof credentials !== "string") throw new Error(`the issuer gave no ${token}`);
  return {
    credentials,
    refreshToken: answer.refresh_token,
    expiresAtMs: answer.expires_in === undefined ? undefined : Date.now() + answer.expires_in * 1_000,
  };
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AuthorizationResponseError) return cause.error_description ?? cause.error;
  return cause instanceof Error ? cause.message : String(cause);
}
