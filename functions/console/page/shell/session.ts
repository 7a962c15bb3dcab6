import type { CallerFacts } from "../../../../shared/contract/api-key.ts";
import type { Tokens } from "./code-flow.ts";
import { createStore } from "./store.ts";

export interface Session {
  readonly caller: CallerFacts;
  /** The present ones: a session renews them. */
  readonly credentials: () => string;
}

/** `undefined` while nobody is signed in. */
export const session = createStore<Session | undefined>(undefined);

/** Says why nobody is, where that needs a word. */
export const signedOutBecause = createStore<string | undefined>(undefined);

export const endedSentence = "The session has ended: the service no longer takes its credentials.";

/** The tab's own storage: closing the tab forgets the credentials, and no other tab has them. */
const place = "das.console.credentials";
const renewalPlace = "das.console.renewal";

type Renewal = Omit<Tokens, "credentials">;

export function keptCredentials(): string | undefined {
  return sessionStorage.getItem(place) ?? undefined;
}

export function keptRenewal(): Renewal | undefined {
  const text = sessionStorage.getItem(renewalPlace);
  return text === null ? undefined : (JSON.parse(text) as Renewal);
}

export function keep(tokens: Tokens): void {
  const { credentials, ...renewal } = tokens;
  sessionStorage.setItem(place, credentials);
  if (renewal.refreshToken === undefined) sessionStorage.removeItem(renewalPlace);
  else sessionStorage.setItem(renewalPlace, JSON.stringify(renewal));
}

export function startSession(caller: CallerFacts): void {
  signedOutBecause.set(undefined);
  session.set({ caller, credentials: () => keptCredentials() ?? "" });
}

export function signOut(because?: string): void {
  sessionStorage.removeItem(place);
  sessionStorage.removeItem(renewalPlace);
  signedOutBecause.set(because);
  session.set(undefined);
}
