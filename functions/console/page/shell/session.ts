import type { CallerFacts } from "../../../../shared/contract/api-key.ts";
import { createStore } from "./store.ts";

export interface Session {
  readonly caller: CallerFacts;
  /** Those of the moment. */
  readonly credentials: () => string;
}

/** `undefined` while nobody is signed in; the sentence says why a session has ended. */
export const session = createStore<Session | undefined>(undefined);
export const signedOutBecause = createStore<string | undefined>(undefined);

export const endedSentence = "The session has ended: the service no longer takes its credentials.";

/** The tab's own storage: closing the tab forgets the credentials, and no other tab has them. */
const place = "das.console.credentials";

export function keptCredentials(): string | undefined {
  return sessionStorage.getItem(place) ?? undefined;
}

export function signIn(credentials: string, caller: CallerFacts): void {
  sessionStorage.setItem(place, credentials);
  signedOutBecause.set(undefined);
  session.set({ caller, credentials: () => keptCredentials() ?? credentials });
}

export function signOut(because?: string): void {
  sessionStorage.removeItem(place);
  signedOutBecause.set(because);
  session.set(undefined);
}
