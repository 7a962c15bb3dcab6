import type { ConsoleSettings, ConsoleSignIn } from "../../../../shared/contract/console.ts";
import { clientOf, fetchWith } from "../data/service.ts";
import type { Tokens } from "./code-flow.ts";
import { hrefOf } from "./place.ts";
import { navigate } from "./router.ts";
import { keep, startSession } from "./session.ts";

/** @throws {ApiError} when the service refuses the credentials. */
export async function signInWith(tokens: Tokens): Promise<void> {
  const authorized = fetchWith(
    () => tokens.credentials,
    () => {},
  );
  const caller = await clientOf(authorized).call("getCaller");
  keep(tokens);
  startSession(caller);
}

/** An API key neither ends nor renews itself. */
export function ofKey(credentials: string): Tokens {
  return { credentials, refreshToken: undefined, expiresAtMs: undefined };
}

/** Its script is loaded by those alone who sign in at an issuer. */
const codeFlow = () => import("./code-flow.ts");

export async function signInAtIssuer(signIn: ConsoleSignIn, href: string, hint?: string): Promise<void> {
  const { leaveForIssuer } = await codeFlow();
  await leaveForIssuer(signIn, href, hint);
}

/** `away` when the browser is about to leave the page. */
type Entrance = "away" | "here";

/**
 * Reads from the address whether the browser comes from the issuer, or shall go there: a link with `iss` begins a
 * sign-in there (OpenID Connect Core, 4, "Initiating Login from a Third Party"). What was for this page alone leaves the
 * address, and with it the browser's history.
 *
 * @throws {Error} with a sentence when the sign-in failed.
 */
export async function enter({ signIn }: ConsoleSettings): Promise<Entrance> {
  const url = new URL(location.href);
  const { searchParams } = url;
  const isAnswer = searchParams.has("state") && (searchParams.has("code") || searchParams.has("error"));
  if (signIn !== null && isAnswer) {
    navigate(hrefOf(""), { replace: true });
    const { arriveFromIssuer } = await codeFlow();
    const arrived = await arriveFromIssuer(signIn, url);
    if (arrived !== undefined) {
      await signInWith(arrived.tokens);
      navigate(arrived.href, { replace: true });
      return "here";
    }
  }
  if (signIn !== null && searchParams.get("iss") === signIn.issuer) {
    navigate(hrefOf(""), { replace: true });
    await signInAtIssuer(signIn, hrefOf(""), searchParams.get("login_hint") ?? undefined);
    return "away";
  }
  return "here";
}
