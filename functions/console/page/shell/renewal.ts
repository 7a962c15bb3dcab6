import type { ConsoleSignIn } from "../../../../shared/contract/console.ts";
import { isPassing } from "../data/say-failure.ts";
import { keep, keptRenewal, signOut } from "./session.ts";

/** A token is renewed this long before it ends. */
const earlyMs = 60_000;
const againMs = 10_000;

/** A tab that was away for long comes back to a token that has ended. */
export async function renewIfDue(signIn: ConsoleSignIn): Promise<void> {
  const { refreshToken, expiresAtMs } = keptRenewal() ?? {};
  if (refreshToken === undefined || expiresAtMs === undefined || expiresAtMs - earlyMs > Date.now()) return;
  try {
    const { renew } = await import("./code-flow.ts");
    keep(await renew(signIn, refreshToken));
  } catch {
    // The service says whether it still takes the token that is there.
  }
}

/** Renews the session as long as the issuer does. @returns a function that ends it. */
export function startRenewal(signIn: ConsoleSignIn): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  const plan = (ms: number) => {
    timer = setTimeout(() => void renewNow(), Math.max(0, ms));
  };
  const planNext = () => {
    const { expiresAtMs } = keptRenewal() ?? {};
    if (expiresAtMs !== undefined) plan(expiresAtMs - earlyMs - Date.now());
  };
  const renewNow = async () => {
    const { refreshToken } = keptRenewal() ?? {};
    if (refreshToken === undefined || isEnded) return;
    try {
      const { renew } = await import("./code-flow.ts");
      const tokens = await renew(signIn, refreshToken);
      if (isEnded) return;
      keep(tokens);
      planNext();
    } catch (failure) {
      if (isEnded) return;
      // A network that is away says nothing about the session.
      if (isPassing(failure) || failure instanceof TypeError) plan(againMs);
      else signOut("The session has ended: the issuer no longer renews it.");
    }
  };
  planNext();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
